"""How much precision methods keep when queries get noisy, all held to the same speedup."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.progress import span
from mips_core.base.text import counted, times
from mips_core.commands import arguments, input_data, output
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT, folds_of
from mips_core.evaluation.precision import mean_precision
from mips_core.studies import noise
from mips_core.studies.operating_point import NEAR
from mips_core.studies.robustness import RobustMethod, moved_in_words, robustness, rows


def read_sigmas(ctx: click.Context, option: click.Parameter, text: str) -> tuple[float, ...]:
    """As `decimals`. Raises ParamError for one that is no σ."""
    sigmas = arguments.decimals(ctx, option, text)
    noise.check_sigmas(sigmas)
    return sigmas


noise_options = arguments.together(  # --speedup, --sigma, --unit, --k, --seed
    arguments.option("--speedup", default=30.0, help="What every method is held to."),
    arguments.option(
        "--sigma",
        "sigmas",
        default="0,0.1,0.2,0.3,0.4",
        callback=read_sigmas,
        help="Standard deviations of the noise on each entry of a query.",
    ),
    arguments.option(
        "--unit",
        type=click.Choice(["absolute", "relative"]),
        default="absolute",
        help="relative: --sigma in root mean squares of the items' entries.",
    ),
    arguments.k_option,
    arguments.seeds_option("Of builds; the first also draws the noise."),
)


@click.command("noise")
@input_data.data_options
@arguments.index_options
@noise_options
@arguments.out_option("Write every seed and σ as JSON to this file.")
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    speedup: float,
    sigmas: tuple[float, ...],
    unit: noise.Unit,
    K: int,
    seeds: tuple[int, ...],
    out: Path | None,
    **options: Any,
) -> None:
    """Precision and speedup of indexes under noise on the queries of FILES.

    Each method's setting is the most precise with about --speedup, chosen without noise on half of
    the queries among its default grid, or what --set says; the other half is scored.
    """
    arguments.named_indexes(keys, settings)  # what is wrong with them is told before files are read
    arguments.check_numbers((K,), seeds)
    output.check_writable(out)
    data = input_data.read_data(**options)
    searched = data.searched
    indexes = arguments.indexes_to_try(keys, settings, searched)
    drawn = span(output.show_progress, 0.0, 0.1)
    noisy = noise.noisy_queries(
        data.raw, searched, sigmas=sigmas, unit=unit, seed=seeds[0], progress=drawn
    )
    progress = span(output.show_progress, 0.1, 1.0)
    methods = robustness(searched, noisy, indexes, K, speedup, seeds, progress)
    output.end_progress()
    what = searched, noisy, methods, K, speedup
    output.say(table(*what), out, report(*what))


def table(
    searched: Dataset,
    noisy: noise.NoisyQueries,
    methods: Sequence[RobustMethod],
    K: int,
    speedup: float,
) -> Iterator[str]:
    """What was found, in lines."""
    yield from filter(None, (*searched.notes, moved_in_words(methods)))
    yield from _notes(noisy, K, methods)
    ideal = 100 * mean_precision(noise.ceiling(noisy, K, folds_of(noisy.m)[1]))
    for method in methods:
        setting, reached = method.solved.setting, f"{method.solved.speedup:.4g}×"
        held = reached if method.solved.reached else f"{reached}, the nearest to {speedup:g}×"
        yield f"\n{setting.index.label}, {setting.in_words(noisy.n)}: {held} without noise"
        yield from _header(K, len(method.by_seed))
        saved = method.speedup()
        of_noisy, of_clean = _cells(method, "noisy"), _cells(method, "clean")
        for at, sigma in enumerate(noisy.absolute):
            amounts = f"{sigma:>7.3g}{noisy.relative[at]:>7.2f}{times(saved[at]):>9}"
            yield f"{amounts}{of_noisy[at]}{of_clean[at]}{ideal[at]:>7.1f}"


def _header(K: int, seeds: int) -> Iterator[str]:
    """Two lines, as wide as those of the table."""
    width = 25 if seeds > 1 else 15
    yield f"{'':23}{f'  precision@{K} (%)':<{width}}  before noise"
    cell = f"{'mean':>15}" if seeds == 1 else f"{'mean':>13}{'seeds':>12}"
    yield f"{'σ':>7}{'σ/rms':>7}{'speedup':>9}{cell}{cell}{'exact':>7}"


def _cells(method: RobustMethod, truth: noise.Against) -> list[str]:
    """(S,) "93.0 ± 1.2", and where there are several seeds, their range: "92.5-93.4"."""
    means, halves = 100 * method.precision(truth), 100 * method.half_interval(truth)
    cells = [f"{mean:.1f} ± {half:.1f}" for mean, half in zip(means, halves, strict=True)]
    if len(method.by_seed) == 1:
        return [f"{text:>15}" for text in cells]
    ranges = (100 * method.seed_range(truth)).T
    return [
        f"{text:>13}{f'{low:.1f}-{high:.1f}':>12}"
        for text, (low, high) in zip(cells, ranges, strict=True)
    ]


def _notes(noisy: noise.NoisyQueries, K: int, methods: Sequence[RobustMethod]) -> Iterator[str]:
    """What to know before reading the figures."""
    if noisy.dropped:
        dropped = counted(noisy.dropped, "query is", "queries are")
        yield f"{dropped} too short to rank anything, and left out."
    if (answers := noisy.clean.answers(K)) < K:
        yield f"There are fewer than {K} possible answers: the top {answers} count."
    scored = methods[0].by_seed[0].m
    queries = counted(noisy.m, "query", "queries")
    if folds_of(noisy.m)[1] is None:
        yield (
            f"{queries}, fewer than {FEWEST_TO_SPLIT}: settings are chosen and scored on the same."
        )
    else:
        yield f"{queries}: {noisy.m - scored:,} to choose settings, {scored:,} to score them."
    seeds = len(methods[0].by_seed)
    ranges = f"; beside it, the range over {seeds} seeds" if seeds > 1 else ""
    yield f"± is half the 95% interval over queries{ranges}."
    yield "Precision is against the answers of the noisy query, then against those before"
    yield "noise, where exact search falls too."
    yield f"The items' entries have a root mean square (rms) of {noisy.rms:.3g}."


def report(
    searched: Dataset,
    noisy: noise.NoisyQueries,
    methods: Sequence[RobustMethod],
    K: int,
    speedup: float,
) -> dict[str, Any]:
    """The same as plain values for JSON, with a row for every method, seed and σ."""
    return {
        "dataset": output.described(searched),
        "K": K,
        "answers": noisy.clean.answers(K),
        "unit": noisy.unit,
        "rms": noisy.rms,
        "queries": {"asked": noisy.m, "dropped": noisy.dropped, "scored": methods[0].by_seed[0].m},
        "interval": "95%, over queries",
        "speedup_asked": speedup,
        "counts_as_reached": list(NEAR),
        "rows": rows(searched, noisy, methods, speedup),
    }
