"""A diagnosis as rows and as plain values, for tables, CSV and JSON; labels as they are."""

from collections.abc import Sequence
from typing import Any

from mips_core.base.params import plain_values
from mips_core.data.dataset import Dataset
from mips_core.evaluation.one_query import NEVER
from mips_core.studies.misses.diagnosis.causes import Contrast
from mips_core.studies.misses.diagnosis.diagnosis import Diagnosis
from mips_core.studies.misses.diagnosis.group_losses import NO_RANK
from mips_core.studies.misses.diagnosis.rates import Rates


def query_rows(found: Diagnosis, dataset: Dataset) -> list[dict[str, Any]]:
    """A row for each query that misses anything, the worst first; None for what there is not."""
    queries, K = found.queries, found.K
    return [
        {
            "query": int(queries.numbers[i]),
            "label": _label(dataset.query_labels, queries.numbers[i]),
            "found": int(queries.found[i]),
            "answers": K,
            "precision": float(queries.found[i] / K),
            "no_candidates": bool(queries.empty[i]),
            "best_missed_rank": int(queries.place[i]) + 1,
            "best_missed_row": int(queries.item[i]),
            "best_missed_label": _label(dataset.labels, queries.item[i]),
            "best_missed_score": float(queries.score[i]),
            "effort_that_finds_all": _effort(queries.finds_all[i]),
        }
        for i in queries.worst
    ]


def group_rows(found: Diagnosis) -> list[dict[str, Any]]:
    """A row for each group that misses anything, the most first; None for what there is not."""
    groups = found.groups
    answers, misses = max(found.missed.size, 1), max(found.misses, 1)
    return [
        {
            groups.nouns[0]: groups.names[int(g)],
            "number": int(g),
            "items": int(groups.sizes[g]),
            "answers": int(groups.answers[g]),
            "share_of_answers": float(groups.answers[g] / answers),
            "misses": int(groups.misses[g]),
            "share_of_misses": float(groups.misses[g] / misses),
            "hit_rate": float(1 - groups.misses[g] / groups.answers[g]),
            "median_rank": None if groups.median_rank[g] == NO_RANK else int(groups.median_rank[g]),
            "effort_that_finds_half": _effort(groups.half_effort[g]),
        }
        for g in groups.most_misses
    ]


def rate_rows(rates: Rates | None) -> list[dict[str, Any]]:
    """A row for each class that holds answers; none where there are no classes."""
    if rates is None:
        return []
    return [
        {
            "class": rates.names[int(g)],
            "tenths_of": rates.parted or None,
            "rate": float(rates.rate[g]),
            "low_95": float(rates.interval[g, 0]),
            "high_95": float(rates.interval[g, 1]),
            "answers": int(rates.answers[g]),
            "found": int(rates.found[g]),
            "queries": int(rates.queries[g]),
        }
        for g in rates.answers.nonzero()[0]
    ]


def as_dict(found: Diagnosis, dataset: Dataset) -> dict[str, Any]:
    """All of it as plain values for JSON."""
    more = found.more
    return {
        "dataset": dataset.as_dict(),
        "index": {"key": found.index.key, **plain_values(found.index)},
        "seed": found.seed,
        "effort": found.effort,
        "effort_counts": found.index.effort_nouns[1],
        "queries_measured": found.m,
        "answers_a_query": found.K,
        "misses": found.misses,
        "precision": found.precision,
        "interval": [float(end) for end in found.interval],
        "in_words": found.in_words(),
        "queries_that_find_nothing": int((found.queries.found == 0).sum()),
        "queries_without_candidates": int(found.queries.empty.sum()),
        f"answers_in_tenth_of_largest_{found.measure}".replace(" ", "_"): found.cause.longest,
        "quarters": {
            "by_norm_of_item": _contrast(found.cause.by_norm),
            "by_nearness_to_boundary": _contrast(found.cause.by_nearness),
        },
        f"by_{found.measure}_of_item".replace(" ", "_"): rate_rows(found.by_norm),
        "by_queries_that_have_it_as_an_answer": rate_rows(found.by_popularity),
        f"by_{found.measure}_of_query".replace(" ", "_"): rate_rows(found.by_query_norm),
        "more_effort": [
            {
                "effort": int(effort),
                "found_of_misses": int(more.found[i]),
                "lost": int(more.lost[i]),
            }
            for i, effort in enumerate(more.efforts)
        ],
        "misses_no_effort_finds": more.never,
        "groups": group_rows(found),
        "queries": query_rows(found, dataset),
    }


def _contrast(told: Contrast | None) -> dict[str, Any] | None:
    if told is None:
        return None
    ends = None if told.interval is None else list(told.interval)
    return {
        "found_of_lowest_quarter": told.lowest,
        "found_of_highest_quarter": told.highest,
        "interval_of_difference": ends,
    }


def _label(labels: Sequence[str] | None, row: int) -> str | None:
    return None if labels is None else labels[int(row)]


def _effort(effort: int) -> int | None:
    return None if effort == NEVER else int(effort)
