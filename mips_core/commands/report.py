"""One HTML page of what was measured, to hand on, and a notebook that measures it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.progress import span
from mips_core.base.seeds import rng_for
from mips_core.commands import arguments, input_data, output
from mips_core.commands.input_data import InputData
from mips_core.commands.noise import read_sigmas
from mips_core.data.catalog import CATALOG
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.report import (
    NoiseMeasured,
    Origin,
    Recommendation,
    Report,
    Studies,
    as_set,
    at_precision,
    by_tuning,
    html_of,
    notebook_of,
    report_of,
)
from mips_core.report.sentences import finding
from mips_core.studies.misses import diagnose
from mips_core.studies.noise import noisy_queries
from mips_core.studies.operating_point import at_speedup
from mips_core.studies.robustness import robustness
from mips_core.studies.tuning import Need, cheapest

MEASURING = 0.8  # share of the time, where noise comes after it
BUILDS = 3  # of each method under noise


_report_options = arguments.together(
    arguments.option("--precision", default=0.95,
                     help="Share of the true top K that the setting to run must hold."),
    arguments.option("--confidence", default=0.95, help="How sure of --precision one wants to be."),
    click.option("--effort", type=int, help="The setting to run is the one index asked for, at "
                 "this effort; --precision is not used then."),
    click.option("--sigma", "sigmas", callback=lambda ctx, option, text: text and read_sigmas(
                     ctx, option, text),
                 help="Noise on queries to measure too, such as 0,0.1,0.2."),
    arguments.option("--speedup", default=30.0, help="What methods are held to before --sigma."),
    click.option("--title", default="", help="Of the report."),
    click.option("--note", default="", help="A few words of yours below the title."),
    click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
                 help="The page, .html."),
    click.option("--notebook", type=click.Path(dir_okay=False, path_type=Path),
                 help="A notebook that measures the same again, .ipynb."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Request:
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
        arguments.check_numbers((self.K,), (self.seed,))
        Need(self.precision, self.confidence)
        if self.effort is not None and len(named) != 1:
            raise ParamError(
                f"--effort is for one index, and these are {len(named)}.",
                "Give one --index, and one value of each parameter.",
            )


@click.command("report")
@input_data.data_options
@arguments.index_options
@arguments.k_option
@arguments.option("--seed", default=0, help="Of all that is built.")
@_report_options
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    K: int,
    seed: int,
    precision: float,
    confidence: float,
    effort: int | None,
    sigmas: tuple[float, ...] | None,
    speedup: float,
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
    named = arguments.named_indexes(keys, settings)  # what is wrong is told before files are read
    request = _Request(K, seed, precision, confidence, effort, sigmas, speedup)
    request.check(named)
    if notebook is not None and notebook.absolute() == out.absolute():
        raise ParamError(f"--out and --notebook are both {out}.", "Name two files.")
    for file in (out, notebook):
        output.check_writable(file)
    data = input_data.read_data(**options)
    indexes = (
        arguments.indexes_to_try(keys, settings, data.searched)
        if request.effort is None
        else arguments.fitting(named, data.searched)
    )
    tried = _measured(data, indexes, request)
    report = _report(data, tried, request, _origin(data, options), title, note)
    output.end_progress()
    output.write_file(out, html_of(report))
    if notebook is not None:
        output.write_file(notebook, notebook_of(report))
    click.echo(finding(report))
    click.echo(report.point.chosen)


def _report(
    data: InputData,
    tried: Sequence[Tried],
    request: _Request,
    origin: Origin,
    title: str,
    note: str,
) -> Report:
    point = _point(tried, request)
    noise = _noise(data, tried, request)
    misses = _misses(data, tried, point, request.K)
    return report_of(
        data.raw,
        data.searched,
        [one.evaluation for one in tried],
        request.K,
        point=point,
        studies=Studies(noise=noise, misses=misses),
        origin=origin,
        recipe=data.recipe,
        title=title,
        note=note,
    )


def _measured(data: InputData, indexes: Sequence[Index], request: _Request) -> list[Tried]:
    """Every index; the rest of the time is for noise, where that was asked for."""
    searched = data.searched
    truth = truth_of(searched)
    truth.answers(request.K)
    builder = Builder(searched.items, truth, request.K)
    share = (MEASURING if request.sigmas else 1.0) / len(indexes)
    return [
        builder.tried(index, request.seed, span(output.show_progress, share * at, share * (at + 1)))
        for at, index in enumerate(indexes)
    ]


def _noise(data: InputData, tried: Sequence[Tried], request: _Request) -> NoiseMeasured | None:
    """Of each method, the setting at the speedup asked for, built with several seeds."""
    if not request.sigmas:
        return None
    methods: dict[str, list[Any]] = {}
    for one in tried:
        methods.setdefault(one.evaluation.index.key, []).append(one.evaluation)
    indexes = [at_speedup(e, request.K, request.speedup).setting.index for e in methods.values()]
    seeds = range(request.seed, request.seed + BUILDS)
    progress = span(output.show_progress, MEASURING, 1.0)
    drawn, sigmas = span(progress, 0, 0.2), request.sigmas
    noisy = noisy_queries(data.raw, data.searched, sigmas=sigmas, seed=request.seed, progress=drawn)
    noisy_methods = robustness(
        data.searched, noisy, indexes, request.K, request.speedup, seeds, span(progress, 0.2, 1.0)
    )
    return NoiseMeasured(noisy, noisy_methods, request.speedup)


def _point(tried: Sequence[Tried], request: _Request) -> Recommendation:
    """The setting to run: what was set, what tuning promises, or the best that was seen."""
    evaluations = [one.evaluation for one in tried]
    if request.effort is not None:
        (evaluation,) = evaluations
        return as_set(Setting(evaluation.index, request.seed, request.effort))
    if evaluations[0].truth.m < FEWEST_TO_SPLIT:
        return at_precision(evaluations, request.K, request.precision)
    need = Need(request.precision, request.confidence)
    tuned = by_tuning(cheapest(tried, request.K, need))
    return tuned or at_precision(evaluations, request.K, need.precision, need)


def _misses(data: InputData, tried: Sequence[Tried], point: Recommendation, K: int) -> list[str]:
    """What the setting to run misses, and what that hangs together with; it is built once more."""
    setting, items = point.setting, data.searched.items
    evaluation = next(one.evaluation for one in tried if one.evaluation.index == setting.index)
    if setting.effort not in evaluation.efforts:
        return []  # which the report refuses, and says why
    searcher = setting.index.searcher(setting.index.build(items, rng_for(setting.seed)))
    return [diagnose(evaluation, searcher, data.searched, K, setting.effort).in_words()]


def _origin(data: InputData, options: Mapping[str, Any]) -> Origin:
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
