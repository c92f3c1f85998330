"""Rows that move, leave and come: an updated structure by definition, and by its laws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import INDEXES, rng_for
from mips_core.base.errors import DataError, ParamError
from mips_core.base.threads import limited
from mips_core.methods.clustering.rounds import Clustering
from mips_core.studies.drift import change_of, refreshed, updated
from mips_core.studies.drift.update import build_cost, can_update
from tests import oracle
from tests.mips_core.studies.drift.update_cases import (
    SPECS,
    D,
    N,
    assert_same,
    candidates,
    some_items,
    trees,
)


def test_rows_equal_to_those_before_stay_where_they_were(index):
    X = some_items()
    built = index.build(X, rng_for(0))
    for moved in ((), range(0, N, 3), range(N)):
        same = updated(index, built, X, change_of(N, moved=moved))
        assert_same(same.structure, built)
        assert not same.longer
        assert not same.due
    assert updated(index, built, X, change_of(N)).inner_products == 0


@settings(max_examples=15)
@given(data=st.data())
def test_adding_then_removing_gives_the_former_structure(data):
    index = SPECS[data.draw(st.sampled_from(list(SPECS)))]
    added = data.draw(st.integers(1, 12))
    X = some_items()
    built = index.build(X, rng_for(0))
    more = np.concatenate([X, some_items(added, seed=1)])
    grown = updated(index, built, more, change_of(N, added=added)).structure
    assert index.searcher(grown).n == N + added
    back = updated(index, grown, X, change_of(N + added, removed=range(N, N + added)))
    assert back.inner_products == 0
    assert_same(back.structure, built)


def test_candidates_are_those_of_assignment_by_definition():
    """Frozen centroids, each changed row with that of largest product, summed in order."""
    index, X = SPECS["flat"], some_items()
    built = index.build(X, rng_for(0))
    level = built.levels[0]
    Y = np.concatenate([X[5:], some_items(6, seed=3) * 0.3])
    Y[[0, 10, 20]] = some_items(3, seed=4) * 0.3
    change = change_of(N, moved=(5, 15, 25), removed=range(5), added=6)
    assert list(np.flatnonzero(change.placed)) == [0, 10, 20, *range(75, 81)]
    fresh = updated(index, built, Y, change)
    lists = [[] for _ in level.centroids]
    rows = built.lift.items(Y)
    for item in range(len(Y)):
        if change.placed[item]:
            products = [oracle.dot(rows[item], c) for c in level.centroids]
            lists[int(np.argmax(products))].append(item)
        else:
            lists[level.labels[item + 5]].append(item)
    Q = np.random.default_rng(9).normal(size=(7, D)).astype(np.float32)
    for q, found in zip(Q, candidates(index, fresh.structure), strict=True):
        products = [oracle.dot(q, c[:D]) for c in level.centroids]
        opened = np.argsort(products, kind="stable")[::-1][:2]
        assert found == {item for cluster in opened for item in lists[cluster]}
    assert fresh.placed == 9
    assert fresh.spent == {"centroids": 9 * len(level.centroids)}


@pytest.mark.parametrize("kind", ["flat", "hierarchical", "multi", "no head"])
def test_the_ledger_counts_the_finest_centroids_for_each_changed_row(kind):
    index, X = SPECS[kind], some_items()
    built = index.build(X, rng_for(0))
    Y = X.copy()
    Y[:7] *= 0.5
    fresh = updated(index, built, Y, change_of(N, moved=range(7)))
    assert fresh.inner_products == 7 * sum(len(t.levels[-1].centroids) for t in trees(built))


def test_every_item_is_found_once_all_lists_are_opened(index):
    X = some_items()
    Y = np.concatenate([X[10:], some_items(30, seed=5) * 3])
    fresh = updated(index, index.build(X, rng_for(0)), Y, change_of(N, removed=range(10), added=30))
    last = index.searcher(fresh.structure).efforts()[-1]
    assert candidates(index, fresh.structure, last) == [set(range(100))] * 7


def test_a_vector_longer_than_the_bound_is_placed_by_direction_and_a_rebuild_is_due():
    index, X = SPECS["flat"], some_items()
    built = index.build(X, rng_for(0))
    longest = np.linalg.norm(X, axis=1).max()
    Y = np.concatenate([X, X[:1] * np.float32(3 * longest / np.linalg.norm(X[0]))])
    fresh = updated(index, built, Y, change_of(N, added=1))
    assert (fresh.longer, fresh.placed) == (1, 1)
    assert fresh.excess == pytest.approx(3, rel=1e-5)
    assert "1 vector is longer than any was" in fresh.due
    assert fresh.due.endswith("until a refresh or a rebuild scales all rows anew.")
    as_long = updated(
        index, built, np.concatenate([X, Y[-1:] / np.float32(3.000001)]), change_of(N, added=1)
    )
    assert not as_long.longer
    assert_same(fresh.structure, as_long.structure)
    again = refreshed(index, fresh.structure, Y)
    assert again.structure.lift.scale == index.reduction.fit(Y).scale


def test_where_the_scale_changes_no_order_no_vector_is_too_long():
    index, X = SPECS["plain"], some_items()
    fresh = updated(
        index, index.build(X, rng_for(0)), np.concatenate([X, X * 9]), change_of(N, added=N)
    )
    assert not fresh.longer


def test_the_head_takes_what_is_longer_than_the_tail():
    index, X = SPECS["head"], some_items()
    built = index.build(X, rng_for(0))
    lists = built.lists.labels[0]
    short, long = np.flatnonzero(lists != 0)[0], np.flatnonzero(lists == 0)[0]
    Y = X.copy()
    Y[short] *= 1000
    Y[long] *= 0.001
    fresh = updated(index, built, Y, change_of(N, moved=(short, long)))
    assert fresh.structure.lists.labels[0, short] == 0
    assert fresh.structure.lists.labels[0, long] > 0
    assert not fresh.longer
    assert fresh.inner_products == len(built.tree.levels[0].centroids)  # of one: the other is short


def test_a_head_without_room_leaves_what_is_long_to_clusters_and_a_rebuild_is_due():
    index, X = SPECS["head"], some_items()
    built = index.build(X, rng_for(0))
    fresh = updated(index, built, np.concatenate([X, X * 1000]), change_of(N, added=N))
    most = index.head_size(2 * N)
    assert fresh.structure.lists.sizes[0] == most == 16
    assert fresh.longer == N - (most - index.head_size(N))
    joined = np.flatnonzero(fresh.structure.lists.labels[0, N:] == 0)
    longest = np.argsort(-np.linalg.norm(X, axis=1), kind="stable")
    assert set(joined) == set(longest[: len(joined)])


def test_one_thread_gives_what_two_give(index):
    X, Y = some_items(), np.concatenate([some_items(seed=2), some_items(40, seed=3)])
    change = change_of(N, moved=range(0, N, 2), added=40)

    def kept():
        fresh = updated(index, index.build(X, rng_for(0)), Y, change).structure
        return fresh, refreshed(index, fresh, Y).structure

    with limited(1):
        alone = kept()
    assert_same(alone, kept())


def test_float16_items_are_placed_as_their_float32_copy(index):
    X, Y = some_items().astype(np.float16), some_items(seed=6).astype(np.float16)
    change = change_of(N, moved=range(0, N, 2))
    Y[1::2] = X[1::2]
    built = index.build(X, rng_for(0))
    halves, copies = (updated(index, built, Z, change) for Z in (Y, Y.astype(np.float32)))
    assert_same(halves.structure, copies.structure)
    assert_same(
        refreshed(index, halves.structure, Y).structure,
        refreshed(index, copies.structure, Y.astype(np.float32)).structure,
    )


def test_clusters_may_lose_all_their_items_and_get_some_again():
    index, X = SPECS["flat"], some_items()
    built = index.build(X, rng_for(0))
    gone = np.flatnonzero(built.levels[0].labels == 2)
    left = np.delete(X, gone, axis=0)
    fewer = updated(index, built, left, change_of(N, removed=gone)).structure
    assert fewer.levels[0].sizes[2] == 0
    assert len(fewer.levels[0].centroids) == len(built.levels[0].centroids)
    again = updated(
        index, fewer, np.concatenate([left, X[gone]]), change_of(len(left), added=len(gone))
    )
    assert again.structure.levels[0].sizes[2] == len(gone)
    dropped = refreshed(index, fewer, left, rounds=1).structure
    assert (dropped.levels[0].sizes > 0).all()


def test_one_item_and_many_that_are_equal(index):
    one = np.ones((1, D), np.float32)
    built = index.build(one, rng_for(0))
    fresh = updated(index, built, np.ones((3, D), np.float32), change_of(1, added=2)).structure
    assert candidates(index, fresh, index.searcher(fresh).efforts()[-1]) == [{0, 1, 2}] * 7
    assert index.searcher(refreshed(index, fresh, np.ones((3, D), np.float32)).structure).n == 3


def test_what_cannot_be_is_refused_in_words():
    index, X = SPECS["flat"], some_items()
    built = index.build(X, rng_for(0))
    with pytest.raises(DataError, match="All items were removed"):
        change_of(N, removed=range(N))
    with pytest.raises(DataError, match=r"Row 80 is not there. Rows go from 0 to 79"):
        change_of(N, moved=(80,))
    with pytest.raises(DataError, match="leads from 80 items to 81; the index holds 80, and items"):
        updated(index, built, X, change_of(N, added=1))
    with pytest.raises(
        ParamError, match=r"SRP-hash cannot be updated: .* These can be updated: Flat k-"
    ):
        updated(INDEXES["srp-hash"](), None, X, change_of(N))
    with pytest.raises(ParamError, match="refresh of 0 rounds"):
        refreshed(index, built, X, rounds=0)
    assert {key for key in INDEXES if can_update(INDEXES[key]())} == {
        *("flat-kmeans", "hierarchical-kmeans", "multi-kmeans", "head-kmeans")
    }


def test_a_structure_without_the_rounds_of_its_build_is_updated_all_the_same():
    """As one that comes from a file may be."""
    index, X = SPECS["flat"], some_items()
    built = index.build(X, rng_for(0))
    bare = replace(
        built,
        histories=tuple(Clustering(c.centroids, c.labels, (), False) for c in built.histories),
    )
    assert_same(updated(index, bare, X, change_of(N, moved=range(9))).structure, bare)
    assert build_cost(bare) == 0


def objective(index, structure, X):
    rows, level = structure.lift.items(X), structure.levels[-1]
    return float((rows * level.centroids[level.labels]).astype(np.float64).sum())


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), share=st.floats(0, 1))
def test_a_refresh_to_the_end_is_never_worse_than_frozen_clusters(seed, share):
    index, X = SPECS["flat"], some_items()
    rng = np.random.default_rng(seed)
    moved = np.flatnonzero(rng.random(N) < share)
    Y = X.copy()
    Y[moved] = rng.permutation(X)[moved]  # no longer than any
    frozen = updated(index, index.build(X, rng_for(0)), Y, change_of(N, moved=moved)).structure
    fresh = refreshed(index, frozen, Y, rounds=1000)
    assert fresh.structure.lift is frozen.lift
    assert objective(index, fresh.structure, Y) >= objective(index, frozen, Y) - 1e-4
    assert fresh.structure.histories[-1].converged
    assert_same(refreshed(index, fresh.structure, Y).structure, fresh.structure)


def test_a_refresh_costs_its_rounds_and_keeps_every_item(index):
    X = some_items()
    Y = some_items(seed=7)
    frozen = updated(index, index.build(X, rng_for(0)), Y, change_of(N, moved=range(N)))
    fresh = refreshed(index, frozen.structure, Y, rounds=2)
    assert fresh.inner_products == build_cost(fresh.structure) > 0
    assert all(len(tree.histories[-1].rounds) <= 2 for tree in trees(fresh.structure))
    last = index.searcher(fresh.structure).efforts()[-1]
    assert candidates(index, fresh.structure, last) == [set(range(N))] * 7


def test_a_refresh_after_a_grouped_fit_is_grouped_and_costs_less():
    X, Y = some_items(900), some_items(900, seed=7)
    indexes = [INDEXES["flat-kmeans"](n_clusters=200, fit=fit) for fit in ("exact", "grouped")]
    exact, grouped = (
        refreshed(index, index.build(X, rng_for(0)), Y, rounds=3) for index in indexes
    )
    assert grouped.inner_products == build_cost(grouped.structure)
    rounds = grouped.structure.histories[-1].rounds
    assert all(one.products < one.n * one.live for one in rounds[1:])
    assert rounds[-1].objective > 0.9 * exact.structure.histories[-1].rounds[-1].objective


def test_a_build_costs_one_product_for_each_row_and_live_centroid_of_each_round():
    index, X = SPECS["hierarchical"], some_items()
    built = index.build(X, rng_for(0))
    by_hand = sum(one.n * one.live for history in built.histories for one in history.rounds)
    assert build_cost(built) == by_hand > N
