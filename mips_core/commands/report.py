"""One HTML page of what was measured, to hand on, and a notebook that measures it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.progress import span
from mips_core.base.seeds import rng_for
from mips_core.commands.asked_indexes import (
    check_numbers,
    check_writable,
    end_progress,
    index_options,
    indexes_asked,
    indexes_to_try,
    k_option,
    show_progress,
    write_file,
)
from mips_core.commands.given import Given, data_options, given
from mips_core.commands.noise import read_sigmas
from mips_core.data.catalog import CATALOG
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.operating_point import at_speedup
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.report import (
    Beside,
    Chosen,
    NoiseMeasured,
    Origin,
    as_set,
    at_precision,
    by_tuning,
    report_of,
)
from mips_core.report.sentences import finding
from mips_core.studies.misses.diagnosis import diagnose
from mips_core.studies.noise import noisy_queries
from mips_core.studies.robustness import robustness
from mips_core.studies.tuning import Need, cheapest

MEASURING = 0.8  # share of the time, where noise comes after it
BUILDS = 3  # of each method under noise


def _report_options(command: Any) -> Any:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


OPTIONS = (
    click.option("--precision", default=0.95, show_default=True,
                 help="Share of the true top K that the setting to run must hold."),
    click.option("--confidence", default=0.95, show_default=True,
                 help="How sure of --precision one wants to be."),
    click.option("--effort", type=int, help="The setting to run is the one index asked for, at "
                 "this effort; --precision is not used then."),
    click.option("--sigma", "sigmas", callback=lambda ctx, option, text: text and read_sigmas(
                     ctx, option, text),
                 help="Noise on queries to measure too, such as 0,0.1,0.2."),
    click.option("--speedup", default=30.0, show_default=True,
                 help="What methods are held to before --sigma."),
    click.option("--title", default="", help="Of the report."),
    click.option("--note", default="", help="A few words of yours below the title."),
    click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
                 help="The page, .html."),
    click.option("--notebook", type=click.Path(dir_okay=False, path_type=Path),
                 help="A notebook that measures the same again, .ipynb."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the options want of the report."""

    K: int
    seed: int
    precision: float
    confidence: float
    effort: int | None
    sigmas: tuple[float, ...] | None
    speedup: float

    def check(self, named: Sequence[Index]) -> None:
        """Raise ParamError for numbers out of range, and for an effort of several indexes."""
        check_numbers((self.K,), (self.seed,))
        Need(self.precision, self.confidence)
        if self.effort is not None and len(named) != 1:
            raise ParamError(
                f"--effort is for one index, and these are {len(named)}.",
                "Give one --index, and one value of each parameter.",
            )


@click.command("report")
@data_options
@index_options
@k_option
@click.option("--seed", default=0, show_default=True, help="Of all that is built.")
@_report_options
def reported(
    keys: Sequence[str],
    settings: Sequence[str],
    title: str,
    note: str,
    out: Path,
    notebook: Path | None,
    **options: Any,
) -> None:
    """A report on indexes on FILES as one HTML page: curves, the setting to run, what it costs.

    Indexes are tried at their default grids, or at what --set says. The page needs nothing else to
    be looked at, and asks no one for anything.
    """
    named = indexes_asked(keys, settings)  # what is wrong is told before files are read
    asked = _Asked(**{field.name: options.pop(field.name) for field in fields(_Asked)})
    asked.check(named)
    if notebook is not None and notebook.absolute() == out.absolute():
        raise ParamError(f"--out and --notebook are both {out}.", "Name two files.")
    for file in (out, notebook):
        check_writable(file)
    data = given(**options)
    indexes = indexes_to_try(keys, settings, data.searched) if asked.effort is None else named
    tried = _measured(data, indexes, asked)
    point = _point(tried, asked)
    report = report_of(
        data.raw,
        data.searched,
        [one.evaluation for one in tried],
        asked.K,
        point=point,
        beside=Beside(
            noise=_noise(data, tried, asked), misses=_misses(data, tried, point, asked.K)
        ),
        origin=_origin(data, options),
        recipe=data.recipe,
        title=title,
        note=note,
    )
    end_progress()
    write_file(out, report.html())
    if notebook is not None:
        write_file(notebook, report.notebook())
    click.echo(finding(report))
    click.echo(report.point.chosen)


def _measured(data: Given, indexes: Sequence[Index], asked: _Asked) -> list[Tried]:
    """Every index; the rest of the time is for noise, where that was asked for."""
    searched = data.searched
    truth = truth_of(searched)
    truth.answers(asked.K)
    builder = Builder(searched.items, truth, asked.K)
    share = (MEASURING if asked.sigmas else 1.0) / len(indexes)
    return [
        builder.tried(index, asked.seed, span(show_progress, share * at, share * (at + 1)))
        for at, index in enumerate(indexes)
    ]


def _noise(data: Given, tried: Sequence[Tried], asked: _Asked) -> NoiseMeasured | None:
    """Of each method, the setting at the speedup asked for, built with several seeds."""
    if not asked.sigmas:
        return None
    methods: dict[str, list[Any]] = {}
    for one in tried:
        methods.setdefault(one.evaluation.index.key, []).append(one.evaluation)
    chosen = [at_speedup(e, asked.K, asked.speedup).setting.index for e in methods.values()]
    seeds = range(asked.seed, asked.seed + BUILDS)
    progress = span(show_progress, MEASURING, 1.0)
    noisy = noisy_queries(
        data.raw,
        data.searched,
        sigmas=asked.sigmas,
        seed=asked.seed,
        progress=span(progress, 0, 0.2),
    )
    found = robustness(
        data.searched, noisy, chosen, asked.K, asked.speedup, seeds, span(progress, 0.2, 1.0)
    )
    return NoiseMeasured(noisy, found, asked.speedup)


def _point(tried: Sequence[Tried], asked: _Asked) -> Chosen:
    """The setting to run: what was set, what tuning promises, or the best that was seen."""
    evaluations = [one.evaluation for one in tried]
    if asked.effort is not None:
        (evaluation,) = evaluations
        return as_set(Setting(evaluation.index, asked.seed, asked.effort))
    if evaluations[0].truth.m < FEWEST_TO_SPLIT:
        return at_precision(evaluations, asked.K, asked.precision)
    need = Need(asked.precision, asked.confidence)
    found = by_tuning(cheapest(tried, asked.K, need))
    return found or at_precision(evaluations, asked.K, need.precision, need)


def _misses(data: Given, tried: Sequence[Tried], point: Chosen, K: int) -> list[str]:
    """What the setting to run misses, and what that hangs together with; it is built once more."""
    setting, items = point.setting, data.searched.items
    evaluation = next(one.evaluation for one in tried if one.evaluation.index == setting.index)
    if setting.effort not in evaluation.efforts:
        return []  # which the report refuses, and says why
    searcher = setting.index.searcher(setting.index.build(items, rng_for(setting.seed)))
    return [diagnose(evaluation, searcher, data.searched, K, setting.effort).in_words()]


def _origin(data: Given, options: Mapping[str, Any]) -> Origin:
    """How the data was asked for, without folders."""
    opened, files = data.opened, options["files"]
    shipped = files[0] if len(files) == 1 and files[0] in CATALOG else ""
    return Origin(
        shipped=shipped,
        files=() if shipped else tuple(Path(file).name for file in files),
        queries_file=Path(options["queries_file"] or "").name,
        kind=options["kind"],
        reading=tuple(options["reading"]),
        rank=None if opened.ratings is None else options["rank"],
        own_queries=opened.dataset.m > 0,
    )
