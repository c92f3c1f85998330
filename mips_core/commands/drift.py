"""How long frozen clusters do as vectors change, and when to refresh or rebuild."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from mips_core.base.errors import ParamError
from mips_core.base.text import counted, duration, times
from mips_core.commands import arguments, input_data, output
from mips_core.data.dataset import Dataset
from mips_core.evaluation.setting import Setting
from mips_core.studies.drift import (
    BUILDS,
    ROUNDS,
    WAYS,
    Decay,
    Fresh,
    KeptFresh,
    Recipe,
    advice,
    as_dict,
    check_can_update,
    compare_versions,
    decay,
    kept_fresh,
)
from mips_core.studies.drift.advice import (
    TOLERANCE,
    check_tolerance,
    effort_in_words,
    in_words,
    in_words_of_one,
)
from mips_core.studies.drift.decay import SHARES, SIZES, Kind

EFFORT = 10


@click.command("drift")
@input_data.data_options
@arguments.index_options
@arguments.option(
    "--effort", type=click.IntRange(1), default=EFFORT, help="How hard every build is asked."
)
@click.option("--new", "new_file", help="A later version of FILES: measure that change instead.")
@click.option(
    "--by",
    type=click.Choice(["label", "row"]),
    help="How rows of --new are matched; default: by label where both have labels.",
)
@arguments.option(
    "--change",
    type=click.Choice(["moved", "new"]),
    default="moved",
    help="moved: items move by noise, simulated. new: items held out of the build come.",
)
@arguments.decimals_option("--shares", SHARES, "Shares of the items that change.")
@arguments.decimals_option("--sizes", SIZES, "Sizes of moves, in root mean squares of the entries.")
@arguments.option("--rounds", default=ROUNDS, help="Rounds of a refresh.")
@arguments.option("--builds", default=BUILDS, help="Builds, each with a seed of its own.")
@arguments.option(
    "--tolerance", default=TOLERANCE, help="Precision that may be lost against a rebuild."
)
@arguments.k_option
@arguments.option("--seed", default=0, help="Of the first build, and of changes.")
@arguments.out_option("Write every point as JSON to this file.")
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    effort: int,
    new_file: str | None,
    by: Literal["label", "row"] | None,
    change: Kind,
    shares: tuple[float, ...],
    sizes: tuple[float, ...],
    rounds: int,
    builds: int,
    tolerance: float,
    K: int,
    seed: int,
    out: Path | None,
    **options: Any,
) -> None:
    """How long an index of FILES stays good while vectors change, at one effort.

    New and changed vectors join the clusters that are there, the clusters go on for a few rounds,
    or all is built anew: precision, speedup and cost of each.
    """  # fmt: skip
    indexes = arguments.named_indexes(keys, settings)
    if len(indexes) != 1:
        raise ParamError(f"{len(indexes)} settings were given.", "One is followed at a time.")
    check_can_update(indexes[0])
    recipe = Recipe(change, shares, sizes, builds, rounds, seed)
    arguments.check_numbers((K,), (seed,))
    check_tolerance(tolerance)
    output.check_writable(out)
    searched = (data := input_data.read_data(**options)).searched
    setting = Setting(arguments.fitting(indexes, searched)[0], seed, effort)
    drift: Decay | KeptFresh
    if new_file is None:
        drift = decay(data.raw, searched, setting, K, recipe, output.show_progress)
        points, lines = drift.points, _lines(drift, tolerance)
    else:
        versions = compare_versions(data.raw, _later(new_file, options), by)
        drift = kept_fresh(versions, searched, setting, K, rounds, builds, output.show_progress)
        points, lines = (drift.point,), _version_lines(drift, tolerance)
    output.end_progress()
    for line in (*searched.notes, *lines):
        click.echo(line.replace("**", ""))
    if out is not None:
        output.write_report(out, as_dict(searched, drift.setting, points, tolerance))


def _later(file: str, options: Mapping[str, Any]) -> Dataset:
    """The data set in a later version of FILES, read as they are."""
    how = {name: options[name] for name in ("kind", "reading", "rank")}
    return input_data.open_data([file], **how).dataset


def _lines(drift: Decay, tolerance: float) -> Iterator[str]:
    """What was found, for each size the advice first."""
    if drift.simulated:
        yield "Changes are simulated: noise on these vectors. Queries stay as they are."
    yield from in_words([advice(drift.of_size(size), tolerance) for size in drift.sizes])
    for size in drift.sizes:
        yield "" if size is None else f"\nMoved by {size:g} rms"
        yield from _table(drift.of_size(size))
    yield from _about(drift.setting, drift.points)


def _version_lines(drift: KeptFresh, tolerance: float) -> Iterator[str]:
    yield drift.versions.in_words()
    yield from drift.versions.warnings()
    yield in_words_of_one(drift.point, tolerance)
    yield from _table((drift.point,))
    yield from _about(drift.setting, (drift.point,))


def _table(points: Sequence[Fresh]) -> Iterator[str]:
    K = points[0].K
    head = f"{'changed':>8}{f'precision@{K} (%)':>32}"
    yield f"{head}{'speedup':>9}{'products':>14}{'took':>9}"
    for point in points:
        for way in WAYS:
            low, high = (100 * end for end in point.interval(way))
            between = f"{100 * point.precision(way):.1f} ({low:.1f} to {high:.1f})"
            took = f"{point.spent(way):>14,.0f}{duration(point.seconds(way)):>9}"
            share = f"{100 * point.share:.4g}%" if way == "frozen" else ""
            yield f"{share:>8}  {way:10}{between:>20}{times(point.speedup(way)):>9}{took}"
    if points[-1].due:
        yield f"At the largest change: {points[-1].due}"


def _about(setting: Setting, points: Sequence[Fresh]) -> Iterator[str]:
    queries = counted(points[0].m, "query", "queries")
    builds = counted(len(points[0].ways["frozen"]), "build", "builds")
    effort = effort_in_words(setting, points)
    over = "Intervals are 95%, over queries; differences over both."
    yield f"\n{queries}, {builds} at {effort}. {over}"
