"""The facts of a data set against their definitions."""

import tracemalloc

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.base.errors import Cancelled
from mips_core.data.metrics import MEASURES
from mips_core.figures.data_profile import norm_histogram
from mips_core.studies.data_profile import facts
from mips_core.studies.data_profile.facts import (
    MERGED,
    REDUCTION,
    _repeats,
    facts_of,
    some_much_longer,
)
from mips_core.studies.data_profile.findings import findings
from tests.mips_core.methods.hard_vectors import vectors
from tests.mips_core.studies.data_profile.profile_cases import BALL, RNG, UNIT, scaled


def test_against_the_definition():
    facts = facts_of(Dataset(BALL))
    norms = np.linalg.norm(BALL.astype(float), axis=1)
    unit = BALL / norms[:, None]
    by_product = np.argsort(-(BALL @ BALL.T.astype(float)), axis=1)[:, :10]
    by_cosine = np.argsort(-(unit @ BALL.T.astype(float)).T, axis=1)[:, :10]
    distances = np.linalg.norm(BALL[:, None].astype(float) - BALL, axis=2)
    by_distance = np.argsort(distances, axis=1)[:, :10]
    shared, near = (
        [len({*a} & {*b}) / 10 for a, b in zip(by_product, other, strict=True)]
        for other in (by_cosine, by_distance)
    )
    assert (facts.least, facts.low, facts.median, facts.high, facts.most) == pytest.approx(
        np.quantile(norms, (0, 0.05, 0.5, 0.95, 1)), rel=1e-6
    )
    assert facts.row == norms.argmax()
    assert facts.sampled == 300
    assert facts.agreement == pytest.approx(np.mean(shared), abs=1e-3)
    assert facts.distance_agreement == pytest.approx(np.mean(near), abs=1e-3)
    assert facts.own_best == pytest.approx(np.mean(by_product[:, 0] == np.arange(300)))
    assert facts.counts.sum() == 300
    assert not facts.equal
    assert not facts.outlier


def test_equal_norms():
    facts = facts_of(Dataset(UNIT))
    assert facts.equal
    (finding,) = findings(Dataset(UNIT), facts)
    assert finding.found == "All norms are equal."
    assert not finding.serious


def test_an_item_is_its_own_best_match_beside_its_copies():
    X = np.vstack([UNIT, UNIT])
    X[5] *= 1.5
    X[305] *= 1.5
    assert facts_of(Dataset(X)).own_best == pytest.approx(1, abs=0.05)


def test_wide_rows_are_looked_through_a_few_at_a_time():
    X = np.random.default_rng(0).normal(size=(200, 20_000)).astype(np.float32)
    tracemalloc.start()
    assert _repeats(X) == 0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.75 * X.nbytes


def test_zero_rows_and_repeats_are_counted_apart():
    X = BALL.copy()
    X[3:6] = 0
    X[10:14] = X[20]
    X[15] = -0.0
    facts = facts_of(Dataset(X))
    assert (facts.zero, facts.repeats, facts.distinct) == (4, 4, 293)
    assert facts.distinct == len(np.unique(X + 0, axis=0))
    repeated = next(f for f in findings(Dataset(X), facts) if "repeat" in f.found)
    assert "293 are distinct, of 300." in repeated.rest


@pytest.mark.parametrize(
    "X",
    [
        np.ones((1, 1), np.float32),
        np.arange(5, dtype=np.float32)[None],
        np.eye(2, 1, dtype=np.float32),
        np.array([[1, 0], [0, 2]], np.float32),
        np.array([[1e15, 0], [1e-30, 2]], np.float32),
        np.ones((5, 3), np.float32),
        np.vstack([np.zeros((9, 2)), np.ones((2, 2))]).astype(np.float32),
        np.array([[1, 0]] * 40 + [[1.0001, 0]], np.float32),
    ],
    ids=[
        "n1 d1",
        "n1",
        "n2 d1",
        "n2",
        "huge and tiny",
        "all the same",
        "mostly zero",
        "nearly equal",
    ],
)
def test_small_and_odd_data(X):
    dataset = Dataset(X)
    facts = facts_of(dataset)
    for metric in MEASURES:
        told = findings(dataset, facts, metric)
        assert len({found.found for found in told}) == len(told)
    assert facts.counts.sum() == len(X)
    assert 0 <= facts.agreement <= 1
    assert norm_histogram(facts)["data"][0]["width"] > 0


def test_facts_are_the_same_each_time():
    X = RNG.normal(size=(2000, 4)).astype(np.float32)
    first, second = (facts_of(Dataset(X)) for _ in range(2))
    assert first.sampled == 500
    assert (first.own_best, first.agreement) == (second.own_best, second.agreement)


