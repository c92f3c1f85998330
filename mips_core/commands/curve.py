"""Curves: what each index keeps of the true answers, and at what cost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.commands.asked_indexes import (
    check_numbers,
    check_writable,
    end_progress,
    index_options,
    indexes_asked,
    indexes_to_try,
    numbers,
    out_option,
    show_progress,
    write_report,
)
from mips_core.commands.given import data_options, given
from mips_core.commands.runs import keep_runs
from mips_core.evaluation.builder import compare
from mips_core.evaluation.curve import report


@click.command()
@data_options
@index_options
@click.option("--grid", is_flag=True, help="Try each index at every setting of its default grid.")
@click.option(
    "--k",
    "ks",
    default="1,10,100",
    callback=numbers,
    show_default=True,
    help="How many answers a query wants; each is measured.",
)
@click.option(
    "--seed",
    "seeds",
    default="0",
    callback=numbers,
    show_default=True,
    help="Of builds; each is measured.",
)
@click.option(
    "--run",
    "run_file",
    help="Keep what is measured in this file too, which `runs` compares; it ends in .run.json.",
)
@out_option("Write the curves as JSON to this file. Default: print them.")
def curve(
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
    indexes = indexes_asked(keys, settings)
    check_numbers(ks, seeds)
    check_writable(out)
    check_writable(None if run_file is None else Path(run_file))
    found = given(**options)
    dataset = found.searched
    for note in dataset.notes:
        click.echo(note, err=True)
    if grid:
        indexes = indexes_to_try(keys, (), dataset)
    if run_file is None:
        curves = compare(indexes, dataset, ks=ks, seeds=seeds, progress=show_progress)
    else:
        curves = keep_runs(run_file, indexes, options["files"], found, ks, seeds)
    end_progress()
    write_report(out, report(dataset, curves))
