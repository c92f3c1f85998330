"""The map of all items as a page, a table or a report."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from mips_core.base.atomic_write import replacing
from mips_core.base.errors import ParamError
from mips_core.base.params import allowed, format_value, params_of, plain_values, with_text
from mips_core.base.progress import span
from mips_core.base.text import counted, in_one_line
from mips_core.commands.asked_indexes import (
    check_numbers,
    check_writable,
    described,
    end_progress,
    index_options,
    indexes_asked,
    k_option,
    out_option,
    show_progress,
    write_file,
    write_report,
)
from mips_core.commands.given import Given, data_options, given
from mips_core.commands.map_making import USUAL_PRECISION, Asked, ask_index, lay_out, map_items
from mips_core.evaluation.setting import index_in_words
from mips_core.figures.map import PointColours, map_html
from mips_core.figures.styles import MODES, Mode
from mips_core.groups.projection import Layout, ProjectionRecipe, rows_of, trustworthiness
from mips_core.studies.map_table import MappedItems, columns_of, write_csv, write_parquet

Command = TypeVar("Command", bound=Callable[..., Any])

SUFFIXES = (".html", ".csv", ".parquet", ".json")
COLOURS = ("group", "norm", "answers", "missed")
ASKED, LAID_OUT = 0.4, 0.95  # of the bar
NEAR, SAMPLE = 15, 2000  # neighbours that trustworthiness asks after, and of how many items
LONGEST = 20  # characters of a query's name
MOST_LABELS = 3  # of levels; of more, the first and the last are named


def _recipe_options(command: Command) -> Command:
    """An option for each parameter of ProjectionRecipe."""
    usual = ProjectionRecipe()
    for name, p in reversed(params_of(usual).items()):
        default = getattr(usual, name)
        option = click.option(
            f"--{name.replace('_', '-')}",
            name,
            default=format_value(default),
            show_default=True,
            help=f"{p.help} Allowed: {allowed(p, default)}.",
        )
        command = option(command)
    return command


def _map_options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


OPTIONS = (
    click.option("--layout", "method", type=click.Choice(["umap", "pca"]), default="umap",
                 show_default=True, help="umap keeps neighbours together; pca is a straight shadow "
                 "of the data, there at once."),
    click.option("--colour", type=click.Choice(COLOURS), default="group", show_default=True,
                 help="What the colours of a page say: the cluster, the norm, how often an item is "
                 "a true answer, how often it is missed."),
    click.option("--theme", type=click.Choice(MODES), default="light", show_default=True,
                 help="Of a page."),
    click.option("--effort", type=int, help="At which misses are counted; default: the least that "
                 f"finds {USUAL_PRECISION:.0%} of the true answers, or the most."),
    click.option("--query", type=click.IntRange(0), help="Follow this query, counted from 0."),
)  # fmt: skip


@click.command("map")
@data_options
@index_options
@_map_options
@_recipe_options
@k_option
@out_option(f"Write the map to this file; its ending is one of {', '.join(SUFFIXES)}.")
def mapped(
    keys: Sequence[str],
    settings: Sequence[str],
    method: str,
    colour: str,
    theme: str,
    effort: int | None,
    query: int | None,
    K: int,
    out: Path | None,
    **options: Any,
) -> None:
    """Every item of FILES in two dimensions, with the clusters of an index.

    A page (.html) needs nothing else to be looked at. Tables (.csv, .parquet) hold coordinates,
    clusters, and how often each item is a true answer and is missed; .json holds all there is.
    --seed fixes the index too.
    """
    indexes = indexes_asked(keys, settings)
    if len(indexes) != 1:
        raise ParamError(
            f"A map shows one index, not {len(indexes)}.",
            "Give one --index, and one value with each --set.",
        )
    texts = {name: options.pop(name) for name in params_of(ProjectionRecipe())}
    recipe = with_text(ProjectionRecipe(), texts)
    _check_out(out)
    check_numbers((K,), (recipe.seed,))
    data = given(**options)
    if query is not None and query >= data.searched.m:
        last = data.searched.m - 1
        raise ParamError(f"--query {query:,} is not there.", f"The last is {last:,}, from 0.")
    asked = ask_index(data, indexes[0], recipe.seed, K, effort, span(show_progress, 0.0, ASKED))
    layout = lay_out(data, asked, method, recipe, span(show_progress, ASKED, LAID_OUT))
    rows = rows_of(data.searched, recipe.space, asked.reduction)
    kept = trustworthiness(rows, layout.xy, NEAR, SAMPLE)
    found = map_items(data, asked, layout, recipe, query)
    end_progress()
    for line in (*data.searched.notes, *_lines(found, asked, query, kept)):
        click.echo(line)
    if out is not None:
        about = _report(data, asked, layout, recipe, kept)
        _write(out, found, about, colour, cast(Mode, theme))


def _check_out(out: Path | None) -> None:
    """Raise before any work where the map cannot be written after it."""
    if out is not None and out.suffix.lower() not in SUFFIXES:
        raise ParamError(f"{out} ends in none of {', '.join(SUFFIXES)}.", "Give it one of them.")
    check_writable(out)


def _write(out: Path, mapped: MappedItems, about: dict[str, Any], colour: str, theme: Mode) -> None:
    suffix = out.suffix.lower()
    if suffix == ".json":
        levels = [
            {"label": level.label, "names": list(level.names), "sizes": level.sizes.tolist()}
            for level in mapped.levels
        ]
        write_report(out, {**about, "levels": levels, "items": columns_of(mapped)})
        return
    if suffix == ".html":
        write_file(out, map_html(mapped, _colours(mapped, colour), theme))
        return
    with replacing(out) as file:
        (write_csv if suffix == ".csv" else write_parquet)(file, mapped)


def _colours(mapped: MappedItems, colour: str) -> PointColours:
    if colour == "norm":
        return PointColours("values", "Norm", mapped.norms)
    if colour == "answers":
        return PointColours("values", "Times a true answer", mapped.answers, log=True)
    if colour == "missed":
        return PointColours("values", "Times missed", mapped.missed, log=True)
    return PointColours()


def _lines(mapped: MappedItems, asked: Asked, query: int | None, kept: float) -> Iterator[str]:
    """What the map shows, and how much of it may be trusted."""
    yield f"{asked.index.label}, {index_in_words(asked.index, mapped.n)}"
    labels = [level.label for level in mapped.levels]
    nested = len(labels) > 1 and mapped.levels[-1].parents is not None
    if len(labels) > MOST_LABELS:
        labels[1:-1] = ["…"]
    yield f"{'levels, coarsest first' if nested else 'groups'}: {', '.join(labels)}"
    yield f"{counted(mapped.n, 'item', 'items')}. {mapped.note}"
    precision = asked.evaluation.curve((asked.K,)).precision(asked.K)
    at = list(asked.evaluation.efforts).index(asked.effort)
    yield (
        f"{asked.effort_in_words}: precision@{asked.K} {precision[at]:.3f} over "
        f"{counted(asked.evaluation.truth.m, 'query', 'queries')}"
    )
    if mapped.search is not None:
        marks, name = mapped.search, f"query {query}"
        if marks.name != name:
            name += f" ({in_one_line(marks.name, LONGEST)})"
        yield (
            f"{name}: {counted(int(marks.candidates.sum()), 'candidate', 'candidates')}, "
            f"{int(marks.found.sum())} of {len(marks.true)} true answers found"
        )
    if near := min(NEAR, (mapped.n - 1) // 2):
        told = "nearest on the map is that" if near == 1 else f"{near} nearest on the map are those"
        yield f"trustworthiness {kept:.3f} (1 if the {told} in the data)"


def _report(
    data: Given, asked: Asked, layout: Layout, recipe: ProjectionRecipe, kept: float
) -> dict[str, Any]:
    """What a map is of and how it was made, as plain values."""
    return {
        "dataset": described(data.searched),
        "index": {"key": asked.index.key, **plain_values(asked.index)},
        "effort": asked.effort,
        "K": asked.K,
        "layout": {
            "method": layout.method,
            "note": layout.note,
            "epochs": layout.epochs,
            "fitted": None if layout.fitted is None else len(layout.fitted),
            "reproducible": layout.reproducible,
            "trustworthiness": kept,
            "recipe": plain_values(recipe),
        },
    }
