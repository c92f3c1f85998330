"""What is missed at an effort, and what more effort says it would find."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES, DataError, Dataset, ParamError, evaluate, rng_for, truth_of
from mips_core.studies.misses import answer_counts, diagnose, health, query_rows, times_missed
from tests.mips_core.studies.misses.diagnosis_cases import measured
from tests.mips_core.studies.misses.level_cases import K, built, data


def test_what_was_not_measured_is_refused():
    dataset = data()
    flat, ball = INDEXES["flat-kmeans"](), INDEXES["ip-tree"]()
    searcher, (level,) = built(flat, dataset)
    truth = truth_of(dataset)
    evaluation = evaluate(flat, searcher, truth, 0)
    with pytest.raises(ParamError, match=r"Effort 99 was not measured.*Efforts go from 1 to 14"):
        times_missed(evaluation, K, 99)
    with pytest.raises(ParamError, match="K is 0, outside 1 to 100"):
        times_missed(evaluation, 0, 1)
    with pytest.raises(ParamError, match="K is 101, outside 1 to 100"):
        answer_counts(truth, 101)
    with pytest.raises(ParamError, match="Effort 99 is not offered"):
        health(searcher, flat, dataset, truth, K, 99, level)
    alone = evaluate(ball, built(ball, dataset)[0], truth, 0, K=K)
    with pytest.raises(ParamError, match="measured at K = 5 alone, not 4"):
        times_missed(alone, 4, 1)
    other = data(n=50)
    with pytest.raises(DataError, match=r"Flat k-means was built on 200 items, .* has 50"):
        health(searcher, flat, other, truth_of(other), K, 1, level)


def test_everything_missed_is_told_without_a_cause():
    """All queries point away from the only items that are long enough to be looked at."""
    X = np.array([[-9.0, 0], [-8, 0], [1, 0.1], [1, 0.2], [1, 0.3]])
    dataset, index = Dataset(X, np.array([[1.0, 0], [2, 0.1]])), INDEXES["largest-norm"]()
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    diagnosis = diagnose(evaluation, searcher, dataset, 2, 2)
    assert diagnosis.precision == 0
    assert diagnosis.cause.in_words() == ""
    assert diagnosis.queries.in_words() == "All 2 queries miss something; 2 find nothing at all."
    assert not diagnosis.queries.empty.any()
    assert (
        diagnosis.more.in_words() == "Twice as many items, 4, would find 75.0% of what is missed."
    )
    assert diagnosis.queries.finds_all.tolist() == [5, 4]


def test_queries_without_a_candidate_are_counted_and_never_finding_is_said():
    dataset, searcher, evaluation = measured("srp-hash")
    diagnosis = diagnose(evaluation, searcher, dataset, K, 1)
    lists = searcher.candidates(dataset.queries, 1, K)
    assert diagnosis.queries.empty.tolist() == (np.diff(lists.starts) == 0).tolist()
    assert diagnosis.queries.empty.any()
    last = diagnose(evaluation, searcher, dataset, K, int(evaluation.efforts[-1]))
    assert last.more.never == last.misses > 0
    assert last.more.in_words() == "There is no larger effort."
    assert {row["effort_that_finds_all"] for row in query_rows(last, dataset)} == {None}
    said = [
        diagnose(evaluation, searcher, dataset, K, 2).more.in_words(),
        diagnosis.more.in_words(),
    ]
    assert all(text.startswith("Twice as many tables, ") for text in said)
    assert all(" of it is found by no larger effort." in text for text in said)
    none = replace(last.more, efforts=np.array([99]), found=np.array([0]), lost=np.array([0]))
    assert none.in_words() == "No larger effort finds any of what is missed."
    every = replace(none, found=np.array([last.misses]), never=0)
    assert every.in_words() == "99 tables would find all of what is missed."


def test_answers_are_counted_over_queries():
    truth = truth_of(data())
    counts = answer_counts(truth, K)
    best = truth.ids[:, :K].ravel().tolist()
    assert counts.tolist() == [best.count(item) for item in range(truth.n)]
