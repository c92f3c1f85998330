"""A diagnosis against brute force from candidates alone, for every index; and what it says."""

import json
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from mips_core.base.errors import DataError, ParamError
from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import searched_by
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.groups.clusters import describe
from mips_core.methods.indexes import INDEXES
from mips_core.studies.misses.diagnosis import (
    as_dict,
    diagnose,
    examine,
    group_rows,
    query_rows,
    rate_rows,
)
from tests import oracle

K = 5


def data(n=120, m=17, exclude=False, **known):
    rng = np.random.default_rng(8)
    X, Q = rng.normal(size=(n, 4)) * rng.lognormal(0, 0.4, (n, 1)), rng.normal(size=(m, 4))
    X[20:24] = X[7]
    rows = np.arange(m) * 3 - 1 if exclude else None
    return Dataset(X, X[rows] if exclude else Q, query_rows=rows, name="some data", **known)


@cache
def measured(key, exclude=False, K=K):
    dataset, index = data(exclude=exclude), INDEXES[key]()
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    return dataset, searcher, evaluate(index, searcher, truth_of(dataset), 0, K=K)


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
        found = searcher.candidates(dataset.queries, effort, asked)
        rows = np.split(found.ids, found.starts[1:-1])
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
        found = examined.at(effort)
        later = [e for e in listed if e > effort]
        lost = {(i, j) for i, row in enumerate(true) for j in row if j not in listed[effort][i]}
        kept = {(i, j) for i, row in enumerate(true) for j in row} - lost
        needed = {(i, j): next((e for e in later if j in listed[e][i]), None) for i, j in lost}
        assert {(i, true[i][r]) for i, r in np.argwhere(found.missed)} == lost
        assert found.more.never == sum(e is None for e in needed.values())
        for at, e in enumerate(later):
            assert found.more.found[at] == sum(j in listed[e][i] for i, j in lost)
            assert found.more.lost[at] == sum(j not in listed[e][i] for i, j in kept)
        by_group = {row["number"]: row for row in group_rows(found)}
        assert set(by_group) == {of[j] for _, j in lost}
        for g, row in by_group.items():
            inside = [needed[i, j] for i, j in lost if of[j] == g]
            assert row["misses"] == len(inside)
            assert row["answers"] == sum(of[j] == g for line in true for j in line)
            assert row["effort_that_finds_half"] == half(inside)
        assert_queries(found, dataset, true, listed, effort)
        assert_classes(found, dataset, true, lost)


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


def test_ranks_are_those_of_the_clusters_by_their_scores():
    for key in ("flat-kmeans", "hierarchical-kmeans"):
        dataset, searcher, evaluation = measured(key)
        examined = examine(evaluation, searcher, dataset, K)
        reduction = evaluation.index.reduction
        lifted = reduction.fit(dataset.items).queries(dataset.queries).astype(float)
        scores = lifted @ examined.level.centroid_rows.T.astype(float)
        for i, row in enumerate(examined.asked.ids):
            order = np.argsort(-scores[i], kind="stable").tolist()
            assert examined.ranks[i].tolist() == [
                order.index(examined.level.of[j]) + 1 for j in row
            ]
    dataset, searcher, evaluation = measured("flat-kmeans")
    found = diagnose(evaluation, searcher, dataset, K, 2)
    some = found.groups.most_misses
    assert found.groups.median_rank[some].tolist() == found.groups.half_effort[some].tolist()
    for key in ("ip-tree", "srp-hash"):
        assert examine(*measured(key)[:0:-1], measured(key)[0], K).ranks is None


def test_misses_at_boundaries_are_told_from_misses_of_long_items():
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(3000, 8)), rng.normal(size=(300, 8))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    found = of_flat(Dataset(X, Q), 4)
    assert found.by_norm is found.cause.by_norm is None
    assert found.cause.by_nearness.interval[1] < -0.1
    words = found.cause.in_words()
    assert words.startswith("Misses gather at boundaries between clusters: ")
    assert "norm" not in words
    low, high = (f"{100 * -end:.1f}" for end in found.cause.by_nearness.interval[::-1])
    assert words.endswith(f"95% interval {low} to {high}).")


def of_flat(dataset, effort, K=K, **known):
    index = INDEXES["flat-kmeans"](**known)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    return diagnose(evaluation, searcher, dataset, K, effort)


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


def test_nothing_missed_is_one_sentence():
    dataset, searcher, evaluation = measured("exact")
    found = diagnose(evaluation, searcher, dataset, K, 1)
    assert found.in_words().startswith("At 1 scan nothing is missed of 85 true answers: precision ")
    assert found.in_words().endswith("100.0% over 17 queries.")
    assert (found.misses, found.precision, found.more.never) == (0, 1.0, 0)
    assert found.cause.in_words() == found.more.in_words() == ""
    assert query_rows(found, dataset) == group_rows(found) == []
    assert found.queries.in_words() == "Every query finds all of its true answers."


def test_everything_missed_is_told_without_a_cause():
    """All queries point away from the only items that are long enough to be looked at."""
    X = np.array([[-9.0, 0], [-8, 0], [1, 0.1], [1, 0.2], [1, 0.3]])
    dataset, index = Dataset(X, np.array([[1.0, 0], [2, 0.1]])), INDEXES["largest-norm"]()
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    found = diagnose(evaluation, searcher, dataset, 2, 2)
    assert found.precision == 0
    assert found.cause.in_words() == ""
    assert found.queries.in_words() == "All 2 queries miss something; 2 find nothing at all."
    assert not found.queries.empty.any()
    assert found.more.in_words() == "Twice as many items, 4, would find 75.0% of what is missed."
    assert found.queries.finds_all.tolist() == [5, 4]


