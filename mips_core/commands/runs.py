"""Files of runs held against each other: python -m mips_core runs A.run.json B.run.json."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_RUNS, MAX_RUNS_TOGETHER
from mips_core.base.text import counted, in_one_line, percent, times
from mips_core.commands import arguments, output
from mips_core.commands.input_data import InputData
from mips_core.data.catalog import CATALOG
from mips_core.evaluation.curve import Curve
from mips_core.methods.indexes import Index
from mips_core.studies.runs import (
    RunsCompared,
    common_speedup,
    difference_of,
    measure_runs,
    read_runs,
    save_runs,
)
from mips_core.studies.runs.wording import in_words

MAX_SHOWN = 60  # characters of a name


@click.command("runs")
@click.argument("files", nargs=-1, required=True)
@arguments.k_option
@click.option(
    "--speedup",
    type=float,
    help="Where they are compared; default: the one nearest to 30 that all runs have.",
)
@arguments.option(
    "--precision",
    type=float,
    default=0.9,
    help="How much each run saves where it finds this share of the true answers.",
)
@arguments.out_option("Write what was found as JSON to this file.")
def command(
    files: Sequence[str], K: int, speedup: float | None, precision: float, out: Path | None
) -> None:
    """How the runs in FILES differ, which curve --run or the Compare page wrote."""
    output.check_writable(out)
    runs = [run for file in files for run in read_runs(file)]
    if not 2 <= len(runs) <= MAX_RUNS_TOGETHER:
        raise ParamError(
            f"The files hold {counted(len(runs), 'run', 'runs')}.",
            f"2 to {MAX_RUNS_TOGETHER} can be compared.",
        )
    at = common_speedup(runs, K) if speedup is None else speedup
    compared = difference_of(runs, K, at, precision)
    output.say(_lines(compared), out, _report(compared))


def keep_runs(
    file: str,
    indexes: Sequence[Index],
    files: Sequence[str],
    data: InputData,
    ks: Sequence[int],
    seeds: Sequence[int],
) -> list[Curve]:
    """Measure `indexes` on what `files` gave, keep that as runs in `file`, and give their curves.

    Raises ParamError before anything is measured where there would be too many runs for a file.
    """
    count = len(seeds) * sum(len(ks) if index.depends_on_k else 1 for index in indexes)
    if count > MAX_RUNS:
        raise ParamError(f"--run would keep {count:,} runs.", f"A file holds {MAX_RUNS} at most.")
    shipped = files[0] if len(files) == 1 and files[0] in CATALOG else ""
    runs = measure_runs(
        indexes,
        data.searched,
        ks=ks,
        seeds=seeds,
        source=shipped or data.opened.dataset.fingerprint,
        queries=data.recipe,
        progress=output.show_progress,
    )
    save_runs(file, runs)
    return [run.curve for run in runs]


def _lines(compared: RunsCompared) -> Iterator[str]:
    """What was found, the sentences first."""
    yield from in_words(compared)
    for number, run in enumerate(compared.runs):
        one = compared.at_speedup[number]
        name = in_one_line(run.name, MAX_SHOWN)
        if one is None:
            yield f"  {number + 1} {name}: not measured at K = {compared.K}"
        else:
            yield (
                f"  {number + 1} {name}: precision@{compared.K} {percent(one.precision)} (95% "
                f"interval {percent(one.low)} to {percent(one.high)}) at {times(one.speedup)}"
            )
    yield compared.differing.same_in_words()
    for row in compared.differing.rows:
        yield f"  {row.name}: {' | '.join(in_one_line(value, MAX_SHOWN) for value in row.values)}"


def _report(compared: RunsCompared) -> dict[str, Any]:
    """The same as plain values for JSON."""
    return {
        "K": compared.K,
        "speedup": compared.speedup,
        "precision": compared.precision,
        "unlike": list(compared.unlike),
        "runs": [
            {
                "name": run.name,
                "at_speedup": None if at is None else asdict(at),
                "at_precision": None if saved is None else asdict(saved),
            }
            for run, at, saved in zip(
                compared.runs, compared.at_speedup, compared.at_precision, strict=True
            )
        ],
        "differences": [
            asdict(pair) | {"told_apart": pair.told_apart} for pair in compared.settled
        ],
        "settings": {row.name: list(row.values) for row in compared.differing.rows},
    }
