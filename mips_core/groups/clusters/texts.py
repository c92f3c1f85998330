"""Labels that are texts: which words tell the items of one group from the others."""

import re
from collections.abc import Sequence
from itertools import pairwise, repeat

import numpy as np

from mips_core.base.arrays import Ranks
from mips_core.base.seeds import rng_for, sample_rows

TEXT_WORDS = 6  # labels of so many words, at the median, are texts; with fewer they are names
MOST_WORDS = 3  # of a name
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
            found = set(WORD.findall(labels[row][:MOST_CHARACTERS].casefold()))
            word.extend(numbers.setdefault(one, len(numbers)) for one in sorted(found))
            text.extend(repeat(at, len(found)))
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
