"""What is said of a data set before it is searched."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.base.errors import Cancelled
from mips_core.data.metrics import MEASURES, searched_by
from mips_core.data.readers.remarks import remarks
from mips_core.figures.data_profile import norm_histogram
from mips_core.studies.data_profile import facts
from mips_core.studies.data_profile.facts import MERGED, REDUCTION, _repeats, facts_of
from mips_core.studies.data_profile.findings import findings, remarked
from tests.mips_core.methods.hard_vectors import vectors

RNG = np.random.default_rng(5)
BALL = RNG.normal(size=(300, 6)).astype(np.float32)
UNIT = BALL / np.linalg.norm(BALL, axis=1, keepdims=True)


def with_notes(X, labels=None):
    return Dataset(X, labels=labels, notes=remarks(X, labels))


def said(dataset):
    return [found.found for found in findings(dataset, facts_of(dataset))]


def scaled(X, row, factor):
    Y = X.copy()
    Y[row] *= factor
    return Y


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


def test_readers_remarks_are_not_said_twice():
    X = scaled(BALL, 7, 500)
    X[3:6] = 0
    X[10:14] = X[20]
    labels = [f"item. {i} (row" for i in range(300)]
    plain, noted = Dataset(X, labels=labels), with_notes(X, labels)
    assert all(map(remarked, noted.notes))
    assert said(plain) == said(noted)
    assert len(said(noted)) == len(noted.notes) + 1
    assert sum(map(remarked, said(noted))) == len(noted.notes)
    assert not remarked("Column 2, “title”, is taken as labels.")


@pytest.mark.parametrize(("factor", "alone"), [(1, False), (12, True), (3000, True)])
def test_a_lone_long_row_is_a_warning(factor, alone):
    X = scaled(UNIT * np.linspace(1, 2, 300, dtype=np.float32)[:, None], 7, factor)
    for dataset in (Dataset(X, labels=["<b>" + str(i) for i in range(300)]), with_notes(X)):
        facts = facts_of(dataset)
        assert facts.outlier == alone
        assert len(norm_histogram(facts)["layout"]["annotations"]) == alone
        warned = [f for f in findings(dataset, facts) if f.found.startswith("One norm is")]
        assert len(warned) == alone
        if alone:
            assert "row 7" in warned[0].rest + warned[0].found


def test_many_long_rows_are_no_warning():
    X = UNIT.copy()
    X[:20] *= 12 + np.arange(20, dtype=np.float32)[:, None] / 10
    assert not facts_of(Dataset(X)).outlier


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


def test_an_outlier_is_told_with_what_the_reduction_makes_of_the_others():
    X = scaled(BALL, 33, 1e6)
    X[4] = 0
    dataset = Dataset(X)
    warning = findings(dataset, facts_of(dataset))[0]
    assert warning.serious
    assert "298 of 300 items get one direction" in warning.rest
    assert "scales the longest item to 0.75" in warning.rest
    mild = Dataset(scaled(UNIT * np.linspace(1, 2, 300)[:, None], 7, 12))
    assert "hard to tell apart" in findings(mild, facts_of(mild))[0].rest
    assert not facts_of(mild).merged


def test_many_long_items_crowd_the_others_too():
    X = BALL.copy()
    X[:180] *= 1e5
    dataset = Dataset(X)
    crowded = findings(dataset, facts_of(dataset))[0]
    assert crowded.found.startswith("120 of 300 items get one direction")
    assert crowded.serious
    few = Dataset(np.vstack([BALL, BALL[:20] / 1e7]))
    assert facts_of(few).merged == 20
    assert not any("direction" in f.found for f in findings(few, facts_of(few)))


def test_findings_are_for_the_metric_in_use():
    X = scaled(BALL, 7, 500)
    raw = Dataset(X)
    facts = facts_of(raw)
    by_cosine, by_distance = (
        findings(searched_by(raw, metric), facts) for metric in ("cosine", "euclidean")
    )
    assert findings(raw, facts, "cosine") == by_cosine
    assert not any("One norm" in f.found for f in by_cosine)
    assert by_distance[0].found == findings(raw, facts)[0].found
    assert "reduction" not in by_distance[0].rest


def test_cosine_is_said_to_differ_only_where_it_does():
    facts = facts_of(Dataset(BALL))
    for agreement, words in ((0.87, "is not cosine"), (1.0, "find the same top 10")):
        (said,) = findings(Dataset(BALL), replace(facts, agreement=agreement, own_best=0.8))
        assert words in said.found
        assert f"{agreement:.0%} are also among those by cosine" in said.rest


@pytest.mark.parametrize(("zero", "words"), [([3], "It can never"), ([3, 4], "They can never")])
def test_one_zero_row_is_spoken_of_as_one(zero, words):
    X = BALL.copy()
    X[zero] = 0
    assert any(f.rest.startswith(words) for f in findings(Dataset(X), facts_of(Dataset(X))))


@pytest.mark.parametrize(
    ("columns", "words"), [([2], "1 column holds"), ([0, 5], "2 columns hold")]
)
def test_constant_columns_are_noted(columns, words):
    X = BALL.copy()
    X[:, columns] = 3.25
    facts = facts_of(Dataset(X))
    assert facts.constant == len(columns)
    assert findings(Dataset(X), facts)[-1].found == f"{words} one value, of 6."


def test_a_softmax_layer_is_not_compared_with_cosine():
    layer = Dataset(BALL, logits=True)
    facts = facts_of(layer)
    assert facts.sampled == 0
    assert findings(layer, facts) == []


def test_stored_numbers_of_any_type_have_the_facts_of_float32():
    whole = RNG.integers(0, 200, (80, 5)).astype(np.uint8)
    kept, plain = (facts_of(Dataset(whole, keep_dtype=keep)) for keep in (True, False))
    assert str(kept) == str(plain)


def test_zero_rows_mean_something_else_by_each_metric():
    X = BALL.copy()
    X[[3, 4]] = 0
    raw = Dataset(X)
    facts = facts_of(raw)
    told = {m: [f for f in findings(raw, facts, m) if "all zero" in f.found] for m in MEASURES}
    assert told["inner product"][0].rest.startswith("They can never win")
    assert told["cosine"][0].rest == "Their cosine is undefined and counts as 0."
    assert told["euclidean"] == []
    assert all(map(remarked, searched_by(raw, "cosine").notes))


def test_rows_that_are_all_the_same():
    facts = facts_of(Dataset(np.ones((5, 3))))
    assert facts.distinct == 1
    found = findings(Dataset(np.ones((5, 3))), facts)
    assert [f.found for f in found] == ["4 rows repeat others.", "All norms are equal."]
    assert found[0].rest.startswith("1 is distinct, of 5.")


@pytest.mark.parametrize("collide", [False, True])
def test_repeats_are_counted_whether_or_not_hashes_collide(monkeypatch, collide):
    rng = np.random.default_rng(2)
    X = vectors("ties", rng, 500, 4)
    X[::7] *= np.float32(-0.0)
    if collide:
        monkeypatch.setattr(facts, "row_hashes", lambda rng, d: np.zeros(d, np.uint64))
    assert facts._repeats(X) == 500 - len({tuple(x) for x in X.tolist()})
