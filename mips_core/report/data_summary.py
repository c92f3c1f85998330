"""The data in a few numbers and sentences."""

from mips_core.base.text import counted
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import measure_of
from mips_core.data.queries import QueryRecipe
from mips_core.evaluation.truth import Truth
from mips_core.report.contents import DataSummary, Origin
from mips_core.studies.data_profile.facts import Facts, facts_of
from mips_core.studies.data_profile.findings import findings, remarked


def summary_of(
    raw: Dataset,
    searched: Dataset,
    truth: Truth,
    origin: Origin,
    recipe: QueryRecipe | None,
    facts: Facts | None,
) -> DataSummary:
    """Of `raw`, as it was read, and the queries that `searched` asks."""
    known = facts or facts_of(raw)
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
        norms=(known.least, known.low, known.median, known.high, known.most),
        findings=tuple((f.found, f.rest) for f in findings(raw, known, searched.metric)),
        notes=tuple(note for note in searched.notes if not _said(note, source is not None)),
        fingerprint=raw.float32().fingerprint,
        query_fingerprint=searched.query_fingerprint,
    )


def _said(note: str, shipped: bool) -> bool:
    """Whether a note stands elsewhere in the summary: as a finding, or as the origin."""
    return remarked(note) or (shipped and note.startswith("Origin: "))


def _queries(truth: Truth, origin: Origin, recipe: QueryRecipe | None) -> str:
    """How they were made, in a sentence or two."""
    many = counted(truth.m, "query", "queries")
    if recipe is None:
        told = f"{many} of {origin.queries_file or 'a file of their own'}."
    elif recipe.source == "own":
        told = f"{many} that came with the data, drawn with seed {recipe.seed}."
    else:
        noise = (
            f" with noise of {recipe.noise:g} times the items' rms entry"
            if recipe.source == "noisy"
            else ""
        )
        told = f"{many} sampled from the items{noise}, with seed {recipe.seed}."
    if truth.excluded:
        told += " A query's own row does not count as an answer."
    if truth.dropped:
        left = "1 more ranks nothing and is" if truth.dropped == 1 else (
            f"{truth.dropped:,} more rank nothing and are"
        )  # fmt: skip
        told += f" {left} left out."
    return told
