"""What an index misses at one effort, and what that hangs together with; as rows and as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.base.params import plain_values
from mips_core.base.text import counted, percent
from mips_core.data.dataset import Dataset
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.groups.typed_queries.one_query import NEVER
from mips_core.methods.indexes import Index
from mips_core.studies.misses.contrasts import Contrast
from mips_core.studies.misses.efforts import MoreEffort
from mips_core.studies.misses.losses import NO_RANK, GroupLosses, QueryLosses
from mips_core.studies.misses.rates import Rates
from mips_core.studies.misses.reasons import Cause


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """The misses of `index`, built with `seed` on n items, at one effort.

    ids (m, K): the true answers of the m queries measured, best first; missed (m, K): which of
    them are no candidates; needed (m, K): the least effort from this one on that finds each, NEVER
    for none. `measure`: what people call the length of a vector, "norm" or a distance. The rates
    by the norm of the item, by how many queries it is an answer of, and by the norm of the query
    are None where those are all equal.
    """

    index: Index
    seed: int
    effort: int
    n: int
    ids: Ids
    missed: Mask
    needed: Ids
    measure: str
    queries: QueryLosses
    groups: GroupLosses
    more: MoreEffort
    cause: Cause
    by_norm: Rates | None
    by_popularity: Rates | None
    by_query_norm: Rates | None

    @property
    def m(self) -> int:
        """Number of queries."""
        return len(self.missed)

    @property
    def K(self) -> int:  # noqa: N802
        """Answers a query."""
        return self.missed.shape[1]

    @property
    def misses(self) -> int:
        """True answers missed, over all queries."""
        return int(self.missed.sum())

    @property
    def precision(self) -> float:
        """Share of the true answers that are found."""
        return float(mean_precision(self._histogram)[0])

    @property
    def interval(self) -> Floats:
        """(2,) 95% interval of the precision over queries."""
        return precision_interval(self._histogram)[0]

    @property
    def _histogram(self) -> Ids:
        return np.bincount(self.queries.found, minlength=self.K + 1)[None]

    def summary(self) -> str:
        """How much is missed, with its interval and the number of queries."""
        total = counted(self.missed.size, "true answer", "true answers")
        effort = counted(self.effort, *self.index.effort_nouns)
        over = counted(self.m, "query", "queries")
        low, high = self.interval
        if self.misses == 0:
            text = f"At {effort} nothing is missed of {total}"
        else:
            verb = "is" if self.misses == 1 else "are"
            text = f"At {effort} {self.misses:,} of {total} {verb} missed"
        sure = f"{percent(low)} to {percent(high)} over {over}"
        return f"{text}: precision {percent(self.precision)}, {sure}."

    def sentences(self) -> list[str]:
        """What is missed, by what: queries, groups, the cause, and the effort that would find it.

        None where nothing is missed.
        """
        if self.misses == 0:
            return []
        gathered = self.groups.in_words() if len(self.groups.sizes) > 1 else ""
        sentences = (
            *(self.queries.in_words(), gathered, self.cause.in_words()),
            *(self.cause.where_answers_are(), self.more.in_words()),
        )
        return [text for text in sentences if text]

    def in_words(self) -> str:
        """All that is known in sentences: how much, where, why, and what would find it."""
        return " ".join((self.summary(), *self.sentences()))


def query_rows(diagnosis: Diagnosis, dataset: Dataset) -> list[dict[str, Any]]:
    """A row for each query that misses anything, the worst first; None for what there is not."""
    queries, K = diagnosis.queries, diagnosis.K
    return [
        {
            "query": int(queries.numbers[i]),
            "label": _named(dataset.query_labels, queries.numbers[i]),
            "found": int(queries.found[i]),
            "answers": K,
            "precision": float(queries.found[i] / K),
            "no_candidates": bool(queries.empty[i]),
            "best_missed_rank": int(queries.place[i]) + 1,
            "best_missed_row": int(queries.item[i]),
            "best_missed_label": _named(dataset.labels, queries.item[i]),
            "best_missed_score": float(queries.score[i]),
            "effort_that_finds_all": _effort(queries.finds_all[i]),
        }
        for i in queries.worst
    ]


def group_rows(diagnosis: Diagnosis) -> list[dict[str, Any]]:
    """A row for each group that misses anything, the most first; None for what there is not."""
    groups = diagnosis.groups
    answers, misses = max(diagnosis.missed.size, 1), max(diagnosis.misses, 1)
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


def as_dict(diagnosis: Diagnosis, dataset: Dataset) -> dict[str, Any]:
    """All of it as plain values for JSON."""
    more, measure = diagnosis.more, diagnosis.measure.replace(" ", "_")
    return {
        "dataset": dataset.as_dict(),
        "index": {"key": diagnosis.index.key, **plain_values(diagnosis.index)},
        "seed": diagnosis.seed,
        "effort": diagnosis.effort,
        "effort_counts": diagnosis.index.effort_nouns[1],
        "queries_measured": diagnosis.m,
        "answers_a_query": diagnosis.K,
        "misses": diagnosis.misses,
        "precision": diagnosis.precision,
        "interval": [float(end) for end in diagnosis.interval],
        "in_words": diagnosis.in_words(),
        "queries_that_find_nothing": int((diagnosis.queries.found == 0).sum()),
        "queries_without_candidates": int(diagnosis.queries.empty.sum()),
        f"answers_in_tenth_of_largest_{measure}": diagnosis.cause.longest,
        "quarters": {
            "by_norm_of_item": _contrast(diagnosis.cause.by_norm),
            "by_nearness_to_boundary": _contrast(diagnosis.cause.by_nearness),
        },
        f"by_{measure}_of_item": rate_rows(diagnosis.by_norm),
        "by_queries_that_have_it_as_an_answer": rate_rows(diagnosis.by_popularity),
        f"by_{measure}_of_query": rate_rows(diagnosis.by_query_norm),
        "more_effort": [
            {
                "effort": int(effort),
                "found_of_misses": int(more.found[i]),
                "lost": int(more.lost[i]),
            }
            for i, effort in enumerate(more.efforts)
        ],
        "misses_no_effort_finds": more.never,
        "groups": group_rows(diagnosis),
        "queries": query_rows(diagnosis, dataset),
    }


def _contrast(contrast: Contrast | None) -> dict[str, Any] | None:
    if contrast is None:
        return None
    ends = None if contrast.interval is None else list(contrast.interval)
    return {
        "found_of_lowest_quarter": contrast.lowest,
        "found_of_highest_quarter": contrast.highest,
        "interval_of_difference": ends,
    }


def _named(labels: Sequence[str] | None, row: int) -> str | None:
    return None if labels is None else labels[int(row)]


def _effort(effort: int) -> int | None:
    return None if effort == NEVER else int(effort)