def test_queries_without_a_candidate_are_counted_and_never_finding_is_said():
    dataset, searcher, evaluation = measured("srp-hash")
    found = diagnose(evaluation, searcher, dataset, K, 1)
    lists = searcher.candidates(dataset.queries, 1, K)
    assert found.queries.empty.tolist() == (np.diff(lists.starts) == 0).tolist()
    assert found.queries.empty.any()
    last = diagnose(evaluation, searcher, dataset, K, int(evaluation.efforts[-1]))
    assert last.more.never == last.misses > 0
    assert last.more.in_words() == "There is no larger effort."
    assert {row["effort_that_finds_all"] for row in query_rows(last, dataset)} == {None}
    said = [diagnose(evaluation, searcher, dataset, K, 2).more.in_words(), found.more.in_words()]
    assert all(text.startswith("Twice as many tables, ") for text in said)
    assert all(" of it is found by no larger effort." in text for text in said)
    none = replace(last.more, efforts=np.array([99]), found=np.array([0]), lost=np.array([0]))
    assert none.in_words() == "No larger effort finds any of what is missed."
    every = replace(none, found=np.array([last.misses]), never=0)
    assert every.in_words() == "99 tables would find all of what is missed."


def test_one_query_and_one_item_are_enough():
    one = of_flat(Dataset(np.array([[1.0, 2]]), np.array([[1.0, 0]])), 1, K=10)
    assert one.in_words().startswith("At 1 probe nothing is missed of 1 true answer: precision 100")
    assert one.in_words().endswith("over 1 query.")
    dataset = data(m=1)
    alone = of_flat(dataset, 1, K=20)
    assert alone.by_query_norm is None
    text = alone.in_words()
    assert "The query misses something; it finds something." in text
    assert json.loads(json.dumps(as_dict(alone, dataset)))["queries_measured"] == 1


def test_more_answers_than_items_are_all_there_are():
    found = of_flat(data(n=30), 2, K=100)
    assert found.K == 30
    assert found.missed.shape == (17, 30)
    assert [row["class"] for row in rate_rows(found.by_popularity)] == ["11–30"]


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_lengths_are_those_people_know(metric):
    raw = data(n=200, m=30)
    items = np.vstack([raw.items, np.zeros((1, 4))])
    dataset = searched_by(Dataset(items, raw.queries), metric)
    found = of_flat(dataset, 2)
    if metric == "cosine":
        assert found.by_query_norm is None
        assert len(found.by_norm.names) <= 2  # the zero item and the others
        assert found.cause.by_norm is None
    else:
        assert found.measure == "distance from the centre"
        assert found.cause.by_norm is not None
        rows = query_rows(found, dataset)
        far = [np.linalg.norm(items[r["best_missed_row"]] - raw.queries[r["query"]]) for r in rows]
        assert [row["best_missed_score"] for row in rows] == pytest.approx(far, abs=1e-4)


def test_a_softmax_layer_is_told_in_logits():
    raw, rng = data(), np.random.default_rng(3)
    items = np.hstack([raw.items, rng.normal(size=(raw.n, 1))])
    layer = Dataset(items, np.hstack([raw.queries, np.ones((raw.m, 1))]), logits=True)
    found = of_flat(layer, 1)
    for row in query_rows(found, layer):
        logit = float(layer.items[row["best_missed_row"]] @ layer.queries[row["query"]])
        assert row["best_missed_score"] == pytest.approx(logit, rel=1e-5)
    assert found.measure == "norm"
    assert found.by_norm.answers.sum() == found.missed.size


def test_zero_queries_keep_the_numbers_of_the_others():
    raw = data()
    queries = raw.queries.copy()
    queries[[0, 5]] = 0
    names = [f"<b>query {i}</b>" for i in range(17)]
    dataset = Dataset(raw.items, queries, query_labels=names, labels=["<i>"] * raw.n)
    found = of_flat(dataset, 1)
    rows = query_rows(found, dataset)
    assert found.m == 15
    assert {0, 5}.isdisjoint(row["query"] for row in rows)
    for row in rows:
        assert row["label"] == names[row["query"]]
        assert row["best_missed_label"] == "<i>"
        score = float(raw.items[row["best_missed_row"]] @ queries[row["query"]])
        assert row["best_missed_score"] == pytest.approx(score, rel=1e-5)


def test_coarser_groups_may_be_asked_for():
    dataset, searcher, evaluation = measured("hierarchical-kmeans")
    coarse, fine = describe(searcher, evaluation.index, dataset)
    found = diagnose(evaluation, searcher, dataset, K, 1, coarse)
    assert found.groups.label == coarse.label
    assert not found.groups.ranked
    assert found.cause.by_nearness is None
    assert found.groups.misses.sum() == found.misses
    parents = np.bincount(
        fine.parents, diagnose(evaluation, searcher, dataset, K, 1).groups.misses, len(coarse.sizes)
    )
    assert found.groups.misses.tolist() == parents.tolist()


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
