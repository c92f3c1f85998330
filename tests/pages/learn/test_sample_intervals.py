"""Lesson 11: intervals of samples, from stored numbers that a fresh computation repeats."""

from statistics import NormalDist

import numpy as np
import pytest

from mips_core import QueryRecipe, evaluate, rng_for, shipped, truth_of, with_queries
from mips_core.base.seeds import sample_rows
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts.lesson import stored
from pages.learn.sample_intervals import CLUSTERS, LESSON, PROBES, SIZES, held, intervals_of
from tests.pages.wire_reader import unpack


@pytest.fixture(scope="module")
def data():
    return unpack(stored.packed("sample_intervals"))


def holding(data, kind, setting, m, count):
    """How many of the first intervals hold, from the definition."""
    at = setting, SIZES.index(m)
    mean, low, high, half = (data[name][at][:count] for name in ("mean", "low", "high", "half"))
    ends = (mean - half, mean + half) if kind == "school" else (low, high)
    truth = data["truth"][setting]
    return sum(a <= truth <= b for a, b in zip(*ends, strict=True))


def test_fresh_hits_are_the_stored_ones(data):
    """Of 300 words as queries."""
    words = shipped("glove-6b-50d")
    n, few = words.n, 300
    order, asked = (sample_rows(rng_for(0, "queries"), n, count).tolist() for count in (n, few))
    truth = truth_of(with_queries(words, QueryRecipe(count=few)))
    index = FlatKMeans(n_clusters=CLUSTERS)
    seen = evaluate(index, index.searcher(index.build(words.items, rng_for(0))), truth, 0)
    places = [order.index(row) for row in asked]
    for probes, hits in zip(PROBES, data["hits"], strict=True):
        at = int(np.flatnonzero(seen.efforts == probes)[0])
        assert (seen.hits(10, at) == hits[places]).all()


def test_stored_hits_give_the_stored_intervals(data):
    for setting, hits in enumerate(data["hits"]):
        assert hits.mean() / 10 == data["truth"][setting]
        for m in (10, 50):
            fresh = intervals_of(hits.astype(np.int64), m)
            for name, row in fresh.items():
                assert (data[name][setting][SIZES.index(m)] == row.astype(np.float32)).all()


def test_an_interval_is_wilsons_by_hand(data):
    """One miss assumed in a sample without any: m K + 1 trials are worth m of them at least."""
    z = NormalDist().inv_cdf(0.975)
    at = int(np.flatnonzero(data["mean"][1][0] == 1.0)[0])
    assert data["high"][1][0][at] == 1.0
    assert data["low"][1][0][at] == pytest.approx(1 / (1 + z * z / 10), rel=1e-6)


def test_steps_say_what_is_so(data):
    one, twenty, hundred, more, school, ours = ({**LESSON.state, **s.state} for s in LESSON.steps)
    assert (one["c"], twenty["c"], hundred["c"]) == (1, 20, 100)
    facts = data["facts"]
    assert holding(data, "core", 0, 50, 100) == facts["hold"] == 95
    assert holding(data, "core", 0, more["m"], 100) == facts["hold_more"] == 95
    assert more["m"] == 40 * hundred["m"]
    width = [(data["high"][0, i, :100] - data["low"][0, i, :100]).mean() for i in (2, 7)]
    assert facts["narrower"] == f"{width[0] / width[1]:.1f}" == "6.9"
    widthless = (data["half"][1][0][:100] == 0).sum()
    assert widthless == 80 == 100 - holding(data, "school", 1, school["m"], 100)
    assert holding(data, "core", 1, ours["m"], 100) == 99


def test_the_answer_says_what_is_so(data):
    facts = data["facts"]
    shares = [
        f"{holding(data, kind, setting, 10, 300) / 300:.0%}"
        for kind in ("school", "core")
        for setting in (1, 0)
    ]
    assert shares == [facts[k] for k in ("school_near", "school_far", "ours_near", "ours_far")]
    assert (shares[0], shares[2]) == ("19%", "99%")


def test_the_schoolbook_interval_can_end_above_one(data):
    assert (data["mean"][1][0] + data["half"][1][0] > 1).any()
    assert held(data, data["truth"], "core", 1, 10, 300).mean() > 0.98
