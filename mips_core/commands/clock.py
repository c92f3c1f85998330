"""Searches timed by the clock, at equal precision, beside the ledger of inner products."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.progress import Progress, span
from mips_core.base.text import counted, duration, times
from mips_core.commands import arguments, input_data, output
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.wall_clock import WAYS, Clock, Timed, clock, in_words, remarks

TRIED = 0.5  # of the bar: once the settings of all methods are evaluated


@click.command("clock")
@input_data.data_options
@arguments.index_options
@arguments.option(
    "--precision",
    "precisions",
    type=click.FloatRange(0, 1, min_open=True),
    multiple=True,
    default=(0.9,),
    help="What every search must reach; several, one after another.",
)
@arguments.k_option
@arguments.option("--seed", default=0, help="Of all that is built.")
@arguments.option(
    "--rivals/--no-rivals",
    "with_rivals",
    default=True,
    help="Whether other libraries that are installed are timed too.",
)
@arguments.out_option("Write all figures as JSON to this file.")
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    precisions: tuple[float, ...],
    K: int,
    seed: int,
    with_rivals: bool,
    out: Path | None,
    **options: Any,
) -> None:
    """Seconds a query on FILES: indexes, other libraries and exact search, at equal precision.

    Each index is taken at its cheapest setting with --precision on half of the queries, among its
    default grid, or what --set says; it is scored and timed on the other half.
    """
    arguments.named_indexes(keys, settings)  # what is wrong with them is told before files are read
    arguments.check_numbers((K,), (seed,))
    output.check_writable(out)
    searched = input_data.read_data(**options).searched
    indexes = arguments.indexes_to_try(keys, settings, searched)
    methods = _evaluated(indexes, searched, K, seed, span(output.show_progress, 0.0, TRIED))
    rivals = None if with_rivals else ()
    last = span(output.show_progress, TRIED, 1.0)
    clocks = clock(searched, methods, K, precisions, rivals=rivals, seed=seed, progress=last)
    output.end_progress()
    lines = [*searched.notes]
    for number, timed in enumerate(clocks):
        if len(clocks) > 1:
            lines.append(f"{chr(10) * (number > 0)}At a precision of {timed.target:g}")
        lines += _lines(timed)
    first, *others = (timed.as_dict() for timed in clocks)
    output.say(lines, out, {"precisions": [first, *others]} if others else first)


def _evaluated(
    indexes: Sequence[Index], searched: Dataset, K: int, seed: int, progress: Progress
) -> Mapping[str, Sequence[Evaluation]]:
    """Each index built and asked at every effort, by method."""
    builder = Builder(searched.items, truth_of(searched), K)
    methods: dict[str, list[Evaluation]] = {}
    for evaluation in builder.evaluations(indexes, seed, progress):
        methods.setdefault(evaluation.index.key, []).append(evaluation)
    return methods


def _lines(timed: Clock) -> Iterator[str]:
    """What was found: the conditions, a table, sentences."""
    items, size = counted(timed.n, "item", "items"), counted(timed.d, "dimension", "dimensions")
    yield f"{timed.data}: {items} of {size}, by {timed.metric}"
    yield ", ".join(f"{name} {version}" for name, version in timed.versions.items())
    yield (
        f"{counted(timed.processors, 'processor', 'processors')}, "
        f"{counted(timed.threads, 'thread', 'threads')}"
    )
    queries = counted(timed.m_scored, "query", "queries")
    if timed.split:
        yield f"{timed.m_chosen:,} queries to choose settings, {timed.m_scored:,} to score and time"
    else:
        yield f"{queries} to choose settings, to score and to time"
    rounds = counted(timed.rounds, "round", "rounds")
    yield f"medians of {rounds}; batches of {timed.batch:,}"
    yield "Time a query, and how many times less than the quickest exact search:"
    yield (
        f"\n  {f'precision@{timed.K}':<13}{'one by one':>15}{'p95':>8}{'batch':>15}"
        f"{'all threads':>15}{'products':>9}"
    )
    for row in sorted(timed.rows, key=lambda row: row.took["one by one"].seconds):
        yield f"{row.label}, {row.setting}"
        yield _numbers(timed, row)
    for sentence in ("", in_words(timed), *remarks(timed)):
        yield sentence.replace("**", "").replace("`", "")


def _numbers(timed: Clock, row: Timed) -> str:
    """Of one search, a line below its name."""
    low, high = row.interval
    precision = f"{row.precision:.3f} ± {(high - low) / 2:.3f}"
    singly, batch, threaded = (
        f"{duration(row.took[way].seconds):>8}{times(timed.by_clock(row, way)):>7}" for way in WAYS
    )
    p95 = duration(row.took["one by one"].p95 or 0.0)
    ledger = "not told" if row.speedup is None else times(row.speedup)
    return f"  {precision}{singly}{p95:>8}{batch}{threaded}{ledger:>9}"
