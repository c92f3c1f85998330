"""Claims on curves: effects have the sign that planted curves give them."""

from dataclasses import replace

import pytest

from mips_core.studies.paper.claims import curve_claims
from mips_core.studies.paper.view import View
from tests.mips_core.studies.paper.paper_cases import sums, whole

COSTS = [500, 200, 100, 50, 20, 10, 5]  # speedups 2 to 200 of 1,000 items
SLOW, FAST = [0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.6], [0.999, 0.8, 0.5, 0.2, 0.1, 0.05, 0.02]
MIDDLE = [0.97, 0.95, 0.8, 0.6, 0.4, 0.3, 0.2]


@pytest.fixture
def claims():
    facts = replace(whole().sets[0].facts, ks=(1,))
    return {claim.number: claim for claim in curve_claims(facts)}


def view(**curves):
    names = {"kmeans": "k-means", "pca": "pca-tree", "srp": "srp-hash", "wta": "wta-hash"}
    made = {names.get(name, name): sums(curve, COSTS) for name, curve in curves.items()}
    return View(made, (1,))


def effects(claim, seen):
    return [condition.effect(seen) for condition in claim.conditions]


def test_a_clear_winner_is_one_and_its_rival_is_not(claims):
    seen = view(kmeans=SLOW, pca=MIDDLE, srp=FAST, wta=FAST)
    turned = view(kmeans=FAST, pca=SLOW, srp=MIDDLE, wta=MIDDLE)
    for number in (1, 2):
        assert min(effects(claims[number], seen)) > 0
        assert max(effects(claims[number], turned)) < 0


def test_hashing_that_is_better_at_first_and_falls_fast_is_told(claims):
    first, *_, falls = effects(claims[3], view(kmeans=MIDDLE, srp=FAST, wta=FAST))
    assert first > 0
    assert falls > 0
    assert min(effects(claims[4], view(pca=MIDDLE, srp=FAST))[1:]) > 0


def test_a_crossing_is_what_claim_5_asks_for(claims):
    crossing = [0.999, 0.99, 0.9, 0.4, 0.2, 0.1, 0.05]
    assert min(effects(claims[5], view(wta=crossing, pca=MIDDLE))) > 0
    assert min(effects(claims[5], view(wta=MIDDLE, pca=FAST))) < 0


def test_every_other_claim_compares_what_it_names(claims):
    better = {6: ("kmeans pca", "srp wta"), 7: ("flat hierarchical", "pca"),
              11: ("several", "k-means(1)"), 15: ("multi", "short")}  # fmt: skip
    for number, (winners, losers) in better.items():
        curves = dict.fromkeys(winners.split(), SLOW) | dict.fromkeys(losers.split(), FAST)
        assert effects(claims[number], view(**curves))[0] > 0, number
    seen = view(flat=SLOW, default=[p - 0.02 for p in SLOW])
    assert effects(claims[17], seen)[0] == pytest.approx(0.03, abs=0.02)
    assert effects(claims[17], view(flat=SLOW, default=FAST))[-1] < -0.1
