"""An evaluation, made ready for any effort: a diagnosis is what candidates say; what is refused."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mips_core.base.errors import DataError, ParamError
from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import INDEXES
from mips_core.studies.misses import diagnose, examine, group_rows, query_rows
from mips_core.studies.misses.diagnosis import rate_rows
from tests import oracle
from tests.mips_core.studies.misses.diagnosis_cases import K, data, measured, of_flat


def two_efforts(searcher):
    efforts = list(searcher.efforts())
    return sorted({efforts[min(1, len(efforts) - 1)], efforts[len(efforts) // 2]})


def half(values):
    """What half of the values do not exceed; None is above all."""
    ordered = sorted(math.inf if value is None else value for value in values)
    middle = ordered[(len(ordered) - 1) // 2]
    return None if middle == math.inf else middle


def listings(searcher, dataset):
    """For each effort the set of candidates of each query, its own row left out."""
    own = dataset.query_rows if dataset.query_rows is not None else [-1] * dataset.m
    asked = K + (dataset.query_rows is not None)
    for effort in searcher.efforts():
        candidates = searcher.candidates(dataset.queries, effort, asked)
        rows = np.split(candidates.ids, candidates.starts[1:-1])
        yield effort, [set(row.tolist()) - {int(o)} for row, o in zip(rows, own, strict=True)]


@pytest.mark.parametrize("key", INDEXES)
def test_it_is_what_the_candidates_say(key):
    dataset, searcher, evaluation = measured(key, exclude=True)
    own = dataset.query_rows
    true = [
        [int(j) for j in oracle.ranking(dataset.items, q) if j != own[i]][:K]
        for i, q in enumerate(dataset.queries)
    ]
    listed = dict(listings(searcher, dataset))
    examined = examine(evaluation, searcher, dataset, K)
    of = examined.level.of
    for effort in two_efforts(searcher):
        diagnosis = examined.at(effort)
        later = [e for e in listed if e > effort]
        lost = {(i, j) for i, row in enumerate(true) for j in row if j not in listed[effort][i]}
        kept = {(i, j) for i, row in enumerate(true) for j in row} - lost
        needed = {(i, j): next((e for e in later if j in listed[e][i]), None) for i, j in lost}
        assert {(i, true[i][r]) for i, r in np.argwhere(diagnosis.missed)} == lost
        assert diagnosis.more.never == sum(e is None for e in needed.values())
        for at, e in enumerate(later):
            assert diagnosis.more.found[at] == sum(j in listed[e][i] for i, j in lost)
            assert diagnosis.more.lost[at] == sum(j not in listed[e][i] for i, j in kept)
        by_group = {row["number"]: row for row in group_rows(diagnosis)}
        assert set(by_group) == {of[j] for _, j in lost}
        for g, row in by_group.items():
            inside = [needed[i, j] for i, j in lost if of[j] == g]
            assert row["misses"] == len(inside)
            assert row["answers"] == sum(of[j] == g for line in true for j in line)
            assert row["effort_that_finds_half"] == half(inside)
        assert_queries(diagnosis, dataset, true, listed, effort)
        assert_classes(diagnosis, dataset, true, lost)


def assert_queries(found, dataset, true, listed, effort):
    expected = []
    for i, row in enumerate(true):
        hits = [j in listed[effort][i] for j in row]
        all_at = next((e for e in listed if e >= effort and set(row) <= listed[e][i]), None)
        if not all(hits):
            place = hits.index(False)
            expected.append((sum(hits), place, i, row[place], all_at, not listed[effort][i]))
    rows = query_rows(found, dataset)
    told = [
        (row["found"], row["best_missed_rank"] - 1, row["query"], row["best_missed_row"],
         row["effort_that_finds_all"], row["no_candidates"])
        for row in rows
    ]  # fmt: skip
    assert told == sorted(expected, key=lambda query: query[:3])
    for row in rows:
        score = float(dataset.items[row["best_missed_row"]] @ dataset.queries[row["query"]])
        assert row["best_missed_score"] == pytest.approx(score, rel=1e-5)
        assert row["precision"] == row["found"] / K


def assert_classes(found, dataset, true, lost):
    norms = np.linalg.norm(dataset.items.astype(float), axis=1)
    lengths = np.linalg.norm(dataset.queries.astype(float), axis=1)
    pairs = [(i, j) for i, row in enumerate(true) for j in row]
    counts = {j: sum(j in row for row in true) for _, j in pairs}
    assert found.by_norm.answers.sum() == len(pairs)
    longest = norms >= np.sort(norms)[-dataset.n // 10 :][0]
    inside = [longest[j] for _, j in pairs]
    assert found.cause.longest == pytest.approx(np.mean(inside), abs=0.03)
    if found.by_norm.parted == "items":  # a quantile may be taken one item higher or lower
        assert found.by_norm.answers[-1] == pytest.approx(sum(inside), abs=3)
    else:
        assert found.cause.longest > 0.45
    top = {"1": (1, 1), "2–3": (2, 3), "4–10": (4, 10), "11–30": (11, 30)}
    for row in rate_rows(found.by_popularity):
        low, high = top[row["class"]]
        inside = [(i, j) for i, j in pairs if low <= counts[j] <= high]
        hits = len(inside) - len(lost.intersection(inside))
        assert (row["answers"], row["found"]) == (len(inside), hits)
        assert row["queries"] == len({i for i, _ in inside})
        assert row["low_95"] <= row["rate"] == hits / len(inside) <= row["high_95"]
    last = rate_rows(found.by_query_norm)[-1]
    assert last["found"] <= last["answers"] == last["queries"] * K
    assert float(last["class"].split()[-1]) == pytest.approx(lengths.max(), rel=0.01)


def test_misses_at_boundaries_are_told_from_misses_of_long_items():
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(3000, 8)), rng.normal(size=(300, 8))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    diagnosis = of_flat(Dataset(X, Q), 4)
    assert diagnosis.by_norm is diagnosis.cause.by_norm is None
    assert diagnosis.cause.by_nearness.interval[1] < -0.1
    words = diagnosis.cause.in_words()
    assert words.startswith("Misses gather at boundaries between clusters: ")
    assert "norm" not in words
    low, high = (f"{100 * -end:.1f}" for end in diagnosis.cause.by_nearness.interval[::-1])
    assert words.endswith(f"95% interval {low} to {high}).")


def test_misses_of_short_items_are_told():
    """The longest items alone are candidates: what is missed is short, wherever it lies."""
    rng = np.random.default_rng(1)
    X, Q = rng.normal(size=(600, 3)), rng.normal(size=(200, 3))
    dataset, index = Dataset(X * rng.uniform(1, 1.3, (600, 1)), Q), INDEXES["largest-norm"]()
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    effort = max(e for e in searcher.efforts() if e <= 120)
    words = diagnose(evaluation, searcher, dataset, 20, effort).cause.in_words()
    assert words.startswith(
        "Misses gather in items of small norm: 100.0% are found of the quarter "
    )
    assert "boundar" not in words


def test_what_does_not_fit_is_refused():
    dataset, searcher, evaluation = measured("flat-kmeans")
    with pytest.raises(ParamError, match="Effort 99 was not measured"):
        diagnose(evaluation, searcher, dataset, K, 99)
    with pytest.raises(ParamError, match="K is 0, outside 1 to 100"):
        diagnose(evaluation, searcher, dataset, 0, 1)
    with pytest.raises(DataError, match=r"on 120 items and 17 queries, some data has 50 items"):
        diagnose(evaluation, searcher, data(n=50), K, 1)
    with pytest.raises(DataError, match="on other queries, some data has the same number"):
        diagnose(evaluation, searcher, replace(dataset, queries=dataset.queries[::-1]), K, 1)
    dataset, searcher, evaluation = measured("ip-tree")
    with pytest.raises(ParamError, match="measured at K = 5 alone, not 4"):
        diagnose(evaluation, searcher, dataset, 4, 1)
