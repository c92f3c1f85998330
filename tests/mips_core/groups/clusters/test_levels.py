"""Levels of every index: laws that tie names, colours and parents to the groups themselves."""

from itertools import pairwise

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.base.seeds import rng_for
from mips_core.data.catalog import shipped
from mips_core.data.dataset import Dataset
from mips_core.groups.clusters import COLOURS, MOST_LEVELS, describe, level_label
from mips_core.methods.indexes import INDEXES

HOSTILE = "<img src=x onerror=alert(1)>"


def described(key, dataset, **params):
    index = INDEXES[key](**params)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    return searcher, describe(searcher, index, dataset)


@pytest.fixture(scope="module")
def words():
    return shipped("glove-6b-50d")


@pytest.mark.parametrize("key", INDEXES)
def test_levels_describe_the_groups_of_the_searcher(key, items):
    labels = [HOSTILE if row % 7 == 0 else f"item {row % 5}" for row in range(len(items))]
    searcher, levels = described(key, Dataset(items, labels=labels))
    groups = searcher.groups()
    assert [level.number for level in levels] == sorted({level.number for level in levels})
    assert len(levels) == min(len(groups), MOST_LEVELS)
    assert (levels[0].number, levels[-1].number) == (0, len(groups) - 1)
    for level in levels:
        k, live = len(level.sizes), level.sizes > 0
        assert np.array_equal(level.of, groups[level.number])
        assert np.array_equal(level.sizes, np.bincount(level.of, minlength=k))
        assert level.label.startswith(f"{live.sum():,} ")
        assert np.array_equal(level.of[level.central[live]], np.flatnonzero(live))
        assert (level.central[~live] == -1).all()
        names = [name for name, size in zip(level.names, level.sizes, strict=True) if size]
        assert "" not in names
        assert len(set(names)) == len(names) == live.sum()
        for name, item in zip(names, level.central[live], strict=True):
            assert name.startswith((labels[item], f"{level.nouns[0]} "))
        assert level.colours.dtype == np.uint8
        assert level.colours.max() < COLOURS
        if level.centroid_rows is not None:
            assert len(level.centroid_rows) == k


@pytest.mark.parametrize("key", ["hierarchical-kmeans", "ip-tree", "pca-tree", "top-down-kmeans"])
def test_levels_of_a_hierarchy_have_parents(key, items):
    _, levels = described(key, Dataset(items))
    assert levels[0].parents is None
    for above, level in pairwise(levels):
        assert np.array_equal(level.parents[level.of], above.of)
        assert (level.parents[level.sizes == 0] == -1).all()


@pytest.mark.parametrize("key", ["multi-kmeans", "simple-lsh", "product-quantization"])
def test_levels_side_by_side_have_none(key):
    X = np.random.default_rng(0).normal(size=(600, 8)).astype(np.float32)
    _, levels = described(key, Dataset(X))
    assert len(levels) > 1
    assert all(level.parents is None for level in levels)


def test_levels_side_by_side_have_none_where_one_holds_the_groups_of_the_other(items):
    _, levels = described("multi-kmeans", Dataset(items), n_clusterings=2, n_clusters=1)
    assert [level.parents for level in levels] == [None, None]


def test_of_many_levels_the_first_the_last_and_some_between_are_described():
    X = np.random.default_rng(0).normal(size=(80, 4)).astype(np.float32)
    searcher, levels = described("simple-lsh", Dataset(X), n_tables=64)
    assert len(searcher.groups()) == 64
    steps = np.diff([level.number for level in levels])
    assert len(levels) == MOST_LEVELS
    assert set(steps) == {2, 3}


@pytest.mark.parametrize(
    ("key", "params", "labels"),
    [
        ("flat-kmeans", {"n_clusters": 1}, ["1 cluster"]),
        ("exact", {}, ["1 group"]),
        ("multi-kmeans", {"n_clusterings": 1, "n_clusters": 1}, ["1 cluster"]),
        (
            "multi-kmeans",
            {"n_clusterings": 2, "n_clusters": 1},
            ["1 cluster of clustering 1", "1 cluster of clustering 2"],
        ),
        ("ip-tree", {"leaf_size": 50}, ["5 branches", "8 leaves"]),
        ("largest-norm", {}, None),
    ],
)
def test_a_level_is_said_in_words(key, params, labels):
    X = np.random.default_rng(0).normal(size=(200, 4)).astype(np.float32)
    _, levels = described(key, Dataset(X), **params)
    found = [level.label for level in levels]
    if key == "ip-tree":
        assert found[-1].endswith(" leaves")
        assert all(label.endswith((" branches", " branch")) for label in found[:-1])
    elif labels is None:
        assert found == [f"{len(levels[0].sizes)} bands of norm"]
    else:
        assert found == labels


def test_words_for_any_level():
    assert level_label(1, ("bucket", "buckets"), "table 3") == "1 bucket of table 3"
    assert level_label(1400, ("leaf", "leaves")) == "1,400 leaves"


def test_without_labels_groups_go_by_their_numbers():
    X = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    _, (level,) = described("flat-kmeans", Dataset(X), n_clusters=3)
    assert level.names == ("cluster 0", "cluster 1", "cluster 2")
    assert level.nouns == ("cluster", "clusters")
    _, (level,) = described("flat-kmeans", Dataset(X, labels=[" "] * 60), n_clusters=2)
    assert level.names == ("cluster 0", "cluster 1")


def test_groups_of_words_read_like_towns(words):
    searcher, (level,) = described("flat-kmeans", words, n_clusters=141)
    first = {name.partition(",")[0] for name in level.names}
    assert {"music", "river", "church", "film", "university", "chicken"} <= first
    assert "chicken, cream, cheese" in level.names
    assert np.array_equal(level.centroid_rows, searcher.tree.levels[0].centroids)


def test_progress_is_told_and_cancel_obeyed():
    X = np.random.default_rng(0).normal(size=(200, 4)).astype(np.float32)
    index = INDEXES["hierarchical-kmeans"]()
    searcher = index.searcher(index.build(X, rng_for(0)))
    told = []
    describe(searcher, index, Dataset(X), progress=lambda share, *_: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1

    def cancel(*_):
        raise Cancelled

    with pytest.raises(Cancelled):
        describe(searcher, index, Dataset(X), progress=cancel)


def test_rows_of_other_data_are_refused():
    X = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    index = INDEXES["flat-kmeans"]()
    searcher = index.searcher(index.build(X, rng_for(0)))
    with pytest.raises(DataError, match=r"holds 20 items, the data 20; 19 rows"):
        describe(searcher, index, Dataset(X), rows=X[1:])
    with pytest.raises(DataError, match=r"holds 20 items, the data 19"):
        describe(searcher, index, Dataset(X[1:]))
