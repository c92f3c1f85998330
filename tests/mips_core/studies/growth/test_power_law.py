"""Lines of logarithms against another library; settings that follow n along their grids."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import linregress

from mips_core import INDEXES
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.studies.growth.power_law import MOST, PowerLaw, index_for
from tests.mips_core.studies.growth.growth_cases import FLAT, SIZES


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
    ours, theirs = PowerLaw.of(sizes, values), linregress(np.log(sizes), np.log(values))
    assert ours.exponent == pytest.approx(theirs.slope, abs=1e-9)
    assert ours.error == pytest.approx(theirs.stderr, abs=1e-6)
    expected = theirs.intercept + theirs.slope * np.log(n)
    assert np.log(ours.at(n).value) == pytest.approx(min(expected, MOST), abs=1e-6)
    assert ours.at(n).low <= ours.at(n).value <= ours.at(n).high


def test_values_that_leap_have_a_range_without_end_and_no_fault():
    diagnosis = PowerLaw.of([1_000, 2_000, 4_000], [1.0, 1.0, 1e6]).at(10**9)
    assert 0 <= diagnosis.low <= diagnosis.value <= diagnosis.high < np.inf


def test_a_power_of_n_is_found_and_has_no_doubt():
    line = PowerLaw.of(SIZES, [3 * n**0.7 for n in SIZES])
    assert (line.exponent, line.error) == (pytest.approx(0.7), pytest.approx(0, abs=1e-9))
    diagnosis = line.at(10**6)
    assert [diagnosis.low, diagnosis.value, diagnosis.high] == pytest.approx([3 * 10**4.2] * 3)


def test_a_prediction_interval_holds_as_often_as_it_says():
    rng, held, rounds = np.random.default_rng(0), 0, 2_000
    for _ in range(rounds):
        noise = np.exp(0.05 * rng.standard_normal(5))
        diagnosis = PowerLaw.of(SIZES, [n**0.5 * e for n, e in zip(SIZES, noise, strict=False)]).at(
            10**6
        )
        held += diagnosis.low <= 1_000 * noise[4] <= diagnosis.high
    assert held / rounds == pytest.approx(0.95, abs=0.015)
