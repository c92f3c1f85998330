"""What every registered index promises. A new index is tested here by existing.

Each is tried at its defaults and with every number at its lowest and (where small sets allow it)
highest, on sets larger and smaller than those parameters, with repeated and zero rows.
"""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from mips_core import INDEXES, NestedSearcher, rng_for
from mips_core.base.errors import Cancelled, ParamError
from mips_core.base.params import params_of
from mips_core.base.progress import silent
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.baselines import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.search import search
from mips_core.methods.soundness import UnsoundError
from tests import oracle


def _extreme(cls, end):
    numbers = {
        name: type(getattr(cls(), name))(getattr(p, end))
        for name, p in params_of(cls).items()
        if p.high > p.low and not isinstance(getattr(cls(), name), tuple)
    }
    return cls(**numbers)


SPECS = {
    f"{key}-{kind}": make(cls)
    for key, cls in INDEXES.items()
    for kind, make in {
        "default": lambda c: c(),
        "lowest": lambda c: _extreme(c, "low"),
        "highest": lambda c: _extreme(c, "high"),
    }.items()
}


@pytest.fixture(params=SPECS.values(), ids=SPECS)
def index(request):
    return request.param


@pytest.fixture
def searcher(index, items):
    return index.searcher(index.build(items, rng_for(0)))


def rows(found):
    """Candidates as a list of arrays, one per query."""
    return np.split(found.ids, found.starts[1:-1])


def some(efforts):
    """First, second, middle and last effort."""
    return sorted(
        {efforts[0], efforts[min(1, len(efforts) - 1)], efforts[len(efforts) // 2], efforts[-1]}
    )


def test_candidates_are_distinct_items_and_the_ledger_adds_up(searcher, items, queries):
    for effort in some(searcher.efforts()):
        found = searcher.candidates(queries, effort, K=3)
        assert found.starts.shape == (len(queries) + 1,)
        for row, cost, *parts in zip(rows(found), found.cost, *found.spent.values(), strict=True):
            assert len(set(row)) == len(row)
            assert set(row) <= set(range(len(items)))
            assert all(part >= 0 for part in parts)
            assert cost == sum(parts) + len(row)


def test_efforts_ascend_and_more_effort_of_a_nested_searcher_proposes_a_superset(searcher, queries):
    efforts = list(searcher.efforts())
    assert efforts == sorted(set(efforts))
    assert searcher.n >= len(searcher.groups()[-1]) > 0
    if isinstance(searcher, NestedSearcher):
        sweep = [rows(searcher.candidates(queries, effort, 3)) for effort in efforts[:40]]
        for less, more in pairwise(sweep):
            assert all(set(a) <= set(b) for a, b in zip(less, more, strict=True))


def unchecked(index, X):
    """What is missing of the check of what `index` builds on X (n, d), in a sentence; else ""."""
    structure = index.build(X, rng_for(0))
    name = f"{type(index).__name__} builds a {type(structure).__name__}, which"
    if not callable(getattr(structure, "check", None)):
        return f"{name} has no check(n, d): say there what must hold of one that a file brings."
    n, d = X.shape
    for others in ((n + 1, d), (n, d + 1)):
        try:
            structure.check(*others)
        except UnsoundError:
            continue
        if others == (n + 1, d) or type(structure).__name__ not in KNOW_NO_DIMENSIONS:
            return f"{name} passes its check as one of {others} in place of {(n, d)}."
    structure.check(n, d)
    index.check_built(structure)
    return ""


KNOW_NO_DIMENSIONS = ("AllItems", "NormOrder")  # of the items


def test_every_structure_checks_itself(index, items):
    assert unchecked(index, items) == ""


def test_an_index_whose_structure_has_no_check_is_told_what_is_missing(items):
    class Careless(LargestNorm):
        def build(self, X, rng, progress=silent):
            return SimpleNamespace(ids=np.arange(len(X)))

    class Lax(LargestNorm):
        def build(self, X, rng, progress=silent):
            return SimpleNamespace(check=lambda n, d: None)

    expected = "Careless builds a SimpleNamespace, which has no check(n, d): say there what must"
    assert unchecked(Careless(), items).startswith(expected)
    assert "passes its check as one of" in unchecked(Lax(), items)


@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
def test_float16_items_build_what_their_float32_copy_builds(cls):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(60, 5)) * rng.lognormal(size=(60, 1))).astype(np.float16)
    queries = rng.normal(size=(3, 5)).astype(np.float32)
    one, other = (cls().searcher(cls().build(Y, rng_for(0))) for Y in (X, X.astype(np.float32)))
    for effort in some(one.efforts()):
        found, expected = (s.candidates(queries, effort, 3) for s in (one, other))
        np.testing.assert_array_equal(found.starts, expected.starts)
        np.testing.assert_array_equal(found.ids, expected.ids)


def test_length_of_a_query_does_not_matter(searcher, queries):
    effort = searcher.efforts()[0]
    once, scaled = (searcher.candidates(Q, effort, 3) for Q in (queries, queries / 1024))
    np.testing.assert_array_equal(once.ids, scaled.ids)


