"""Which of two methods keeps more at one speedup, and whether that is more than luck."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.params import plain_values
from mips_core.base.text import counted
from mips_core.commands.asked_indexes import (
    check_numbers,
    check_writable,
    described,
    end_progress,
    index_options,
    indexes_asked,
    indexes_to_try,
    k_option,
    keys_asked,
    out_option,
    seeds_option,
    show_progress,
    write_report,
)
from mips_core.commands.given import data_options, given
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.operating_point import NEAR, Solved
from mips_core.studies.comparison import Compared, Scored, compare_at_precision, compare_at_speedup

SPEEDUP = 30.0
SIDES = ("first", "second")


@click.command("compare")
@data_options
@index_options
@click.option("--speedup", type=float, help=f"Set both to this speedup; default: {SPEEDUP:g}.")
@click.option("--precision", type=float, help="Set both to this precision instead.")
@k_option
@seeds_option("Of builds; with the first, settings are chosen.")
@out_option("Write settings, every seed and the difference as JSON to this file.")
def compare_two(
    keys: Sequence[str],
    settings: Sequence[str],
    speedup: float | None,
    precision: float | None,
    K: int,
    seeds: tuple[int, ...],
    out: Path | None,
    **options: Any,
) -> None:
    """How far two indexes are apart on FILES, both set to one speedup.

    Their settings are chosen on half of the queries among their default grids, or what --set says;
    then they are built with every seed, and the other half is scored.
    """
    if speedup is not None and precision is not None:
        raise ParamError("--speedup and --precision were both given.", "Leave one of them out.")
    keys = keys_asked(keys)
    if len(keys) != 2:
        raise ParamError(f"Two indexes are compared, not {len(keys)}.", "Give --index twice.")
    indexes_asked(keys, settings)  # what is wrong with them is told before files are read
    check_numbers((K,), seeds)
    check_writable(out)
    dataset = given(**options).searched
    tried = indexes_to_try(keys, settings, dataset)
    first, second = ([index for index in tried if index.key == key] for key in keys)
    if precision is None:
        asked = {"speedup": SPEEDUP if speedup is None else speedup}
        found = compare_at_speedup(
            dataset, first, second, K, asked["speedup"], seeds, show_progress
        )
    else:
        asked = {"precision": precision}
        found = compare_at_precision(dataset, first, second, K, precision, seeds, show_progress)
    end_progress()
    for line in _lines(dataset, found, asked):
        click.echo(line)
    if out is not None:
        write_report(out, _report(dataset, found, asked))


def _lines(dataset: Dataset, found: Compared, asked: dict[str, float]) -> Iterator[str]:
    """What was found, the sentence first."""
    yield from dataset.notes
    first, second = (one.setting.index.label for one in found.solved)
    missing = [_short_of(one, asked) for one in found.solved if not one.reached]
    if not missing and "speedup" in asked:
        yield found.difference.in_words(first, second, f"{asked['speedup']:g}×")
    elif not missing:
        yield f"Set to a precision of {asked['precision']:g}, {_saved(found)}"
        yield found.difference.in_words(first, second, "these settings")
    yield from missing
    if missing:
        yield "So the two are not held against each other; this is what they reach."
    for one in found.scored:
        yield f"\n{one.setting.index.label}, {one.setting.in_words(found.n)}"
        yield from _seeds(one)
    by_seed = ", ".join(_signed(100 * share) for share in found.difference.by_seed)
    yield f"\nDifference by seed, in points: {by_seed}"
    yield _queries(found)


def _short_of(solved: Solved, asked: dict[str, float]) -> str:
    label = solved.setting.index.label
    if "speedup" in asked:
        low, high = (f"{factor * asked['speedup']:g}" for factor in NEAR)
        return f"{label} has no setting of {low}× to {high}×; the nearest is {solved.speedup:.4g}×."
    return f"{label} does not reach {asked['precision']:g}; its best is {solved.precision:.3f}."


def _saved(found: Compared) -> str:
    """What both save; a range over builds, whose interval over queries is not known."""
    saved = []
    for one in found.scored:
        low, high = f"{min(one.speedups):.3g}", f"{max(one.speedups):.3g}"
        reached = low if low == high else f"{low} to {high}"
        saved.append(f"{one.setting.index.label} has a speedup of {reached}×")
    return f"{' and '.join(saved)}."


def _seeds(one: Scored) -> Iterator[str]:
    ends = 100 * one.intervals
    for at, (seed, effort) in enumerate(zip(one.seeds, one.efforts, strict=True)):
        precision = f"precision@{one.K} {100 * one.precisions[at]:.1f}%"
        interval = f"(95% interval {ends[at, 0]:.1f} to {ends[at, 1]:.1f})"
        fewer = "" if effort == one.setting.effort else f", all {effort:,} it has"
        yield f"  seed {seed}: {precision} {interval}, {one.speedups[at]:.4g}×{fewer}"


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−") if round(points, 1) else "0.0"


def _queries(found: Compared) -> str:
    chosen = counted(found.m_choosing, "query", "queries")
    if not found.split:
        return f"Chosen and scored on the same {chosen}: there are fewer than {FEWEST_TO_SPLIT}."
    return f"Chosen on {chosen}, scored on {found.difference.m:,} others."


def _report(dataset: Dataset, found: Compared, asked: dict[str, float]) -> dict[str, Any]:
    """The same as plain values for JSON."""
    apart = found.difference
    keys = {side: one.setting.index.key for side, one in zip(SIDES, found.solved, strict=True)}
    return {
        "dataset": described(dataset),
        "asked": asked,
        "answers": apart.K,
        "queries": {"choosing": found.m_choosing, "scored": apart.m},
        "methods": [
            _method(solved, one) for solved, one in zip(found.solved, found.scored, strict=True)
        ],
        "difference": {
            "mean": apart.mean,
            "interval": [apart.low, apart.high],
            "confidence": apart.confidence,
            "by_seed": list(apart.by_seed),
            "winner": keys.get(apart.winner or "") if found.reached else None,
            "queries_needed": apart.queries_needed,
        },
    }


def _method(solved: Solved, one: Scored) -> dict[str, Any]:
    index = one.setting.index
    return {
        "index": {"key": index.key, **plain_values(index)},
        "effort": one.setting.effort,
        "chosen": {
            "speedup": solved.speedup,
            "precision": solved.precision,
            "reached": solved.reached,
        },
        "seeds": [
            {
                "seed": seed,
                "effort": one.efforts[at],
                "speedup": one.speedups[at],
                "precision": one.precisions[at],
                "interval": one.intervals[at].tolist(),
            }
            for at, seed in enumerate(one.seeds)
        ],
    }
