"""What groups are called: by the items in their middle, or by the words typical of their texts."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, repeat

import numpy as np

from mips_core.base.arrays import Ids, Ranks
from mips_core.base.seeds import rng_for, sample_rows

TEXT_WORDS = 6  # labels of so many words, at the median, are texts; with fewer they are names
MOST_WORDS = 3  # of a name
LONGEST = 28  # characters of a name of several labels: as many as a map writes
HUB_SHARE, HUB_TIMES = 0.1, 5  # of all items, and of the mean size: a group of everything
MOST_TEXTS = 50_000  # read to count words; of more, a seeded sample
MOST_CHARACTERS = 400  # read of a text
WORD = re.compile(r"[^\W\d_][\w'’-]*")


def are_texts(labels: Sequence[str]) -> bool:
    """Whether labels are sentences or more, judged by a sample of at most 1,000."""
    rows = sample_rows(rng_for(0, "texts"), len(labels), 1000)
    counts = [len(WORD.findall(labels[row][:MOST_CHARACTERS])) for row in rows]
    return float(np.median(counts)) >= TEXT_WORDS


class Texts:
    """The words of texts, each counted once a text, whatever the case.

    rows (t,) the texts read; text (u,) and word (u,): text i holds words[word[u]] where
    text[u] == i. Words of a single text are left out: they are typical of nothing.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.rows = sample_rows(rng_for(0, "texts"), len(labels), MOST_TEXTS)
        numbers: dict[str, int] = {}
        text: list[int] = []
        word: list[int] = []
        for at, row in enumerate(self.rows):
            words = set(WORD.findall(labels[row][:MOST_CHARACTERS].casefold()))
            word.extend(numbers.setdefault(one, len(numbers)) for one in sorted(words))
            text.extend(repeat(at, len(words)))
        self.words = list(numbers)
        self.text, self.word = np.array(text, np.int64), np.array(word, np.int64)
        self.counts = np.bincount(self.word, minlength=len(numbers))
        common = self.counts[self.word] > 1
        self.text, self.word = self.text[common], self.word[common]

    def typical_words(self, of: Ranks, k: int) -> list[str]:
        """(k,) the words most typical of each group of `of` (n,), such as "river, lake, flood".

        Typical is a large p log(p / r): p is the share of the group's texts that hold the word, r
        that of all texts; the word's part in the Kullback-Leibler divergence of the two. "" where
        no word of two texts of the group is more frequent in it.
        """
        own = of[self.rows]
        sizes = np.bincount(own, minlength=k)
        pairs, held = np.unique(own[self.text] * len(self.words) + self.word, return_counts=True)
        group, word = np.divmod(pairs, max(len(self.words), 1))
        share = held / sizes[group]
        gain = share * np.log(share / (self.counts[word] / len(self.rows)))
        fit = np.flatnonzero((held > 1) & (gain > 0))
        best = fit[np.lexsort((word[fit], -gain[fit], group[fit]))]
        starts = np.searchsorted(group[best], np.arange(k + 1))
        return [
            ", ".join(self.words[word[at]] for at in best[start : min(stop, start + MOST_WORDS)])
            for start, stop in pairwise(starts)
        ]


class Namer:
    """Names groups of items by the items' labels (n,), if there are any.

    Labels of a few words, such as film titles, name a group by those of its central items, as many
    as are short enough together. Where labels are texts, the words typical of the group's do.
    """

    def __init__(self, labels: Sequence[str] | None) -> None:
        self.labels = labels
        self.texts = Texts(labels) if labels is not None and are_texts(labels) else None

    def names(self, of: Ranks, sizes: Ids, central: Ids, noun: str) -> tuple[str, ...]:
        """(k,) names of the groups that `of` (n,) puts the items into, all different; "" if empty.

        central (k, c): the items that stand for each, -1 for no more. Labels stay as they are. A
        group without any is called by its number, "cluster 12"; so is one that holds far more
        items than the others, which no few of them stand for: "cluster 12, 40% of all".
        """
        labels = [self.joined(items) for items in central]
        if self.texts is not None:
            typical = self.texts.typical_words(of, len(sizes))
            labels = [words or label for words, label in zip(typical, labels, strict=True)]
        n, live = sizes.sum(), np.count_nonzero(sizes)
        hubs = (sizes > HUB_SHARE * n) & (sizes * live > HUB_TIMES * n)
        for group in np.flatnonzero(hubs):
            labels[group] = f"{noun} {group}, {sizes[group] / n:.0%} of all"
        named = [
            (name if name.strip() else f"{noun} {group}") if size else ""
            for group, (name, size) in enumerate(zip(labels, sizes, strict=True))
        ]
        return told_apart(named)

    def joined(self, items: Ids) -> str:
        """The labels of some items, -1 for none, "sun, moon, star": the first, and what fits."""
        labels = [] if self.labels is None else [self.labels[item] for item in items if item >= 0]
        name, *more = dict.fromkeys(filter(str.strip, labels)) or [""]
        for label in more:
            longer = f"{name}, {label}"
            name = longer if len(longer) <= LONGEST else name
        return name


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, with ", 2", ", 3" and so on after one that was there before; "" stays."""
    taken = set(names)
    seen: Counter[str] = Counter()
    different = []
    for name in names:
        seen[name] += 1
        new = name
        if name and seen[name] > 1:
            while (new := f"{name}, {seen[name]}") in taken:
                seen[name] += 1
            taken.add(new)
        different.append(new)
    return tuple(different)
