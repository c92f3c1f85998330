"""A setting in words: what makes it what it is is said, and said once."""

import pytest

from mips_core import INDEXES
from mips_core.base.params import with_text
from mips_core.evaluation.setting import Setting


@pytest.mark.parametrize("key", INDEXES)
def test_defaults_and_grids_are_said_in_the_indexes_own_words(key):
    cls = INDEXES[key]
    for n in (2, 900):
        for index in (cls(), cls().explicit(n), *cls.grid(n, 8)):
            own = f"{index.setting(n)}, 3 {cls.effort_nouns[1]}"
            assert Setting(index, 0, 3).in_words(n) == own


@pytest.mark.parametrize(
    ("key", "texts", "words"),
    [
        ("flat-kmeans", {"reduction.U": "0.87"}, "30 clusters, U 0.87, 1 probe"),
        ("flat-kmeans", {"reduction.m": "4", "start": "points"},
         "30 clusters, started from points, m 4, 1 probe"),
        ("flat-kmeans", {"reduction": "sphere"}, "30 clusters, sphere reduction, 1 probe"),
        ("flat-kmeans", {"max_rounds": "1"}, "30 clusters, rounds capped at 1, 1 probe"),
        ("hierarchical-kmeans", {"sizes": "4x80"}, "4 × 80 clusters, 1 branch"),
        ("multi-kmeans", {"n_clusterings": "2"}, "2 × 30 clusters, 1 probe"),
    ],
)  # fmt: skip
def test_what_is_not_at_its_default_is_said_once(key, texts, words):
    assert Setting(with_text(INDEXES[key](), texts), 0, 1).in_words(900) == words
