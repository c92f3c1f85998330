"""Colours of groups: groups near each other differ, on real data and in the worst case."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core.base.seeds import rng_for
from mips_core.data.catalog import shipped
from mips_core.groups.clusters import colouring
from mips_core.groups.clusters.colouring import COLOURS, NEAR, WIDE, colours_of, nearest_groups
from mips_core.methods.indexes import INDEXES


def directions(k, d=6, seed=0):
    D = np.random.default_rng(seed).normal(size=(k, d))
    return (D / np.linalg.norm(D, axis=1, keepdims=True)).astype(np.float32)


def repeats(D, colours):
    """Share of pairs of a group and one of its NEAR nearest with the same colour."""
    near = nearest_groups(D)[:, :NEAR]
    return float((colours[near] == colours[:, None])[near >= 0].mean())


@settings(max_examples=20)
@given(st.integers(1, 60), st.integers(0, 5))
def test_nearest_groups_agree_with_the_definition(k, seed):
    D = directions(k, seed=seed)
    found = nearest_groups(D)
    cosines = D.astype(np.float64) @ D.T.astype(np.float64)
    for group in range(k):
        near = found[group][found[group] >= 0]
        assert len(near) == min(WIDE, k - 1)
        assert group not in near
        others = np.sort(np.delete(cosines[group], group))[::-1]
        assert cosines[group, near] == pytest.approx(others[: len(near)], abs=1e-6)


def test_equal_directions_come_by_number():
    found = nearest_groups(np.ones((4, 1), np.float32))
    assert found[:, :4].tolist() == [[1, 2, 3, -1], [0, 2, 3, -1], [0, 1, 3, -1], [0, 1, 2, -1]]


@pytest.mark.parametrize("n_clusters", [141, 1131])
def test_no_two_near_clusters_of_words_share_a_colour(n_clusters):
    index = INDEXES["flat-kmeans"](n_clusters=n_clusters, max_rounds=3)
    centroids = index.build(shipped("glove-6b-50d").items, rng_for(0)).levels[0].centroids
    colours = colours_of(centroids, np.ones(len(centroids), bool))
    assert repeats(centroids, colours) == 0
    counts = np.bincount(colours, minlength=COLOURS)
    assert counts.max() < 2 * counts.min()


@pytest.mark.parametrize("k", [1, 5, COLOURS, COLOURS + 3])
def test_groups_that_are_all_near_share_a_colour_only_where_they_must(k):
    colours = colours_of(directions(k), np.ones(k, bool))
    assert len(set(colours.tolist())) == min(k, COLOURS)
    assert np.bincount(colours).max() <= 2


def test_the_colour_repeated_is_that_of_the_farthest():
    angles = np.linspace(0, 1.5, COLOURS + 1) ** 2  # the last is farthest from all others
    D = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    colours = colours_of(D, np.ones(len(D), bool))
    (pair,) = [np.flatnonzero(colours == c) for c in range(COLOURS) if (colours == c).sum() == 2]
    assert pair[1] - pair[0] > COLOURS // 2


def test_empty_groups_change_no_colour():
    D, live = directions(40), np.ones(40, bool)
    live[[3, 17, 39]] = False
    colours = colours_of(D, live)
    assert (colours[~live] == 0).all()
    assert np.array_equal(colours[live], colours_of(D[live], live[live]))


def test_very_many_groups_are_compared_with_those_around(monkeypatch):
    rng = np.random.default_rng(0)
    D = np.repeat(directions(60, seed=1), 20, axis=0) + 0.1 * rng.normal(size=(1200, 6))
    D = (D / np.linalg.norm(D, axis=1, keepdims=True)).astype(np.float32)
    exact = nearest_groups(D)
    monkeypatch.setattr(colouring, "ALL_PAIRS", 1000)
    found = nearest_groups(D)
    same = exact[:, :NEAR, None] == found[:, None, :NEAR]
    assert same.any(axis=2).mean() > 0.95
    monkeypatch.undo()
    assert repeats(D, colours_of(D, np.ones(1200, bool))) == 0


def test_very_many_equal_groups_are_coloured(monkeypatch):
    monkeypatch.setattr(colouring, "ALL_PAIRS", 100)
    monkeypatch.setattr(colouring, "MOST_COMPARED", 50)
    colours = colours_of(np.ones((300, 2), np.float32), np.ones(300, bool))
    assert len(set(colours.tolist())) == COLOURS
