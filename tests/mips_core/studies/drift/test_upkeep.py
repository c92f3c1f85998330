"""What each way finds and costs, by definition."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import rng_for
from mips_core.base.threads import limited
from mips_core.studies.drift import WAYS, decay
from mips_core.studies.drift.changes import Moving
from mips_core.studies.drift.upkeep import Outcome
from tests import oracle
from tests.mips_core.studies.drift.drift_cases import FLAT, SMALL, data, point


def test_without_a_change_a_rebuild_is_the_build_and_nothing_is_spent(measured):
    still = measured.points[0]
    assert (still.share, still.changed, still.spent("frozen")) == (0, 0, 0)
    for frozen, rebuilt in zip(still.ways["frozen"], still.ways["rebuilt"], strict=True):
        np.testing.assert_array_equal(frozen.hits, rebuilt.hits)
        assert frozen.cost == rebuilt.cost


def test_precision_and_cost_are_those_of_searching_the_changed_items(measured):
    """At the largest change, rebuilt with each seed, counted by definition."""
    dataset, point = data(), measured.points[-1]
    X = Moving(dataset, dataset, SMALL.sizes, SMALL.seed).at(1.0, 1.0).dataset.items
    for seed, outcome in enumerate(point.ways["rebuilt"]):
        searcher = FLAT.index.searcher(FLAT.index.build(X, rng_for(seed)))
        listed = searcher.candidates(dataset.queries, FLAT.effort, 5)
        each = np.split(listed.ids, listed.starts[1:-1])
        assert outcome.hits.sum() / (5 * 30) == pytest.approx(
            oracle.precision(X, dataset.queries, each, 5)
        )
        assert outcome.cost == listed.cost.mean()
    mean = np.mean([one.hits for one in point.ways["rebuilt"]]) / 5
    assert point.precision("rebuilt") == mean
    low, high = point.interval("rebuilt")
    assert low < mean < high
    assert point.speedup("rebuilt") == pytest.approx(120 / point.cost("rebuilt"))


def test_one_thread_finds_what_two_find(measured):
    with limited(1):
        alone = decay(data(), data(), FLAT, 5, SMALL)
    for one, other in zip(alone.points, measured.points, strict=True):
        for way in WAYS:
            for a, b in zip(one.ways[way], other.ways[way], strict=True):
                np.testing.assert_array_equal(a.hits, b.hits)
                assert (a.cost, a.spent, a.effort) == (b.cost, b.spent, b.effort)


def test_what_all_builds_share_is_no_luck():
    """Each build finds something else, and a rebuild of it one answer more: for all queries."""
    rng = np.random.default_rng(0)
    hits = [rng.integers(0, 9, 200) for _ in range(3)]
    ways = {
        way: tuple(Outcome(1, h + (way == "rebuilt"), 1.0, 1, 0.0) for h in hits) for way in WAYS
    }
    seen = replace(point(9, 9), m=200, ways=ways).behind("frozen")
    assert seen.mean == pytest.approx(0.1)
    assert 0.09 < seen.low < seen.mean <= seen.high < 0.11
    assert seen.by_seed == pytest.approx((0.1, 0.1, 0.1))
