"""What is said of a data set before it is searched."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.data.metrics import MEASURES, searched_by
from mips_core.figures.data_profile import norm_histogram
from mips_core.studies.data_profile.facts import facts_of
from mips_core.studies.data_profile.findings import findings, remarked
from tests.mips_core.studies.data_profile.profile_cases import BALL, UNIT, said, scaled, with_notes


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


def test_repeats_among_ratings_are_no_fault():
    X = BALL[:40].copy()
    X[5:9] = X[4]
    named = Dataset(X, X[:2], query_labels=["u", "v"])
    for dataset, serious in ((Dataset(X, X[:2]), True), (named, False)):
        told = [f for f in findings(dataset, facts_of(dataset)) if "repeat" in f.found]
        assert [f.serious for f in told] == [serious]
        assert ("the same users rated alike" in told[0].rest) != serious


def test_the_longest_rows_are_named_in_their_order():
    facts = facts_of(Dataset(BALL[:40] * np.arange(1, 41, dtype=np.float32)[:, None]))
    norms = np.linalg.norm(BALL[:40] * np.arange(1, 41)[:, None], axis=1)
    assert [row for row, _ in facts.longest] == np.argsort(-norms)[:5].tolist()
    assert facts.row == norms.argmax()
