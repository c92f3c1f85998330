"""From what was measured to a Report: numbers are read off, nothing is searched."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from mips_core.base.errors import DataError, ParamError
from mips_core.base.params import params_of
from mips_core.data.dataset import Dataset
from mips_core.data.queries import QueryRecipe
from mips_core.evaluation.evaluate import Evaluation, folds_of, rows_of
from mips_core.evaluation.truth import Truth, rankable
from mips_core.report.beside import Beside
from mips_core.report.contents import Origin, Report
from mips_core.report.data_summary import summary_of
from mips_core.report.machine import machine
from mips_core.report.operating import Chosen, at_precision
from mips_core.report.points import Points
from mips_core.report.reproducing import commands
from mips_core.studies.data_profile.facts import Facts

TARGET = 0.95  # precision, where nobody says another
NOTHING_BESIDE, NOWHERE = Beside(), Origin()


def report_of(
    raw: Dataset,
    searched: Dataset,
    evaluations: Sequence[Evaluation],
    K: int,
    *,
    point: Chosen | None = None,
    beside: Beside = NOTHING_BESIDE,
    origin: Origin = NOWHERE,
    recipe: QueryRecipe | None = None,
    facts: Facts | None = None,
    title: str = "",
    note: str = "",
    made: datetime | None = None,
) -> Report:
    """A report on `evaluations`, one or more, of the queries of `searched`, all measured at K.

    raw: the same data with queries before the metric. point: the setting it recommends, one of
    those measured; default: the best at a precision of TARGET. recipe: how the queries were made,
    None for a file of queries. facts: of raw, where they are known already. Raises ParamError where
    nothing was measured, not at K, or not `point`; DataError where it was on other data.
    """
    truth = _checked(evaluations, searched)
    read = Points(evaluations, K)
    curves, targets = read.curves(), read.targets()
    chosen = read.operating(point or at_precision(evaluations, K, TARGET))
    asked = (K, read.settings[chosen.measured.setting], chosen.measured.effort)
    return Report(
        title=title.strip() or f"Maximum inner product search on {raw.name}",
        note=note.strip(),
        made=(made or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="minutes"),
        K=K,
        answers=truth.answers(K),
        **_folds(truth.m),
        data=summary_of(raw, searched, truth, origin, recipe, facts),
        settings=read.settings,
        **{"point": chosen, "curves": curves, "targets": targets, **beside.told(K)},
        machine=machine(),
        origin=origin,
        recipe=None if recipe is None else _plain(recipe),
        commands=commands(origin, recipe, searched, *asked),
    )


def _checked(evaluations: Sequence[Evaluation], searched: Dataset) -> Truth:
    """The true answers, which are of the queries of `searched`."""
    if not evaluations:
        raise ParamError("Nothing was measured.", "Measure one method or more.")
    truth = evaluations[0].truth
    asked = searched.queries[rankable(searched.queries)]
    if truth.n != searched.n or not np.array_equal(truth.queries, asked):
        raise DataError("These measurements are of other data.", "Measure the methods again.")
    return truth


def _folds(m: int) -> dict[str, Any]:
    """How many of m queries choose, how many score, and whether they are others."""
    choosing, scoring = folds_of(m)
    counts = (len(range(m)[rows_of(fold)]) for fold in (choosing, scoring))
    return dict(zip(("m_choosing", "m_scoring"), counts, strict=True)) | {
        "split": choosing != scoring
    }


def _plain(recipe: QueryRecipe) -> dict[str, Any]:
    return {name: getattr(recipe, name) for name in params_of(recipe)}
