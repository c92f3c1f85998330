"""Methods that samples of many items leave out: which, why, and that it is said."""

from math import inf

import numpy as np
import pytest

from mips_core import INDEXES, truth_of
from mips_core.evaluation.builder import Builder
from mips_core.methods.baselines import ExactSearch, LargestNorm
from mips_core.methods.hashing.sign_hash import SRPHash
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.top_down import TopDownKMeans
from mips_core.studies import forecast
from mips_core.studies.tuning import Budget, Need, scouting, standing, tune
from mips_core.studies.tuning.standing import Omission, Standing, contenders
from mips_core.studies.tuning.wording import as_dict, samples_in_words
from tests.mips_core.studies.tuning.tuning_cases import K, dataset

N, D = 4_000, 6
GRID = [
    ExactSearch(),
    SRPHash(n_bits=3, n_tables=16),
    *FlatKMeans.grid(N, D),
    *HierarchicalKMeans.grid(N, D)[:5],
]


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(forecast, "LARGE", N)
    monkeypatch.setattr(scouting, "SAMPLES", (1_000, 2_000))


@pytest.fixture
def sampled(monkeypatch):
    """(size, settings) of every look at a sample."""
    looks, look = [], scouting.on_sample

    def on_sample(dataset, indexes, K, size, *rest):
        looks.append((size, tuple(indexes)))
        return look(dataset, indexes, K, size, *rest)

    monkeypatch.setattr(scouting, "on_sample", on_sample)
    return looks


def test_a_method_far_behind_on_a_sample_is_not_taken_to_a_larger_one_and_that_is_said(
    many, sampled
):
    data, said = dataset(m=120, n=N), []
    tuned = tune(data, GRID, K, Need(0.8), progress=lambda *told: said.append(told[1]))
    (small, every), (large, few) = sampled
    assert (small, large) == (1_000, 2_000)
    assert every == tuple(GRID)
    assert "exact" not in {index.key for index in few}
    left = {one.key: one for one in tuned.left_out}
    assert left["exact"].after == 1_000
    assert left["exact"].why.startswith("seems to cost ")
    assert left["exact"].why.endswith("× the best on all items")
    words = samples_in_words(tuned)
    assert f"Left out after 1,000 items: {left['exact'].in_words()}" in words
    assert any(left["exact"].in_words() in message for message in said)
    assert {"method": "exact", "after_items": 1_000, "why": left["exact"].why} in as_dict(tuned)[
        "tried"
    ]["left_out"]


@pytest.mark.parametrize("goal", [Need(0.8), Need(0.99), Budget(inner_products=300)])
def test_every_method_is_built_on_all_items_or_said_to_be_left_out(many, goal):
    grid = [index for cls in INDEXES.values() for index in list(cls.grid(N, D))[:2]]
    told = scouting.likeliest(dataset(m=60, n=N), grid, K, goal)
    built, left = {index.key for index in told.indexes}, [one.key for one in told.left_out]
    assert built | set(left) == set(INDEXES)
    assert not built & set(left)
    assert len(left) == len(set(left))
    assert all(one.why and one.after in scouting.SAMPLES for one in told.left_out)


def test_two_of_every_method_that_may_be_best_go_on_though_others_seem_better(many, monkeypatch):
    monkeypatch.setattr(standing, "SLACK", 9.0)
    monkeypatch.setattr(scouting, "WORK", inf)
    monkeypatch.setattr(scouting, "KEPT", (1, 1))
    grid = [*FlatKMeans.grid(N, D), *(TopDownKMeans(leaf_size=size) for size in (16, 64, 256))]
    told = scouting.likeliest(dataset(m=60, n=N), grid, K, Need(0.8))
    assert (
        sorted(index.key for index in told.indexes) == ["flat-kmeans"] * 2 + ["top-down-kmeans"] * 2
    )
    assert not told.left_out


def test_what_is_left_out_costs_no_more_than_a_tenth(many):
    """Of a grid that is built as a whole, the cheapest with the precision is among the named."""
    data = dataset(m=120, n=N)
    builder = Builder(data.items, truth_of(data), K)
    costs = {}
    for index in GRID:
        curve = builder.tried(index, 0).evaluation.curve((K,))
        for wanted in (0.8, 0.9):
            costs[index, wanted] = curve.mean_cost[curve.precision(K) >= wanted].min(initial=inf)
    for wanted in (0.8, 0.9):
        named = scouting.likeliest(data, GRID, K, Need(wanted)).indexes
        best = min(costs[index, wanted] for index in GRID)
        assert min(costs[index, wanted] for index in named) <= 1.1 * best


def test_what_takes_too_long_to_build_beside_the_best_is_left_out_by_an_estimate(many, monkeypatch):
    monkeypatch.setattr(standing, "SLACK", 9.0)  # nothing is far behind
    monkeypatch.setattr(scouting, "KEPT", (99, 99))
    grid = [*FlatKMeans.grid(N, D), TopDownKMeans(leaf_size=16)]
    data, need = dataset(m=60, n=N), Need(0.8)
    usual = scouting.likeliest(data, grid, K, need)
    assert set(usual.indexes) == set(grid)
    assert not usual.left_out
    work = sum(forecast.forecast(index, N, D).work for index in grid[:-1]) / (N * D)
    monkeypatch.setattr(scouting, "WORK", 1.01 * work / (99 * N**0.25))
    few = scouting.likeliest(data, grid, K, need)
    if few.indexes[0] != grid[-1]:  # the best of a sample is built whatever it takes
        assert set(few.indexes) == set(grid[:-1])
        (gone,) = few.left_out
        assert gone.key == "top-down-kmeans"
        assert "to build" in gone.why
    monkeypatch.setattr(scouting, "WORK", 0)
    alone = scouting.likeliest(data, grid, K, need).indexes
    assert len({index.structure_key() for index in alone}) == 1