def test_it_reports_and_can_be_stopped():
    seen = []
    facts_of(Dataset(BALL), lambda fraction, message, partial=None: seen.append(fraction))
    assert seen == sorted(seen)
    assert len(seen) >= 3

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        facts_of(Dataset(BALL), stop)


def merged_slowly(X):
    """Items whose P(x) lies within MERGED of the direction of P(0), zero rows apart."""
    lengths = np.linalg.norm(X.astype(float), axis=1)
    scaled = REDUCTION.U / lengths.max() * lengths
    count = 0
    for a in scaled[scaled > 0]:
        lifted = np.array([a, *(0.5 - a ** (2 ** (j + 1)) for j in range(REDUCTION.m))])
        pole = np.array([0.0, *[0.5] * REDUCTION.m])
        apart = lifted / np.linalg.norm(lifted) - pole / np.linalg.norm(pole)
        count += 2 * np.arcsin(np.linalg.norm(apart) / 2) < MERGED
    return count


@pytest.mark.parametrize("factor", [1, 1000, 3000, 3200, 1e4, 1e7])
def test_items_the_reduction_merges_are_counted(factor):
    X = scaled(UNIT * np.linspace(0.5, 1.5, 300, dtype=np.float32)[:, None], 7, factor)
    X[3] = 0
    facts = facts_of(Dataset(X))
    assert facts.merged == merged_slowly(X)
    assert facts.lifted_median == pytest.approx(0.75 * facts.median / facts.most)
    lifted = REDUCTION.fit(X).items(X)
    lifted /= np.linalg.norm(lifted.astype(float), axis=1)[:, None].astype(np.float32)
    cosines = lifted @ (lifted[3])
    assert (cosines[np.linalg.norm(X, axis=1) > 0] >= 1 - 2**-23).sum() >= facts.merged


def test_stored_numbers_of_any_type_have_the_facts_of_float32():
    whole = RNG.integers(0, 200, (80, 5)).astype(np.uint8)
    kept, plain = (facts_of(Dataset(whole, keep_dtype=keep)) for keep in (True, False))
    assert str(kept) == str(plain)


@pytest.mark.parametrize("collide", [False, True])
def test_repeats_are_counted_whether_or_not_hashes_collide(monkeypatch, collide):
    rng = np.random.default_rng(2)
    X = vectors("ties", rng, 500, 4)
    X[::7] *= np.float32(-0.0)
    if collide:
        monkeypatch.setattr(facts, "row_hashes", lambda rng, d: np.zeros(d, np.uint64))
    assert facts._repeats(X) == 500 - len({tuple(x) for x in X.tolist()})


def test_a_twentieth_twice_as_long_as_the_median_is_much_longer():
    norms = np.ones((100, 1))
    norms[:10] = 2.1
    assert some_much_longer(norms)
    norms[:10] = 1.9
    assert not some_much_longer(norms)
    assert not some_much_longer(norms * 0)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_best_of_parts_are_the_best_of_all(monkeypatch, metric):
    X = vectors("ties", np.random.default_rng(3), 400, 6)
    Q, whole = X[::9], facts._nearest(X, X[::9], metric, 10)
    assert X.size <= facts.CONVERTED
    for part in (60, 66, 6 * 399, 1):
        monkeypatch.setattr(facts, "CONVERTED", part)
        np.testing.assert_array_equal(facts._nearest(X, Q, metric, 10), whole)


def test_facts_take_no_copy_of_all_items(monkeypatch):
    X = np.random.default_rng(4).normal(size=(40_000, 60)).astype(np.float32)
    X[20_000:] = X[:20_000]
    facts_of(Dataset(X[:100]))  # what is compiled and imported first is not counted
    monkeypatch.setattr(facts, "CONVERTED", 2**16)
    dataset = Dataset(X)
    tracemalloc.start()
    found = facts_of(dataset)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.repeats == 20_000
    assert peak < 1.3 * X.nbytes  # most of it is what 500 queries take, whatever the items


@pytest.mark.parametrize("flat", [False, True])
def test_float16_items_have_the_facts_of_their_float32_copy_which_is_never_whole(flat):
    rng = np.random.default_rng(7)
    X = (rng.normal(size=(90_000, 12)) * rng.lognormal(size=(90_000, 1))).astype(np.float16)
    X[5], X[9], X[70_000] = 0, -0.0, X[3]
    X[:, 4] = 1.5 if flat else X[:, 4]
    facts_of(Dataset(X[:400], keep_dtype=True))  # compiled
    kept = Dataset(X, keep_dtype=True)
    tracemalloc.start()
    halves = facts_of(kept)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    whole = facts_of(kept.float32())
    of_whole = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < of_whole
    for name, value in vars(whole).items():
        np.testing.assert_array_equal(getattr(halves, name), value, err_msg=name)
