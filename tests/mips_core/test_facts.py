"""What is said of a data set before it is searched."""

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.errors import Cancelled
from mips_core.facts import facts_of, findings, remarked
from mips_core.figures.norms import norm_histogram
from mips_core.readers.remarks import remarks

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
    shared = [len({*a} & {*b}) / 10 for a, b in zip(by_product, by_cosine, strict=True)]
    assert (facts.least, facts.median, facts.most) == pytest.approx(
        (norms.min(), np.median(norms), norms.max()), rel=1e-6
    )
    assert facts.row == norms.argmax()
    assert facts.sampled == 300
    assert facts.agreement == pytest.approx(np.mean(shared), abs=1e-3)
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


def test_zero_rows_and_repeats_are_counted_apart():
    X = BALL.copy()
    X[3:6] = 0
    X[10:14] = X[20]
    X[15] = -0.0
    facts = facts_of(Dataset(X))
    assert (facts.zero, facts.repeats) == (4, 4)


def test_readers_remarks_are_not_said_twice():
    X = scaled(BALL, 7, 500)
    X[3:6] = 0
    X[10:14] = X[20]
    labels = [f"item. {i} (row" for i in range(300)]
    plain, noted = Dataset(X, labels=labels), with_notes(X, labels)
    assert all(map(remarked, noted.notes))
    assert len(said(plain)) == len(said(noted)) == len(noted.notes) + 1
    for note, found in zip(noted.notes, findings(noted, facts_of(noted)), strict=False):
        assert f"{found.found} {found.rest}".strip() == note
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
        np.eye(2, 1, dtype=np.float32),
        np.array([[1, 0], [0, 2]], np.float32),
        np.array([[1e15, 0], [1e-30, 2]], np.float32),
        np.ones((5, 3), np.float32),
        np.vstack([np.zeros((9, 2)), np.ones((2, 2))]).astype(np.float32),
        np.array([[1, 0]] * 40 + [[1.0001, 0]], np.float32),
    ],
    ids=["n2 d1", "n2", "huge and tiny", "all the same", "mostly zero", "nearly equal"],
)
def test_small_and_odd_data(X):
    dataset = Dataset(X)
    facts = facts_of(dataset)
    findings(dataset, facts)
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
