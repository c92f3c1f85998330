"""What groups are called: by the item in their middle, or by the words typical of their texts."""

from collections import Counter
from collections.abc import Sequence

from mips_core.base.arrays import Ids, Ranks
from mips_core.groups.clusters.texts import Texts, are_texts


class Namer:
    """Names groups of items by the items' labels (n,), if there are any.

    Labels of a few words, such as film titles, name a group by that of its central item. Where
    labels are texts, the words typical of the group's do.
    """

    def __init__(self, labels: Sequence[str] | None) -> None:
        self.labels = labels
        self.texts = Texts(labels) if labels is not None and are_texts(labels) else None

    def names(self, of: Ranks, sizes: Ids, central: Ids, noun: str) -> tuple[str, ...]:
        """(k,) names of the groups that `of` (n,) puts the items into, all different; "" if empty.

        Labels stay as they are. A group without any is called by its number, "cluster 12".
        """
        found = ["" if self.labels is None or item < 0 else self.labels[item] for item in central]
        if self.texts is not None:
            typical = self.texts.typical_words(of, len(sizes))
            found = [words or label for words, label in zip(typical, found, strict=True)]
        named = [
            (name if name.strip() else f"{noun} {group}") if size else ""
            for group, (name, size) in enumerate(zip(found, sizes, strict=True))
        ]
        return told_apart(named)


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, with ", 2", ", 3" and so on after one that was there before; "" stays."""
    taken = set(names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        new = name
        if name and seen[name] > 1:
            while (new := f"{name}, {seen[name]}") in taken:
                seen[name] += 1
            taken.add(new)
        found.append(new)
    return tuple(found)
