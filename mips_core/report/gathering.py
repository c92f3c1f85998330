"""From what was measured to a Report: numbers are read off, nothing is searched."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

from mips_core.base.errors import DataError, ParamError
from mips_core.base.params import params_of
from mips_core.base.text import MADE_BY, counted
from mips_core.base.threads import n_threads
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import measure_of
from mips_core.data.queries import QueryRecipe
from mips_core.data.rankable import queries_evaluated, repeats_in_words
from mips_core.evaluation.evaluate import Evaluation, folds_of, rows_of
from mips_core.evaluation.truth import Truth
from mips_core.report.command_lines import commands
from mips_core.report.contents import DataSummary, Machine, Origin, Report
from mips_core.report.points import PointReader
from mips_core.report.recommendation import Recommendation, at_precision
from mips_core.report.studies import Studies, comparison_of, noise_result
from mips_core.studies.data_profile.facts import Facts, facts_of
from mips_core.studies.data_profile.findings import findings, remarked

TARGET = 0.95  # precision, where nobody says another
NO_STUDIES, NOWHERE = Studies(), Origin()
LIBRARIES = ("numpy", "numba", "scipy")


def report_of(
    raw: Dataset,
    searched: Dataset,
    evaluations: Sequence[Evaluation],
    K: int,
    *,
    point: Recommendation | None = None,
    studies: Studies = NO_STUDIES,
    origin: Origin = NOWHERE,
    recipe: QueryRecipe | None = None,
    facts: Facts | None = None,
    title: str = "",
    note: str = "",
    sampled: str = "",
    made: datetime | None = None,
) -> Report:
    """A report on `evaluations`, one or more, of the queries of `searched`, all measured at K.

    raw: the same data with queries before the metric. point: the setting it recommends, one of
    those measured; default: the best at a precision of TARGET. recipe: how the queries were made,
    None for a file of queries. facts: of raw, where they are known already. sampled: which settings
    samples let be measured, in sentences, where that is not all. Raises ParamError where nothing
    was measured, not at K, or not `point`; DataError where it was on other data.
    """
    truth = _checked(evaluations, searched)
    reader = PointReader(evaluations, K)
    curves, targets = reader.curves(), reader.targets()
    operating = reader.operating(point or at_precision(evaluations, K, TARGET))
    at, folds = operating.measured, folds_of(truth.m)
    m_choosing, m_scoring = (len(range(truth.m)[rows_of(fold)]) for fold in folds)
    return Report(
        title=title.strip() or f"Maximum inner product search on {raw.name}", note=note.strip(),
        made=(made or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="minutes"),
        K=K, answers=truth.answers(K),
        m_choosing=m_choosing, m_scoring=m_scoring, split=folds[0] != folds[1],
        data=summary_of(raw, searched, truth, origin, recipe, facts or facts_of(raw)),
        settings=reader.settings, point=operating, curves=curves, targets=targets,
        noise=None if studies.noise is None else noise_result(studies.noise, K),
        comparison=None if studies.compared is None else comparison_of(*studies.compared),
        misses=tuple(studies.misses),
        machine=machine(), origin=origin,
        recipe={name: getattr(recipe, name) for name in params_of(recipe)} if recipe else None,
        commands=commands(origin, recipe, searched, K, reader.settings[at.setting], at.effort),
        sampled=sampled,
    )  # fmt: skip


def _checked(evaluations: Sequence[Evaluation], searched: Dataset) -> Truth:
    """The true answers, which are of the queries of `searched`."""
    if not evaluations:
        raise ParamError("Nothing was measured.", "Measure one method or more.")
    truth = evaluations[0].truth
    queries = searched.queries[queries_evaluated(searched.queries)]
    if truth.n != searched.n or not np.array_equal(truth.queries, queries):
        raise DataError("These measurements are of other data.", "Measure the methods again.")
    return truth


def summary_of(
    raw: Dataset,
    searched: Dataset,
    truth: Truth,
    origin: Origin,
    recipe: QueryRecipe | None,
    facts: Facts,
) -> DataSummary:
    """Of `raw`, as it was read, and the queries that `searched` asks."""
    source = CATALOG.get(origin.shipped)
    return DataSummary(
        name=raw.name,
        origin=", ".join(origin.files) if source is None else source.origin,
        licence="" if source is None else source.licence,
        n=raw.n,
        d=raw.d,
        m=truth.m,
        dropped=truth.dropped,
        metric=searched.metric,
        score=measure_of(searched).noun,
        simulated=raw.simulated,
        queries=_queries(truth, origin, recipe),
        norms=(facts.least, facts.low, facts.median, facts.high, facts.most),
        findings=tuple((f.found, f.rest) for f in findings(raw, facts, searched.metric)),
        notes=tuple(
            note
            for note in dict.fromkeys([*searched.notes, repeats_in_words(searched.queries)])
            if note  # and stands nowhere else, as a finding or as the origin
            and not remarked(note)
            and (source is None or not note.startswith("Origin: "))
        ),
        fingerprint=raw.float32().fingerprint,
        query_fingerprint=searched.query_fingerprint,
    )


def _queries(truth: Truth, origin: Origin, recipe: QueryRecipe | None) -> str:
    """How they were made, in a sentence or two."""
    many = counted(truth.m, "query", "queries")
    if recipe is None:
        words = f"{many} of {origin.queries_file or 'a file of their own'}."
    elif recipe.source == "own":
        words = f"{many} that came with the data, drawn with seed {recipe.seed}."
    else:
        noise = f" with noise of {recipe.noise:g} times the items' rms entry"
        noise = noise if recipe.source == "noisy" else ""
        words = f"{many} sampled from the items{noise}, with seed {recipe.seed}."
    if truth.excluded:
        words += " A query's own row does not count as an answer."
    if truth.dropped:
        dropped = counted(truth.dropped, "more ranks nothing and is", "more rank nothing and are")
        words += f" {dropped} left out."
    return words


def machine() -> Machine:
    """This one, as it is now. No path, no name of a user or of the machine."""
    name, _, own = MADE_BY.rpartition(" ")
    versions = {name: own, "Python": platform.python_version()}
    return Machine(
        versions | {library: version(library) for library in LIBRARIES},
        platform.system(),
        _processor(),
        n_threads(),
    )


def _processor() -> str:
    """Its name where the system tells it, else its family."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()