def test_the_fast_route_equals_listing_candidates(searcher, queries):
    wanted = np.stack([np.arange(searcher.n)] * len(queries))
    wanted[:, -1] = -1
    efforts = list(searcher.efforts())
    fast = (
        _nested_outcomes(searcher, queries, wanted)
        if isinstance(searcher, NestedSearcher)
        else searcher.outcomes(queries, wanted, 3)
    )
    for effort, (found, costs) in zip(efforts, fast, strict=True):
        if effort not in some(efforts):
            continue
        slow = searcher.candidates(queries, effort, 3)
        for i, row in enumerate(rows(slow)):
            assert set(np.flatnonzero(found[i, :-1])) == set(row) - {searcher.n - 1}
            assert not found[i, -1]
        for part, cost in slow.costs.items():
            np.testing.assert_array_equal(costs[part], cost)


def _nested_outcomes(searcher, queries, wanted):
    ranks, costs = searcher.sweep(queries, wanted)
    np.testing.assert_array_equal(searcher.sweep(queries, wanted)[0], ranks)
    for at in range(len(searcher.efforts())):
        yield ranks <= at, {part: cost[:, at] for part, cost in costs.items()}


def test_counting_hits_equals_scoring_candidates(index, searcher, items, queries):
    dataset = Dataset(items, queries)
    truth = truth_of(dataset)
    efforts = list(searcher.efforts())
    for k, effort in product((1, 3), some(efforts)):
        curve = evaluate(index, searcher, truth, seed=0, K=k).curve((k,))
        found = rows(searcher.candidates(queries, effort, k))
        at = efforts.index(effort)
        expected = oracle.precision(items, queries, found, k)
        assert curve.precision(k)[at] == pytest.approx(expected)
        expected = oracle.tolerant_precision(items, queries, found, k)
        assert curve.tolerant[k][at] == pytest.approx(expected)
        assert curve.precision(k)[at] <= curve.tolerant[k][at]
        cost = searcher.candidates(queries, effort, k).cost.mean()
        assert curve.speedup[at] == pytest.approx(len(items) / cost)


def test_search_returns_the_best_candidates(searcher, items, queries):
    effort = some(searcher.efforts())[-2:][0]
    ids, scores = search(searcher, items, queries, 3, effort)
    for row, q, found, values in zip(
        rows(searcher.candidates(queries, effort, 3)), queries, ids, scores, strict=True
    ):
        expected = oracle.ranking(items, q, row)[:3]
        assert list(found[: len(expected)]) == expected
        assert all(found[len(expected) :] == -1)
        assert list(values[: len(expected)]) == [oracle.dot(items[i], q) for i in expected]


def test_a_trace_sums_to_the_ledger_and_ends_in_the_candidates(searcher, queries):
    for effort in some(searcher.efforts()):
        for q in queries[:3]:
            steps = searcher.trace(q, effort, 3)
            found = searcher.candidates(q[None], effort, 3)
            assert sum(step.spent for step in steps) == found.cost[0]
            assert set(steps[-1].kept) == set(found.ids)


def test_one_seed_one_result_and_inputs_are_left_alone(index, items, queries):
    before = items.copy(), queries.copy()
    searchers = [index.searcher(index.build(items, rng_for(3))) for _ in range(2)]
    first, second = (s.candidates(queries, s.efforts()[0], 3) for s in searchers)
    np.testing.assert_array_equal(first.ids, second.ids)
    np.testing.assert_array_equal(first.starts, second.starts)
    np.testing.assert_array_equal(before[0], items)
    np.testing.assert_array_equal(before[1], queries)


def test_a_build_reports_before_it_is_done_and_can_be_cancelled(index, items):
    def stop(fraction, message, partial=None):
        assert 0 <= fraction < 1
        raise Cancelled

    with pytest.raises(Cancelled):
        index.build(items, rng_for(0), stop)


@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
def test_parameters_explain_and_defend_themselves(cls):
    for name, p in params_of(cls).items():
        assert p.help.endswith(".")
        if p.high > p.low and not isinstance(getattr(cls(), name), tuple):
            with pytest.raises(ParamError, match=f"{name} is .*outside"):
                cls(**{name: type(getattr(cls(), name))(p.high + 1)})


@pytest.mark.parametrize("n", [1, 2, 50, 20_000, 10**9])
@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
def test_the_grid_holds_different_settings_that_fit_the_data(cls, n):
    grid = cls.grid(n, 10)
    assert len(set(grid)) == len(grid) >= 1
    assert len({index.setting(n) for index in grid}) == len(grid)
    if cls.main_param:
        values = [getattr(index, cls.main_param) for index in grid]
        known = params_of(cls)[cls.main_param]
        assert all(known.low <= value <= known.high for value in values)
        assert known.label != "Clusters" or all(min(2, n) <= value <= n for value in values)


@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
def test_a_method_says_what_it_does_what_it_costs_and_where_it_is_from(cls):
    what, cost = cls.about()
    assert what.endswith(".")
    assert len(what) > 60
    assert cost.endswith(".")
    assert cls.cite


def test_the_structure_key_tells_builds_apart():
    keys = {
        index.structure_key()
        for index in (FlatKMeans(), FlatKMeans(n_clusters=3), FlatKMeans(reduction=PadToSphere()))
    }
    assert len(keys) == 3
    assert FlatKMeans().structure_key() == FlatKMeans().structure_key()
