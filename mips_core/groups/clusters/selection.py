"""What a selection of items is, in words: its clusters, what is in its middle, what is missed."""

from dataclasses import replace

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.groups.clusters.centres import centres, members_of
from mips_core.groups.clusters.levels import GroupLevel
from mips_core.groups.clusters.naming import Namer


def part_of(dataset: Dataset, items: Ids) -> Dataset:
    """A data set of these items (s,) of one whose queries are no rows of it, with all queries."""
    labels = dataset.labels and [dataset.labels[item] for item in items]
    name = f"{dataset.name}, {counted(len(items), 'item', 'items')}"
    return replace(dataset, items=dataset.items[items], labels=labels, name=name)


def selection_in_words(
    items: Ids,
    level: GroupLevel,
    rows: Matrix,
    namer: Namer,
    answers: Ids | None,
    missed: Ids | None,
) -> str:
    """Sentences on `items` (s,), two at least, of those that `level` groups by `rows` (n, d').

    answers, missed (n,): how often each item is a true answer, and is missed; None: not known.
    """
    groups, counts = np.unique(level.of[items], return_counts=True)
    clusters = counted(int(np.count_nonzero(level.sizes)), *level.nouns)
    most, share = groups[counts.argmax()], counts.max() / len(items)
    said = [
        f"They are in {len(groups):,} of {clusters}; most, {share:.0%}, in “{level.names[most]}”."
    ]
    if namer.labels is not None and len(items) < len(rows):
        chosen = np.zeros(len(rows), np.int32)
        chosen[items] = 1
        sizes = np.array([len(rows) - len(items), len(items)])
        central = centres(rows, members_of(chosen, 2))[1]
        said.append(f"In their middle: {namer.names(chosen, sizes, central, 'group')[1]}.")
    if answers is not None and missed is not None and answers[items].sum():
        times = int(answers[items].sum())
        part, whole = missed[items].sum() / times, missed.sum() / answers.sum()
        said.append(
            f"Of {counted(times, 'true answer', 'true answers')} among them {part:.1%} are missed; "
            f"of all, {whole:.1%}."
        )
    return " ".join(said)