@pytest.mark.parametrize("goal", [Need(0.8), Budget(inner_products=200)])
def test_only_what_is_surely_worse_is_far_behind(goal):
    data = dataset(m=120, n=N)
    some = scouting.on_sample(data, GRID, K, 1_000)
    every = [Standing.of(one, N, goal, 0.5) for one in some]
    for one in every:
        assert one.hopeful[0] <= one.likely[0] <= one.surely[0]
    near = contenders(every)
    assert near[0].likely == min(one.likely for one in every)
    best = min(one.surely[0] for one in every)
    for one in every:
        assert (one in near) == (one.hopeful[0] <= best)


def test_where_nothing_is_sure_nothing_is_far_behind():
    data = dataset(m=30, n=N)
    some = scouting.on_sample(data, [LargestNorm(), SRPHash(n_bits=9, n_tables=1)], K, 1_000)
    every = [Standing.of(one, N, Budget(bytes=1), 0.5) for one in some]
    assert not np.isfinite([one.surely[0] for one in every]).any()
    assert len(contenders(every)) == len(every)


@pytest.mark.parametrize(
    ("goal", "own", "best", "words"),
    [
        (Need(0.9), (600.0, -1.0), (100.0, -1.0), "seems to cost 6.0× the best on all items"),
        (Need(0.9), (inf, -0.7), (100.0, -1.0), "is not sure to reach 0.9"),
        (
            Budget(9),
            (-0.61, 1.0),
            (-0.95, 1.0),
            "seems to find 61.0% within the budget (the best 95.0%)",
        ),
        (Budget(9), (inf, 1.0), (-0.95, 1.0), "seemed to keep the budget in no setting"),
    ],
)
@pytest.mark.parametrize("slow", [{}, {"srp-hash": 240.0}])
def test_why_a_method_is_left_out_is_said(goal, own, best, words, slow):
    flat, srp = FlatKMeans(), SRPHash()
    every = [Standing(flat, best, best, best), Standing(srp, own, own, own)]
    (told,) = standing.left_out(every, [flat], 10_000, goal, slow)
    more = " and takes about 4 min to build" if slow else ""
    assert told == Omission("srp-hash", srp.label, 10_000, words + more)


def test_the_reason_is_the_ratio_that_left_it_out_not_that_on_the_sample():
    """Cheaper on the sample, dearer on all items: the costs that were compared are those told."""
    data = dataset(m=120, n=N)
    every = scouting.on_sample(data, [ExactSearch(), *FlatKMeans.grid(N, D)], K, 400)
    stand = [
        Standing.of(one, 10**9, Need(0.8), 1.0 if one.index.key == "exact" else 0.3)
        for one in every
    ]
    near = contenders(stand)
    (told,) = standing.left_out(stand, [one.index for one in near], 400, Need(0.8), {})
    ratio = stand[0].likely[0] / min(one.likely[0] for one in stand)
    assert told.key == "exact"
    assert ratio > 100
    assert told.why == f"seems to cost {ratio:,.0f}× the best on all items"


@pytest.mark.parametrize("limit", ["bytes", "seconds"])
def test_a_limit_that_is_kept_on_all_items_leaves_no_method_out_on_a_sample(limit):
    """Bytes and seconds grow less than the items: as many more would seem to break the limit."""
    data, flat = dataset(m=120, n=N), FlatKMeans()
    (small,) = scouting.on_sample(data, [flat], K, 200)
    (exact,) = scouting.on_sample(data, [ExactSearch()], K, 200)
    grown = N / small.size * getattr(small.tried, limit)
    budget = Budget(**{"inner_products": 10.0 * N, limit: 0.9 * grown})
    one, keeps = (Standing.of(each, N, budget, 0.5) for each in (small, exact))
    assert one.likely[0] == one.surely[0] == inf
    assert one.hopeful[0] < 0
    assert one in contenders([one, keeps])


@pytest.mark.parametrize(
    ("goal", "hope", "best", "words"),
    [
        (Need(0.9), (600.0, -1.0), (100.0, -1.0), "cost at least 6.0× the best on all items"),
        (
            Budget(9),
            (-0.4, 1.0),
            (-0.9, 1.0),
            "find at most 40.0% within the budget (the best 90.0%)",
        ),
    ],
)
def test_what_is_left_out_though_all_is_hoped_of_it_is_not_said_to_be_unsure(
    goal, hope, best, words
):
    flat, srp = FlatKMeans(), SRPHash()
    every = [Standing(flat, best, best, best), Standing(srp, (inf, 1.0), hope, (inf, 1.0))]
    (told,) = standing.left_out(every, [flat], 10_000, goal, {})
    assert told.why == f"seems to {words}"
