"""What a selection is, in words, counted by hand."""

import numpy as np

from mips_core import Dataset
from mips_core.groups.clusters.naming import Namer
from mips_core.groups.clusters.selection import part_of, selection_in_words
from tests.mips_core.studies.test_map_table import level

ROWS = np.array([[1, 0], [1, 0.1], [1, 0.2], [0, 1], [0.1, 1]], np.float32)
LABELS = ["sun", "moon", "star", "cat", "dog"]
LEVEL = level([0, 0, 1, 2, 2], ["sky", "night", "pets"])


def told(items, labels=LABELS, answers=None, missed=None):
    namer = Namer(Dataset(ROWS, labels=labels).labels)
    return selection_in_words(np.array(items), LEVEL, ROWS, namer, answers, missed)


def test_clusters_the_middle_and_misses_are_told():
    answers, missed = np.array([3, 1, 0, 4, 0]), np.array([1, 0, 0, 2, 0])
    assert told([0, 1, 2], answers=answers, missed=missed) == (
        "They are in 2 of 3 clusters; most, 67%, in “sky”. In their middle: sun, moon, star. "
        "Of 4 true answers among them 25.0% are missed; of all, 37.5%."
    )


def test_what_is_not_known_is_not_told():
    assert told([3, 4], labels=None) == "They are in 1 of 3 clusters; most, 100%, in “pets”."
    nothing = np.zeros(5, int)
    said = told([3, 4], answers=nothing, missed=nothing)
    assert said == "They are in 1 of 3 clusters; most, 100%, in “pets”. In their middle: cat, dog."


def test_a_part_keeps_labels_and_queries():
    whole = Dataset(ROWS, ROWS[:2], labels=LABELS, name="all", query_labels=["a", "b"])
    part = part_of(whole, np.array([1, 4]))
    assert part.items.tolist() == ROWS[[1, 4]].tolist()
    assert (part.labels, part.name) == (["moon", "dog"], "all, 2 items")
    assert part.queries.tolist() == whole.queries.tolist()
