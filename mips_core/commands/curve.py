"""Curves: what each index keeps of the true answers, and at what cost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.commands import arguments, input_data, output
from mips_core.commands.runs import keep_runs
from mips_core.evaluation.builder import compare
from mips_core.studies.curve_table import report

ALL_SCORE = (
    "All queries score here. The commands tune, report and compare choose settings on half of them "
    "and score on the other: their numbers differ a little from these."
)


@click.command("curve")
@input_data.data_options
@arguments.index_options
@click.option("--grid", is_flag=True, help="Try each index at every setting of its default grid.")
@arguments.option(
    "--k",
    "ks",
    default="1,10,100",
    callback=arguments.numbers,
    help="How many answers a query wants; each is measured.",
)
@arguments.seeds_option("Of builds; each is measured.", default="0")
@click.option(
    "--run",
    "run_file",
    help="Keep what is measured in this file too, which `runs` compares; it ends in .run.json.",
)
@arguments.out_option("Write the curves as JSON to this file. Default: print them.")
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    ks: tuple[int, ...],
    seeds: tuple[int, ...],
    grid: bool,
    run_file: str | None,
    out: Path | None,
    **options: Any,
) -> None:
    """Precision and speedup of indexes on FILES, at every effort."""
    if grid and settings:
        raise ParamError("--grid and --set were both given.", "Leave one of them out.")
    indexes = arguments.named_indexes(keys, settings)
    arguments.check_numbers(ks, seeds)
    output.check_writable(out)
    output.check_writable(None if run_file is None else Path(run_file))
    data = input_data.read_data(**options)
    dataset = data.searched
    for note in (*dataset.notes, ALL_SCORE):
        click.echo(note, err=True)
    if grid:
        indexes = arguments.indexes_to_try(keys, (), dataset)
    else:
        arguments.fitting(indexes, dataset)
    if run_file is None:
        curves = compare(indexes, dataset, ks=ks, seeds=seeds, progress=output.show_progress)
    else:
        curves = keep_runs(run_file, indexes, options["files"], data, ks, seeds)
    output.end_progress()
    output.write_report(out, report(dataset, curves))
