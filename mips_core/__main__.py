"""The same path without a browser: python -m mips_core."""

import json
import os
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import click

from mips_core.commands.data import describe
from mips_core.commands.given import data_options, given, how_to_choose
from mips_core.curve import report
from mips_core.errors import DataError, MipsError, ParamError
from mips_core.evaluate import compare
from mips_core.indexes import INDEXES, Index
from mips_core.limits import MAX_K
from mips_core.params import allowed, flat_values, format_value, params_of, with_text


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


def _numbers(ctx: click.Context, option: click.Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers joined by commas, each once."""
    try:
        return tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        raise click.BadParameter(f"{text!r}: give whole numbers joined by commas.") from None


@main.command()
@data_options
@click.option(
    "--index", "keys", multiple=True, required=True, help="An index key, or all; may repeat."
)
@click.option("--grid", is_flag=True, help="Try each index at every setting of its default grid.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="[KEY.]NAME=VALUE",
    help="A parameter of every index, or of one. VALUE may be a comma list: every combination is "
    "a curve. A value that is itself a list is written 46x2154. May repeat.",
)
@click.option("--k", "ks", default="1,10,100", callback=_numbers, show_default=True)
@click.option("--seed", "seeds", default="0", callback=_numbers, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Default: print.")
def curve(
    keys: Sequence[str],
    settings: Sequence[str],
    ks: tuple[int, ...],
    seeds: tuple[int, ...],
    grid: bool,
    out: Path | None,
    **options: Any,
) -> None:
    """Precision and speedup of indexes on FILES, or on the shipped data set of that name."""
    if grid and settings:
        raise ParamError("--grid and --set were both given.", "Leave one of them out.")
    keys = list(dict.fromkeys(k for key in keys for k in (INDEXES if key == "all" else [key])))
    indexes = _indexes(keys, settings)
    _check_numbers(ks, seeds)
    if out is not None:
        _check_writable(out)
    dataset = given(**options).searched
    for note in dataset.notes:
        click.echo(note, err=True)
    if grid:
        indexes = [step for key in keys for step in INDEXES[key].grid(dataset.n, dataset.d)]
    curves = compare(indexes, dataset, ks=ks, seeds=seeds, progress=_show_progress)
    if sys.stderr.isatty():
        click.echo(err=True)
    text = json.dumps(report(dataset, curves), indent=1, ensure_ascii=False)
    if out is None:
        click.echo(text)
        return
    try:
        out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror}.") from None


def _check_numbers(ks: Sequence[int], seeds: Sequence[int]) -> None:
    for K in ks:
        if not 1 <= K <= MAX_K:
            raise ParamError(f"--k {K} is outside 1 to {MAX_K}.")
    if min(seeds) < 0:
        raise ParamError(f"--seed {min(seeds)} is below 0.", "Seeds are whole numbers from 0.")


def _check_writable(out: Path) -> None:
    """Raise DataError before any work where the report could not be written after it."""
    if out.is_dir() or not os.access(out.parent, os.W_OK):
        raise DataError(f"{out} cannot be written.", "Name a file in a folder that exists.")


def _choices(keys: Sequence[str], settings: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Key -> parameter -> texts. What is aimed at one index goes before what is for all."""
    choices: dict[str, dict[str, list[str]]] = {key: {} for key in keys}
    common: dict[str, list[str]] = {}
    for setting in settings:
        name, equals, values = setting.partition("=")
        if not equals:
            raise ParamError(f"--set {setting} has no “=”.", "Write name=value.")
        aimed, dot, inner = name.partition(".")
        if dot and aimed in INDEXES and aimed not in choices:
            raise ParamError(f"--set {setting} is for {aimed}.", f"Add --index {aimed}.")
        aim, name = (choices[aimed], inner) if dot and aimed in choices else (common, name)
        aim.setdefault(name, []).extend(values.split(","))
    for name, texts in common.items():
        having = [key for key in keys if name.partition(".")[0] in params_of(INDEXES[key])]
        for key in having or keys:  # where none has it, the first says so
            choices[key].setdefault(name, texts)
    return choices


def _indexes(keys: Sequence[str], settings: Sequence[str]) -> list[Index]:
    """Every combination of the values in `settings`, for every key."""
    for key in keys:
        if key not in INDEXES:
            raise ParamError(f"There is no index {key!r}.", f"Known: {', '.join(INDEXES)}.")
    choices = _choices(keys, settings)
    indexes: list[Index] = []
    for key, options in choices.items():
        for combination in product(*options.values()):
            index = with_text(INDEXES[key](), dict(zip(options, combination, strict=True)))
            if index not in indexes:
                indexes.append(index)
    return indexes


def _show_progress(fraction: float, message: str, partial: Any = None) -> None:
    if not sys.stderr.isatty():
        return
    click.echo(f"\r{fraction:4.0%} {message:<70.70}", nl=False, err=True)


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


main.add_command(describe)

if __name__ == "__main__":
    main(prog_name="python -m mips_core")
