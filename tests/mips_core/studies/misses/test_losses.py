"""Losses by group and by query: ranks by their scores, numbers of queries, coarser groups."""

import numpy as np
import pytest

from mips_core.data.dataset import Dataset
from mips_core.groups.clusters import describe
from mips_core.studies.misses import diagnose, examine, query_rows
from tests.mips_core.studies.misses.diagnosis_cases import K, data, measured, of_flat


def test_ranks_are_those_of_the_clusters_by_their_scores():
    for key in ("flat-kmeans", "hierarchical-kmeans"):
        dataset, searcher, evaluation = measured(key)
        examined = examine(evaluation, searcher, dataset, K)
        reduction = evaluation.index.reduction
        lifted = reduction.fit(dataset.items).queries(dataset.queries).astype(float)
        scores = lifted @ examined.level.centroid_rows.T.astype(float)
        for i, row in enumerate(examined.measured.ids):
            order = np.argsort(-scores[i], kind="stable").tolist()
            assert examined.ranks[i].tolist() == [
                order.index(examined.level.of[j]) + 1 for j in row
            ]
    dataset, searcher, evaluation = measured("flat-kmeans")
    diagnosis = diagnose(evaluation, searcher, dataset, K, 2)
    some = diagnosis.groups.most_misses
    assert (
        diagnosis.groups.median_rank[some].tolist() == diagnosis.groups.half_effort[some].tolist()
    )
    for key in ("ip-tree", "srp-hash"):
        assert examine(*measured(key)[:0:-1], measured(key)[0], K).ranks is None


def test_zero_queries_keep_the_numbers_of_the_others():
    raw = data()
    queries = raw.queries.copy()
    queries[[0, 5]] = 0
    names = [f"<b>query {i}</b>" for i in range(17)]
    dataset = Dataset(raw.items, queries, query_labels=names, labels=["<i>"] * raw.n)
    diagnosis = of_flat(dataset, 1)
    rows = query_rows(diagnosis, dataset)
    assert diagnosis.m == 15
    assert {0, 5}.isdisjoint(row["query"] for row in rows)
    for row in rows:
        assert row["label"] == names[row["query"]]
        assert row["best_missed_label"] == "<i>"
        score = float(raw.items[row["best_missed_row"]] @ queries[row["query"]])
        assert row["best_missed_score"] == pytest.approx(score, rel=1e-5)


def test_coarser_groups_may_be_asked_for():
    dataset, searcher, evaluation = measured("hierarchical-kmeans")
    coarse, fine = describe(searcher, evaluation.index, dataset)
    diagnosis = diagnose(evaluation, searcher, dataset, K, 1, coarse)
    assert diagnosis.groups.label == coarse.label
    assert not diagnosis.groups.ranked
    assert diagnosis.cause.by_nearness is None
    assert diagnosis.groups.misses.sum() == diagnosis.misses
    parents = np.bincount(
        fine.parents, diagnose(evaluation, searcher, dataset, K, 1).groups.misses, len(coarse.sizes)
    )
    assert diagnosis.groups.misses.tolist() == parents.tolist()
