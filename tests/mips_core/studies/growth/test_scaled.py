"""Costs on samples of growing size, and what they say of more items."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import linregress

from mips_core import INDEXES, Dataset, evaluate, rng_for, truth_of
from mips_core.__main__ import main
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.setting import Setting
from mips_core.studies.growth import (
    FRACTIONS,
    Advice,
    Growth,
    ScalePoint,
    Scaling,
    index_for,
    measure_scaling,
)
from mips_core.studies.growth.measure import sampled, samples_of
from mips_core.studies.growth.power_law import MOST

SIZES = (2_500, 5_000, 10_000, 20_000)
FLAT = INDEXES["flat-kmeans"]


def data(n=1_600, d=6, m=60, **recipe):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    return with_queries(Dataset(X, name="made"), QueryRecipe(count=m, **recipe))


def scaling(cost=lambda n: 14 * n**0.5, reached=(True,) * 4, **known):
    """Made up: of four sizes, in the seconds and bytes of a build that is linear."""
    points = tuple(
        ScalePoint(n, Setting(FLAT(n_clusters=round(n**0.5)), 0, 9), 250, cost(n), 0.93 + i / 100,
                   (0.9, 0.99), n / 10_000, n / 20_000, 100 * n, ok)
        for i, (n, ok) in enumerate(zip(SIZES, reached, strict=True))
    )  # fmt: skip
    return Scaling(
        "made", **{"simulated": False, "d": 50, "K": 10, **known}, precision=0.95, sizes=points
    )


@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
@pytest.mark.parametrize(("n", "wanted"), [(20_000, 2_500), (2_500, 1_000_000), (700, 700)])
def test_a_setting_of_the_grid_keeps_its_place_in_it(cls, n, wanted):
    here, there = cls.grid(n, 50), cls.grid(wanted, 50)
    assert [index_for(index, n, wanted, 50) for index in here] == list(there)


@given(st.integers(2, 20_000), st.integers(1_000, 10**6), st.integers(1_000, 10**6))
def test_clusters_move_with_n_and_in_order(k, n, wanted):
    moved = index_for(FLAT(n_clusters=k, start="points"), n, wanted, 50)
    assert moved.start == "points"
    expected = min(k * (wanted / n) ** 0.5, MAX_CLUSTERS)
    assert moved.n_clusters == pytest.approx(expected, rel=0.2, abs=2)
    assert index_for(FLAT(n_clusters=k + 1), n, wanted, 50).n_clusters >= moved.n_clusters


@pytest.mark.parametrize(
    "index",
    [
        FLAT(),  # 0 clusters: its own rule follows n
        INDEXES["hierarchical-kmeans"](sizes=(46, 2154)),
        INDEXES["srp-hash"](n_bits=9),
        INDEXES["exact"](),
    ],
    ids=lambda index: index.key,
)
def test_what_does_not_follow_n_stays(index):
    assert index_for(index, 20_000, 10**6, 50) == index


@given(
    st.lists(st.floats(1, 1e6), min_size=3, max_size=6),
    st.integers(10**3, 10**9),
)
def test_a_line_is_that_of_another_library(values, n):
    assume(len(set(values)) > 1)  # of a level line theirs knows no error
    sizes = [1_000 * 2**i for i in range(len(values))]
    ours, theirs = Growth.of(sizes, values), linregress(np.log(sizes), np.log(values))
    assert ours.exponent == pytest.approx(theirs.slope, abs=1e-9)
    assert ours.error == pytest.approx(theirs.stderr, abs=1e-6)
    expected = theirs.intercept + theirs.slope * np.log(n)
    assert np.log(ours.at(n).value) == pytest.approx(min(expected, MOST), abs=1e-6)
    assert ours.at(n).low <= ours.at(n).value <= ours.at(n).high


def test_values_that_leap_have_a_range_without_end_and_no_fault():
    found = Growth.of([1_000, 2_000, 4_000], [1.0, 1.0, 1e6]).at(10**9)
    assert 0 <= found.low <= found.value <= found.high < np.inf


def test_a_power_of_n_is_found_and_has_no_doubt():
    line = Growth.of(SIZES, [3 * n**0.7 for n in SIZES])
    assert (line.exponent, line.error) == (pytest.approx(0.7), pytest.approx(0, abs=1e-9))
    found = line.at(10**6)
    assert [found.low, found.value, found.high] == pytest.approx([3 * 10**4.2] * 3)


def test_a_prediction_interval_holds_as_often_as_it_says():
    rng, held, rounds = np.random.default_rng(0), 0, 2_000
    for _ in range(rounds):
        noise = np.exp(0.05 * rng.standard_normal(5))
        found = Growth.of(SIZES, [n**0.5 * e for n, e in zip(SIZES, noise, strict=False)]).at(10**6)
        held += found.low <= 1_000 * noise[4] <= found.high
    assert held / rounds == pytest.approx(0.95, abs=0.015)


def test_samples_lie_within_each_other_and_are_drawn_by_the_seed():
    dataset = data()
    samples = samples_of(dataset, 3, FRACTIONS)
    assert [len(rows) for rows in samples] == [200, 400, 800, 1_600]
    for small, large in pairwise(samples):
        assert set(small) < set(large)
        assert (np.diff(large) > 0).all()
    assert all(map(np.array_equal, samples, samples_of(dataset, 3, FRACTIONS)))
    assert not np.array_equal(samples[0], samples_of(dataset, 4, FRACTIONS)[0])


def test_a_query_is_kept_from_its_own_row_where_the_sample_holds_it():
    dataset = data(exclude_self=True)
    rows = samples_of(dataset, 0, FRACTIONS)[1]
    part = sampled(dataset, rows)
    held = np.isin(dataset.query_rows, rows)
    assert 0 < held.sum() < len(held)
    assert (part.query_rows[~held] == -1).all()
    np.testing.assert_array_equal(part.items[part.query_rows[held]], dataset.queries[held])
    np.testing.assert_array_equal(part.queries, dataset.queries)
    again = sampled(part, np.arange(100))  # of rows of which some are not there
    assert (again.query_rows[~held] == -1).all()


@pytest.mark.parametrize("key", ["flat-kmeans", "ip-tree"])
def test_a_size_is_measured_as_by_hand(key):
    dataset, index = data(exclude_self=True), INDEXES[key]()
    found = measure_scaling(dataset, Setting(index, 5, 1), 10, 0.9)
    for rows, point in zip(samples_of(dataset, 5, FRACTIONS), found.sizes, strict=True):
        part = sampled(dataset, rows)
        searcher = index.searcher(index.build(part.items, rng_for(5)))
        whole = evaluate(index, searcher, truth_of(part), 5, K=10)
        choose, score = (whole.curve((10,), fold) for fold in folds_of(dataset.m))
        enough = np.flatnonzero(choose.precision(10) >= 0.9)
        at = enough[np.argmin(choose.mean_cost[enough])]
        assert point.setting.effort == whole.efforts[at]
        assert (point.n, point.m, point.reached) == (len(rows), 30, True)
        assert point.cost == score.mean_cost[at]
        assert point.precision == score.precision(10)[at]
        assert point.interval == tuple(score.interval(10)[at])
        assert 0 < point.seconds < 60
        assert 0 < point.wall_seconds < 60
        assert point.bytes > 0


def test_exact_search_grows_like_n():
    found = measure_scaling(data(), Setting(INDEXES["exact"](), 0, 1), 5, 1.0)
    assert [point.cost for point in found.sizes] == [200, 400, 800, 1_600]
    assert found.exponents["cost"] == (pytest.approx(1), pytest.approx(0, abs=1e-9))
    advice = found.at(10**6)
    assert advice.inner_products.value == pytest.approx(10**6)
    assert advice.speedup.value == pytest.approx(1)
    assert "as many as exact search" in advice.in_words()
    assert "less than 1 kB" in advice.in_words()


def test_the_same_seed_measures_the_same_and_progress_has_what_there_is():
    fractions, partials = [], []

    def report(fraction, message, partial=None):
        fractions.append(fraction)
        partials.append(partial)

    setting = Setting(FLAT(n_clusters=40), 0, 1)
    once = measure_scaling(data(), setting, 10, 0.9, progress=report)
    again = measure_scaling(data(), setting, 10, 0.9)

    def timeless(scaling):
        return [replace(point, seconds=0.0, wall_seconds=0.0) for point in scaling.sizes]

    assert timeless(once) == timeless(again)
    held = [len(partial.sizes) for partial in partials]
    assert held == sorted(held)
    assert set(held) == {0, 1, 2, 3, 4}
    assert partials[-1] == once
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


def test_it_can_be_cancelled():
    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        measure_scaling(data(), Setting(FLAT(), 0, 1), 10, 0.9, progress=stop)


def test_one_query_and_equal_items_are_measured_too():
    dataset = Dataset(np.ones((1_000, 3)), np.ones((1, 3)))
    found = measure_scaling(dataset, Setting(FLAT(), 0, 1), 100, 0.5)
    assert [(point.n, point.m) for point in found.sizes] == [
        (125, 1),
        (250, 1),
        (500, 1),
        (1_000, 1),
    ]
    assert found.at(2_000).n == 2_000


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"dataset": data(999)}, "made holds 999 items: too few"),
        ({"dataset": replace(data(), queries=np.empty((0, 6)), query_labels=None)}, "no queries"),
        ({"K": 0}, "K is 0, outside 1 to 100"),
        ({"precision": 1.5}, "The precision is 1.5"),
        ({"precision": float("nan")}, "The precision is nan"),
        ({"fractions": (0.5, 2)}, "A fraction is outside 0 to 1"),
        ({"fractions": ()}, "A fraction is outside 0 to 1"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value[:9],
)
def test_what_cannot_be_measured_is_said(asked, words):
    known = {"dataset": data(), "setting": Setting(FLAT(), 0, 1), "K": 10, "precision": 0.9}
    with pytest.raises((DataError, ParamError), match=words) as caught:
        measure_scaling(**known | asked)
    assert caught.value.remedy


def test_too_few_sizes_refuse_in_words():
    made = scaling(reached=(True, False, True, False))
    assert (len(made.points), len(made.left_out)) == (2, 2)
    with pytest.raises(DataError, match=r"95% was reached at 2 of the 4 sizes .* 96.0%, at 20,000"):
        made.at(10**6)
    with pytest.raises(DataError, match="reached at 0 of the 1 sizes"):
        replace(made, sizes=made.left_out[:1]).exponents  # noqa: B018


@pytest.mark.parametrize("n", [-1, 0, 2_499, 10**13])
def test_no_advice_outside_what_can_be_told(n):
    with pytest.raises(ParamError, match="Ask for 2,500 to 1,000,000,000,000"):
        scaling().at(n)


def test_advice_in_words():
    assert scaling().at(10**6).in_words() == (
        "At **1,000,000 items** (50 times as many), with 1,000 clusters, expect about "
        "**14,000 inner products** a query, **71× fewer** than exact search; 1.7 minutes of "
        "processor time to build; 95 MB. Extrapolated from 2,500 to 20,000 items of this data, "
        "for 95% of the true top 10. Ranges are 95% prediction intervals."
    )
    bent = scaling(cost=dict(zip(SIZES, (100, 400, 500, 3_000), strict=True)).get, simulated=True)
    assert not bent.straight
    said = bent.at(8_000).in_words()
    assert "**8,000 items**, with 89 clusters" in said
    assert "(" in said.split("inner products** a query")[1][:3]
    assert (
        "Read off a line through what was measured from 2,500 to 20,000 items of this simul" in said
    )
    assert "do not lie on a line: inner products grow like n to the power 1.50, ± 0.29 (st" in said
    dear = scaling(cost=lambda n: 2 * n, reached=(False, True, True, True)).at(20_000).in_words()
    assert "**more** than exact search (0.5×)" in dear
    assert "At 2,500 items 95% was not reached (the best is 93.0%): that size is left out." in dear
    assert "times as many" not in dear


def test_the_command_measures_tells_and_writes(tmp_path):
    np.save(tmp_path / "x.npy", data().items)
    out = tmp_path / "out.json"
    asked = ["scale", str(tmp_path / "x.npy"), "--index", "exact", "--index", "srp-hash"]
    asked += ["--set", "srp-hash.n_bits=16", "--n-queries", "40", "--to", "50000"]
    done = CliRunner().invoke(main, [*asked, "--precision", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "At 50,000 items (31 times as many), expect about 50,000" in done.output
    assert "100% was reached at 0 of the 4 sizes" in done.output
    written = eval(out.read_text(), {"null": None, "true": True, "false": False})
    exact, hashed = written["scaling"]
    assert exact["expected"]["inner_products"] == pytest.approx([50_000] * 3)
    assert [size["n"] for size in exact["sizes"]] == [200, 400, 800, 1_600]
    assert (hashed["expected"], hashed["exponents"]) == (None, None)
    refused = CliRunner().invoke(main, [*asked, "--precision", "2"])
    assert refused.exit_code == 1
    assert "The precision is 2. Give a share above 0, up to 1." in refused.output
    assert isinstance(scaling().at(10**6), Advice)
