"""The same path without a browser: python -m mips_core."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

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
from mips_core.commands.build import built
from mips_core.commands.clock import clocked
from mips_core.commands.compare import compare_two
from mips_core.commands.data import describe
from mips_core.commands.drift import drifted
from mips_core.commands.given import data_options, given, how_to_choose
from mips_core.commands.map import mapped
from mips_core.commands.noise import noise
from mips_core.commands.report import reported
from mips_core.commands.runs import compare_runs, keep_runs
from mips_core.commands.scale import scaled
from mips_core.commands.search import searched
from mips_core.commands.tune import tuned
from mips_core.curve import report
from mips_core.errors import MipsError, ParamError
from mips_core.evaluate import compare
from mips_core.indexes import INDEXES
from mips_core.params import allowed, flat_values, format_value, params_of


class _Group(click.Group):
    """Errors a person can act on end the command with their text, never with a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except MipsError as error:
            raise click.ClickException(f"{error}{how_to_choose(error)}") from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Approximate maximum inner product search, measured in inner products."""


@main.command()
@data_options
@index_options
@click.option("--grid", is_flag=True, help="Try each index at every setting of its default grid.")
@click.option("--k", "ks", default="1,10,100", callback=numbers, show_default=True)
@click.option("--seed", "seeds", default="0", callback=numbers, show_default=True)
@click.option("--run", "run_file", help="Keep what is measured as runs in this file too.")
@out_option("Default: print.")
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
    """Precision and speedup of indexes on FILES, or on the shipped data set of that name."""
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


@main.command("indexes")
def list_indexes() -> None:
    """Keys of the indexes, what they do and cost, their parameters, ranges and help."""
    for key, cls in INDEXES.items():
        what, cost = cls.about()
        click.echo(f"{key}: {cls.label} ({cls.cite}); effort: {cls.effort_name.lower()}")
        click.echo(f"  {what}\n  Cost of a query: {cost}")
        _list_params(cls(), "  ")


def _list_params(spec: Any, indent: str, within: str = "") -> None:
    for name, p in params_of(spec).items():
        value = getattr(spec, name)
        shown = f"{indent}{within}{name} = {format_value(value)}"
        click.echo(f"{shown} ({allowed(p, value)})\n{indent}    {p.help}")
        for kind, cls in (p.kinds or {}).items():
            inner = cls()
            if flat_values(inner):
                click.echo(f"{indent}    {name}={kind}:")
                _list_params(inner, indent + "      ", name + ".")


main.add_command(built)
main.add_command(describe)
main.add_command(compare_two)
main.add_command(clocked)
main.add_command(drifted)
main.add_command(mapped)
main.add_command(noise)
main.add_command(reported)
main.add_command(compare_runs)
main.add_command(scaled)
main.add_command(searched)
main.add_command(tuned)

if __name__ == "__main__":
    main(prog_name="python -m mips_core")
