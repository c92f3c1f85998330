"""Claims on noise, drift, scale and norms, on planted numbers."""

from math import log

import numpy as np
import pytest

from mips_core.studies.paper import drift, norms
from mips_core.studies.paper.noise import METHODS, SIGMAS, noise_name
from mips_core.studies.paper.other_claims import growing, measured_claims
from mips_core.studies.paper.view import View
from tests.mips_core.studies.paper.paper_cases import sums, whole


@pytest.fixture
def claims():
    return {claim.number: claim for claim in measured_claims(whole().sets[0].facts)}


def planted(shares, columns):
    """Sums that find exactly `shares` (p,) in every column."""
    made = sums(shares, [1.0] * len(shares), builds=1)
    hits = made.queries[None, :, None, None] * np.asarray(shares)[None, None, :, None]
    return type(made)(made.n, made.queries, np.ones(columns), np.tile(hits, columns), made.costs)


def test_noise_is_asked_of_the_best_of_both_sides(claims):
    shares = {"flat": 0.6, "hierarchical": 0.8, "pca-tree": 0.5, "srp-hash": 0.3, "wta-hash": 0.7}
    made = {noise_name(name, K): planted([shares[name]] * len(SIGMAS), 2)
            for name in METHODS for K in (1, 10, 100)}  # fmt: skip
    made |= {noise_name("exact", K): planted([1.0] * len(SIGMAS), 2) for K in (1, 10, 100)}
    seen = View(made, (1, 10, 100))
    assert claims[8].conditions[0].effect(seen) == pytest.approx(0.1)
    assert claims[9].conditions[0].effect(seen) == pytest.approx(0.3)


def test_what_frozen_clusters_lose_is_held_against_the_tolerance(claims):
    shares = [0.8] * 9
    shares[drift.point_of(1.0, "frozen")] = 0.7
    seen = View({"drift": planted(shares, 1)}, (10,))
    kept, _, lost = (one.effect(seen) for one in claims[10].conditions)
    assert kept == pytest.approx(drift.TOLERANCE)
    assert lost == pytest.approx(drift.TOLERANCE - 0.1)


def test_flat_clusters_must_do_below_the_size_and_hierarchical_ones_win_above():
    facts = whole().sets[0].facts
    claim = growing([1_000, 100_000], facts)
    made = {f"scale {name} {n}": planted([1.0], 1) for name in ("flat", "hierarchical")
            for n in (1_000, 100_000)}  # fmt: skip
    made["scale hierarchical 100000"].costs[:] /= 2
    small, large = (one.effect(View(made, (10,))) for one in claim.conditions)
    assert small == pytest.approx(log(1.1))
    assert large == pytest.approx(log(2))
    assert claim.figure == "scale-figure"
    assert growing([300], facts).figure == facts.curves_figure


def test_norms_must_fall_with_m_and_be_nearly_even_at_last(claims):
    even = [1.0, 0.1, 0.01, 0.001, 0.0, 0.0] * len(norms.US)
    seen = View({"norms": planted(even, 4)}, (1, 10, 100))
    values = {one.words: one.effect(seen) for one in claims[13].conditions}
    assert values["norms fall up to m = 3, U = 0.5"] == pytest.approx(0.09)
    assert values["norms, U = 0.75"] == pytest.approx(0.01)
    assert "norms, U = 0.99" not in values
    assert values["answers, K = 10, U = 0.5"] == pytest.approx(0.01 - 1)
