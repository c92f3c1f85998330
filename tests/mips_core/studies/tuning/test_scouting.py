"""Samples that tell which settings of many items are built: what they may look at, and say."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mips_core import INDEXES, truth_of
from mips_core.base.errors import Cancelled, ParamError
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.setting import index_in_words
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.hashing.sign_hash import SRPHash
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.top_down import TopDownKMeans
from mips_core.methods.trees.pca import PCATree
from mips_core.studies import forecast
from mips_core.studies.best_of_method import best_of_method
from mips_core.studies.tuning import Budget, Need, cheapest, further, scouting, tune
from mips_core.studies.tuning.field import FoldPoints
from mips_core.studies.tuning.run import near_best
from mips_core.studies.tuning.standing import USUAL_POWER
from mips_core.studies.tuning.wording import as_dict, in_words, samples_in_words
from tests.mips_core.studies.tuning.tuning_cases import K, dataset, tried

N, D = 900, 6
GRID = [
    *FlatKMeans.grid(N, D),
    *HierarchicalKMeans.grid(N, D),
    SRPHash(n_bits=6, n_tables=16),
    PCATree(boosting=True),
    PCATree(boosting=False),
    ExactSearch(),
]


@pytest.fixture
def many(monkeypatch):
    """Sets of the size of tests are many items, and samples are small."""
    monkeypatch.setattr(forecast, "LARGE", N)
    monkeypatch.setattr(scouting, "SAMPLES", (150, 450))
    monkeypatch.setattr(scouting, "KEPT", (6, 3))
    monkeypatch.setattr(scouting, "EACH", 0)


def own_rows(m=60, seed=2):
    """Queries that are items, and must not find themselves."""
    data = dataset(m=4, n=N)
    rows = np.random.default_rng(seed).choice(N, m, replace=False)
    return replace(data, queries=data.items[rows], query_rows=rows)


def test_a_sample_holds_items_of_the_set_and_knows_the_own_rows_of_queries():
    data = own_rows()
    sample = scouting.sample_of(data, 300, 0)
    assert (sample.n, sample.m) == (300, data.m)
    places = {row.tobytes(): at for at, row in enumerate(data.items)}
    assert len({places[row.tobytes()] for row in sample.items}) == 300
    kept = {row.tobytes() for row in sample.items}
    for query, own in zip(sample.queries, sample.query_rows, strict=True):
        assert (own >= 0) == (query.tobytes() in kept)
        assert own < 0 or np.array_equal(sample.items[own], query)
    truth = truth_of(sample)
    hidden = sample.query_rows >= 0
    assert not (truth.ids[hidden] == sample.query_rows[hidden, None]).any()


def test_a_sample_of_all_items_is_the_set_itself():
    data = own_rows()
    sample = scouting.sample_of(data, 10 * N, 0)
    assert np.array_equal(sample.items, data.items)
    assert np.array_equal(sample.query_rows, data.query_rows)


@pytest.mark.parametrize("goal", [Need(0.8), Need(0.999), Budget(inner_products=150, bytes=1e6)])
def test_few_settings_are_named_and_no_query_that_judges_has_a_say(many, goal):
    data = dataset(m=120, n=N)
    found = scouting.likeliest(data, GRID, K, goal).indexes
    assert found
    assert set(found) <= set(GRID)
    assert len(found) == len(set(found)) < len(GRID)
    keys = [index.structure_key() for index in found]
    assert len(set(keys)) <= scouting.KEPT[-1]
    assert len(set(keys)) == 1 + sum(a != b for a, b in pairwise(keys))
    queries = data.queries.copy()
    queries[1::2] = np.random.default_rng(9).normal(size=queries[1::2].shape)
    assert scouting.likeliest(replace(data, queries=queries), GRID, K, goal).indexes == found


def test_the_cheapest_of_two_samples_is_the_cheapest_of_the_set(many, monkeypatch):
    """Where the last sample is the set: the setting that tuning orders first is named first."""
    monkeypatch.setattr(scouting, "SAMPLES", (N, N))
    monkeypatch.setattr(scouting, "KEPT", (100, 1))
    monkeypatch.setattr(scouting, "OF_A_METHOD", 100)
    data, need = dataset(m=120, n=N), Need(0.8)
    builder = Builder(data.items, truth_of(data), K)
    costs = {}
    for index in GRID:
        curve = builder.tried(index, 0).evaluation.curve((K,), 0)
        lower = FoldPoints.on([builder.tried(index, 0)], K, 0, 0.95).lower
        costs[index] = curve.mean_cost[lower >= need.precision].min(initial=np.inf)
    first = scouting.likeliest(data, GRID, K, need).indexes[0]
    assert costs[first] == min(costs.values())


def test_what_a_method_costs_is_taken_to_grow_as_it_did_between_the_samples(many):
    data = dataset(m=60, n=N)
    every = [
        one
        for size in (150, 450)
        for one in scouting.on_sample(data, [ExactSearch(), *FlatKMeans.grid(N, D)], K, size)
    ]
    powers = scouting.growth_of_methods(every, Need(0.8))
    assert powers["exact"] == pytest.approx(1)  # it scores every item
    assert 0 < powers["flat-kmeans"] < 1
    alone = scouting.growth_of_methods(every[:1], Need(0.8))
    assert alone == {"exact": USUAL_POWER}


@pytest.mark.parametrize(
    ("K", "size", "answers"), [(10, 10_000, 1), (10, 100_000, 3), (100, 10_000, 10), (1, 10_000, 1)]
)
def test_a_sample_is_asked_for_fewer_answers_which_lie_nearer(K, size, answers):
    assert scouting.as_near(K, size, 1_000_000) == answers
    assert scouting.as_near(K, 1_000_000, 1_000_000) == K
    assert scouting.as_near(K, 1_000_000, 500_000) == K


def test_settings_are_judged_by_these_answers(many, monkeypatch):
    asked, look = [], scouting.on_sample

    def on_sample(dataset, indexes, K, size, *rest):
        asked.append((size, K))
        return look(dataset, indexes, K, size, *rest)

    monkeypatch.setattr(scouting, "on_sample", on_sample)
    scouting.likeliest(dataset(m=60, n=N), GRID, K, Need(0.8))
    assert asked == [(150, 4), (450, 7)]


def test_a_budget_that_nothing_keeps_still_names_settings(many):
    goal = Budget(inner_products=1, seconds=1e-9)
    found = scouting.likeliest(dataset(m=60, n=N), GRID, K, goal).indexes
    assert 0 < len({index.structure_key() for index in found}) <= 3


def test_tuning_many_items_builds_few_and_says_so(many):
    data, need, seen = dataset(m=120, n=N), Need(0.8), []
    tuned = tune(data, GRID, K, need, progress=lambda *told: seen.append(told))
    fractions = [told[0] for told in seen]
    assert fractions == sorted(fractions)
    assert any("sample of 150 items" in told[1] for told in seen)
    so_far = [told[2] for told in seen if len(told) > 2 and told[2] is not None]
    assert so_far[0].missing > 0 == so_far[-1].missing
    assert "Nothing is promised" in in_words(so_far[0])
    assert tuned.n_settings + tuned.on_samples <= len(GRID) + 2  # with those near the best
    assert tuned.on_samples > 0
    assert f"{tuned.on_samples} other settings were tried on samples" in samples_in_words(tuned)
    assert as_dict(tuned)["tried"]["on_samples"] == tuned.on_samples
    named = scouting.likeliest(data, GRID, K, need).indexes
    few = tune(data, named, K, need, refine=False, scout=False)
    same = tune(data, GRID, K, need, refine=False)
    assert in_words(same) == in_words(few)
    assert [trial.as_dict()["held_out"] for trial in same.tested] == [
        trial.as_dict()["held_out"] for trial in few.tested
    ]


def test_a_build_on_a_sample_says_how_far_it_is_so_that_it_can_be_cancelled(many):
    def progress(fraction, message, partial=None):
        if 0 < fraction < 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        scouting.on_sample(dataset(m=40, n=N), [FlatKMeans()], K, 450, 0, progress)


def test_no_setting_at_all_is_refused_as_of_few_items(many):
    for scout in (True, False):
        with pytest.raises(ParamError, match="No setting was tried"):
            tune(dataset(m=40, n=N), [], K, Need(0.8), scout=scout)


def test_what_was_built_after_all_is_not_said_to_be_known_from_samples_alone(many):
    data = dataset(m=120, n=N)
    seen = []
    tuned = tune(data, GRID, K, Need(0.8), progress=lambda *told: seen.append(told))
    built = {told[1] for told in seen if told[1].endswith(": tried")}
    known = {f"{index.label}, {index_in_words(index, N)}: tried" for index in GRID}
    assert len(built) == tuned.n_settings
    assert tuned.on_samples == len(known - built)


def test_what_lies_near_the_best_of_many_items_is_built_in_bounded_time(many, monkeypatch):
    some, goal = tried(tuple(TopDownKMeans(leaf_size=size) for size in (64, 256))), Need(0.8)
    works = [forecast.forecast(index, N, D).work for index in further(some, K, goal, N, D)]
    assert works[0] > min(works)
    monkeypatch.setattr(scouting, "WORK", max(works[0] - 1, min(works)) / (2 * N**1.25 * D))
    near = near_best(some, K, goal, N, D)
    assert near
    assert sum(forecast.forecast(index, N, D).work for index in near) <= scouting.room(N, D, 2)
    assert near_best(some, K, goal, N, D, scout=False) == further(some, K, goal, N, D)


def test_fewer_items_are_tuned_as_without_samples():
    data, need = dataset(m=60, n=N), Need(0.8)
    usual, without = (tune(data, GRID[:6], K, need, scout=scout) for scout in (True, False))
    assert in_words(usual) == in_words(without)
    assert usual.on_samples == without.on_samples == 0
    assert samples_in_words(usual) == ""
    assert not forecast.is_large(forecast.LARGE - 1)


def test_every_method_can_be_looked_at_on_a_sample(many):
    """Their parameters follow the size down."""
    data = dataset(m=40, n=N)
    grid = [index for cls in INDEXES.values() for index in list(cls.grid(N, D))[:2]]
    told = scouting.on_sample(data, grid, K, 150)
    assert [one.index for one in told] == grid
    assert {one.size for one in told} == {150}
    assert cheapest([one.tried for one in told], K, Need(0.5)).n_settings == len(grid)


@pytest.mark.parametrize("cls", [FlatKMeans, HierarchicalKMeans])
@pytest.mark.parametrize("most", [1, 3, 99])
def test_what_makes_up_most_of_the_best_of_a_method_is_named(many, monkeypatch, cls, most):
    monkeypatch.setattr(scouting, "OF_A_CURVE", most)
    data, grid = dataset(m=120, n=N), list(cls.grid(N, D))
    named = scouting.most_used(data, grid, K)
    sampled = scouting.on_sample(scouting._choosing(data), grid, K, 450)
    points = best_of_method([one.tried.evaluation for one in sampled], K)
    served = [setting.index for point in points for setting in point.settings]
    counts = {one.index: served.count(one.tried.evaluation.index) for one in sampled}
    structures = {}
    for index in grid:
        structures.setdefault(index.structure_key(), []).append(counts[index])
    best = sorted(map(sum, structures.values()), reverse=True)
    best = [count for count in best if count][:most]
    keys = list(dict.fromkeys(index.structure_key() for index in named))
    assert [sum(structures[key]) for key in keys] == best
    assert all(counts[index] for index in named)
    assert len(keys) == 1 + sum(
        a.structure_key() != b.structure_key() for a, b in pairwise(named)
    )  # side by side
    if most == 99:
        assert set(named) == {index for index in grid if counts[index]}


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_is_built_whatever_it_takes_and_the_others_have_their_room(many, first):
    n, d = 1_000_000, 100
    dear = TopDownKMeans(leaf_size=16)
    cheap = FlatKMeans.grid(n, d)[:2]
    takes = scouting.forecast(dear, n, d).work
    room = scouting.WORK * n**0.25 * 3 * n * d
    assert takes > room > sum(scouting.forecast(index, n, d).work for index in cheap)
    ranked = [*cheap[:first], dear, *cheap[first:]]
    chosen, slow = scouting._affordable(ranked, 3, n, d)
    assert chosen == [index for index in ranked if index != dear or first == 0]
    assert list(slow) == [dear.key] * (first > 0)


def test_all_methods_of_a_million_items_take_at_most_twice_what_two_take():
    """In counted multiplications: what samples name of any order, beside flat and hierarchical."""
    n, d = 1_000_000, 100

    def structures(*keys):
        grids = (index for key in keys for index in INDEXES[key].grid(n, d))
        return list({index.structure_key(): index for index in grids}.values())

    def work(indexes):
        return sum(scouting.forecast(index, n, d).work for index in indexes)

    two = structures("flat-kmeans", "hierarchical-kmeans")
    dearest = sorted(two, key=lambda index: -work([index]))
    assert scouting._affordable(dearest, 8, n, d) == (dearest[:8], {})  # these have room enough
    usual = 8 * work(two) / len(two)
    every = structures(*INDEXES)
    for order in (every, every[::-1], sorted(every, key=lambda index: work([index]))):
        chosen, _ = scouting._affordable([two[0], *order], 8, n, d)
        assert work(chosen) < 1.5 * usual  # the rest of twice as much is for samples
