"""The map of all items as a page, a table or a report."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import click

from mips_core.base.atomic_write import replacing
from mips_core.base.cache_folder import VARIABLE, cache_folder, can_write
from mips_core.base.errors import ParamError
from mips_core.base.params import allowed, format_value, params_of, plain_values, with_text
from mips_core.base.progress import span
from mips_core.base.text import counted, in_one_line
from mips_core.commands import arguments, input_data, output
from mips_core.commands.input_data import InputData
from mips_core.commands.map_items import (
    NEAR,
    USUAL_PRECISION,
    MeasuredIndex,
    lay_out,
    map_items,
    measure_index,
)
from mips_core.evaluation.setting import index_in_words
from mips_core.figures.map import PointColours
from mips_core.figures.map_file import map_html
from mips_core.figures.styles import MODES, Mode
from mips_core.groups.projection import Layout, ProjectionRecipe
from mips_core.groups.projection.layout import Method
from mips_core.studies.map_forecast import refuse_large_map
from mips_core.studies.map_table import MappedItems, columns_of, write_csv, write_parquet

SUFFIXES = (".html", ".csv", ".parquet", ".json")
COLOURS = ("group", "norm", "answers", "missed")
MEASURED, LAID_OUT = 0.4, 0.95  # of the bar
LONGEST = 20  # characters of a query's name
MOST_LABELS = 3  # of levels; of more, the first and the last are named


USUAL = ProjectionRecipe()
_recipe_options = arguments.together(
    *(
        arguments.option(
            f"--{name.replace('_', '-')}",
            name,
            default=format_value(getattr(USUAL, name)),
            help=f"{p.help} Allowed: {allowed(p, getattr(USUAL, name))}.",
        )
        for name, p in params_of(USUAL).items()
    )
)
_map_options = arguments.together(
    arguments.option("--layout", "method", type=click.Choice(["umap", "pca"]), default="umap",
                     help="umap keeps neighbours together; pca is a straight shadow of the data, "
                     "there at once."),
    arguments.option("--colour", type=click.Choice(COLOURS), default="group",
                     help="What the colours of a page say: the cluster, the norm, how often an "
                     "item is a true answer, how often it is missed."),
    arguments.option("--theme", type=click.Choice(MODES), default="light", help="Of a page."),
    click.option("--effort", type=int, help="At which misses are counted; default: the least that "
                 f"finds {USUAL_PRECISION:.0%} of the true answers, or the most."),
    click.option("--query", type=click.IntRange(0), help="Follow this query, counted from 0."),
)  # fmt: skip


@click.command("map")
@input_data.data_options
@arguments.index_options
@_map_options
@_recipe_options
@arguments.k_option
@arguments.out_option(f"Write the map to this file; its ending is one of {', '.join(SUFFIXES)}.")
def command(
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
    indexes = arguments.named_indexes(keys, settings)
    if len(indexes) != 1:
        raise ParamError(
            f"A map shows one index, not {len(indexes)}.",
            "Give one --index, and one value with each --set.",
        )
    texts = {name: options.pop(name) for name in params_of(ProjectionRecipe())}
    recipe = with_text(ProjectionRecipe(), texts)
    _check_out(out)
    arguments.check_numbers((K,), (recipe.seed,))
    data = input_data.read_data(**options)
    if query is not None and query >= data.searched.m:
        last = data.searched.m - 1
        raise ParamError(f"--query {query:,} is not there.", f"The last is {last:,}, from 0.")
    refuse_large_map(recipe, data.searched.n, data.searched.d, cast(Method, method))
    (index,) = arguments.fitting(indexes, data.searched)
    measuring = span(output.show_progress, 0.0, MEASURED)
    measured = measure_index(data, index, recipe.seed, K, effort, measuring)
    laying = span(output.show_progress, MEASURED, LAID_OUT)
    layout, trust = lay_out(data, measured, method, recipe, laying)
    mapped = map_items(data, measured, layout, recipe, query)
    output.end_progress()
    _say((*data.searched.notes, *_lines(mapped, measured, query, trust)), method)
    if out is not None:
        about = _report(data, measured, layout, recipe, trust)
        _write(out, mapped, about, colour, cast(Mode, theme))


def _say(lines: Sequence[str], method: str) -> None:
    """Print `lines`, and that the layout is not kept where it cannot be."""
    for line in lines:
        click.echo(line)
    if method == "umap" and not can_write(cache_folder()):
        told = f"{cache_folder()} cannot be written. {VARIABLE} names another folder."
        click.echo(f"This layout is not kept, and is made anew the next time: {told}", err=True)


def _check_out(out: Path | None) -> None:
    """Raise before any work where the map cannot be written after it."""
    if out is not None and out.suffix.lower() not in SUFFIXES:
        raise ParamError(f"{out} ends in none of {', '.join(SUFFIXES)}.", "Give it one of them.")
    output.check_writable(out)


def _write(out: Path, mapped: MappedItems, about: dict[str, Any], colour: str, theme: Mode) -> None:
    suffix = out.suffix.lower()
    if suffix == ".json":
        levels = [
            {"label": level.label, "names": list(level.names), "sizes": level.sizes.tolist()}
            for level in mapped.levels
        ]
        output.write_report(out, {**about, "levels": levels, "items": columns_of(mapped)})
        return
    if suffix == ".html":
        output.write_file(out, map_html(mapped, _colours(mapped, colour), theme))
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


def _lines(
    mapped: MappedItems, measured: MeasuredIndex, query: int | None, trust: float
) -> Iterator[str]:
    """What the map shows, and how much of it may be trusted."""
    yield f"{measured.index.label}, {index_in_words(measured.index, mapped.n)}"
    labels = [level.label for level in mapped.levels]
    nested = len(labels) > 1 and mapped.levels[-1].parents is not None
    if len(labels) > MOST_LABELS:
        labels[1:-1] = ["…"]
    yield f"{'levels, coarsest first' if nested else 'groups'}: {', '.join(labels)}"
    yield f"{counted(mapped.n, 'item', 'items')}. {mapped.note}"
    precision = measured.evaluation.curve((measured.K,)).precision(measured.K)
    at = list(measured.evaluation.efforts).index(measured.effort)
    yield (
        f"{measured.effort_in_words}: precision@{measured.K} {precision[at]:.3f} over "
        f"{counted(measured.evaluation.truth.m, 'query', 'queries')}"
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
        nearest = (
            "nearest on the map is that" if near == 1 else f"{near} nearest on the map are those"
        )
        yield f"trustworthiness {trust:.3f} (1 if the {nearest} in the data)"


def _report(
    data: InputData, measured: MeasuredIndex, layout: Layout, recipe: ProjectionRecipe, trust: float
) -> dict[str, Any]:
    """What a map is of and how it was made, as plain values."""
    return {
        "dataset": output.described(data.searched),
        "index": {"key": measured.index.key, **plain_values(measured.index)},
        "effort": measured.effort,
        "K": measured.K,
        "layout": {
            "method": layout.method,
            "note": layout.note,
            "epochs": layout.epochs,
            "fitted": None if layout.fitted is None else len(layout.fitted),
            "reproducible": layout.reproducible,
            "trustworthiness": trust,
            "recipe": plain_values(recipe),
        },
    }
