"""What a setting will cost on more data."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import span
from mips_core.commands import arguments, input_data, output
from mips_core.evaluation.setting import Setting
from mips_core.studies.growth import Scaling, as_dict, in_words, measure_scaling
from mips_core.studies.growth.scaling import LARGEST


@click.command("scale")
@input_data.data_options
@arguments.index_options
@arguments.option("--precision", default=0.95, help="Share of the true top K held.")
@arguments.option("--k", "K", default=10, help="How many answers a query wants.")
@arguments.option(
    "--to",
    "n",
    type=click.IntRange(1, LARGEST),
    default=1_000_000,
    help="Items to tell the costs of.",
)
@arguments.option("--seed", default=0, help="Of samples and builds.")
@arguments.out_option("Write what was measured and expected as JSON to this file.")
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    precision: float,
    K: int,
    n: int,
    seed: int,
    out: Path | None,
    **options: Any,
) -> None:
    """What indexes will cost on --to items like those of FILES.

    Each is built on an eighth, a quarter, a half and all of the items, its main parameter sized to
    fit, and asked at the least effort that reaches --precision. What that costs is drawn on.
    """
    indexes = arguments.named_indexes(keys, settings)
    arguments.check_numbers((K,), (seed,))
    output.check_writable(out)
    searched = input_data.read_data(**options).searched
    arguments.fitting(indexes, searched)
    if n < searched.n:
        raise ParamError(f"--to {n:,} is less than there is.", f"Ask for {searched.n:,} or more.")
    for line in searched.notes:
        click.echo(line)
    results = []
    for at, index in enumerate(indexes):
        part = span(output.show_progress, at / len(indexes), (at + 1) / len(indexes))
        scaling = measure_scaling(searched, Setting(index, seed, 1), K, precision, progress=part)
        output.end_progress()
        for line in _lines(scaling, n):
            click.echo(line)
        results.append(_as_dict(scaling, n))
    if out is not None:
        output.write_report(out, {"dataset": output.described(searched), "scaling": results})


def _lines(scaling: Scaling, n: int) -> Iterator[str]:
    """A table of the sizes measured, then what is expected, or why nothing can be."""
    yield f"{scaling.sizes[-1].setting.index.label}, precision@{scaling.K} of {scaling.precision:g}"
    yield (
        f"{'items':>11}{'inner products':>16}{'speedup':>9}{'precision':>11}"
        f"{'processor s':>13}{'wall s':>9}{'MB':>9}"
    )
    for point in scaling.sizes:
        yield (
            f"{point.n:>11,}{point.cost:>16,.0f}{point.n / point.cost:>8.1f}×"
            f"{point.precision:>11.4f}{point.seconds:>13.3f}{point.wall_seconds:>9.3f}"
            f"{point.bytes / 2**20:>9.2f}  {point.setting.in_words(point.n)}"
            f"{'' if point.reached else ', not reached'}"
        )
    try:
        yield in_words(scaling.at(n)).replace("**", "") + "\n"
    except DataError as error:
        yield f"{error}\n"


def _as_dict(scaling: Scaling, n: int) -> dict[str, Any]:
    try:
        return {**scaling.as_dict(), "expected": as_dict(scaling.at(n))}
    except DataError as error:
        return {**scaling.as_dict(), "expected": None, "why_not": str(error)}
