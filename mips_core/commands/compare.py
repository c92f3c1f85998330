"""Which of two methods keeps more at one speedup, and whether that is more than luck."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.params import plain_values
from mips_core.base.text import counted
from mips_core.commands import arguments, input_data, output
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.studies.comparison import (
    Compared,
    ScoredBuilds,
    compare_at_precision,
    compare_at_speedup,
)
from mips_core.studies.operating_point import NEAR, Solved

SPEEDUP = 30.0
SIDES = ("first", "second")


@click.command("compare")
@input_data.data_options
@arguments.index_options
@click.option("--speedup", type=float, help=f"Set both to this speedup; default: {SPEEDUP:g}.")
@click.option("--precision", type=float, help="Set both to this precision instead.")
@arguments.k_option
@arguments.seeds_option("Of builds; with the first, settings are chosen.")
@arguments.out_option("Write settings, every seed and the difference as JSON to this file.")
def command(
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
    keys = arguments.index_keys(keys)
    if len(keys) != 2:
        raise ParamError(f"Two indexes are compared, not {len(keys)}.", "Give --index twice.")
    arguments.named_indexes(keys, settings)  # what is wrong with them is told before files are read
    arguments.check_numbers((K,), seeds)
    output.check_writable(out)
    dataset = input_data.read_data(**options).searched
    tried = arguments.indexes_to_try(keys, settings, dataset)
    first, second = ([index for index in tried if index.key == key] for key in keys)
    speedup = SPEEDUP if speedup is None else speedup
    goal = {"speedup": speedup} if precision is None else {"precision": precision}
    compare = compare_at_speedup if precision is None else compare_at_precision
    (target,) = goal.values()
    compared = compare(dataset, first, second, K, target, seeds, output.show_progress)
    output.end_progress()
    output.say(_lines(dataset, compared, goal), out, _report(dataset, compared, goal))


def _lines(dataset: Dataset, compared: Compared, goal: dict[str, float]) -> Iterator[str]:
    """What was found, the sentence first."""
    yield from dataset.notes
    first, second = (one.setting.index.label for one in compared.solved)
    missing = [_short_of(one, goal) for one in compared.solved if not one.reached]
    if not missing and "speedup" in goal:
        yield compared.difference.in_words(first, second, f"{goal['speedup']:g}×")
    elif not missing:
        yield f"Set to a precision of {goal['precision']:g}, {_saved(compared)}"
        yield compared.difference.in_words(first, second, "these settings")
    yield from missing
    if missing:
        yield "So the two are not held against each other; this is what they reach."
    for one in compared.scored:
        yield f"\n{one.setting.index.label}, {one.setting.in_words(compared.n)}"
        yield from _seeds(one)
    apart = [100 * share for share in compared.difference.by_seed]
    by_seed = ", ".join(f"{p:+.1f}".replace("-", "−") if round(p, 1) else "0.0" for p in apart)
    yield f"\nDifference by seed, in points: {by_seed}"
    yield _queries(compared)


def _short_of(solved: Solved, goal: dict[str, float]) -> str:
    label = solved.setting.index.label
    if "speedup" in goal:
        low, high = (f"{factor * goal['speedup']:g}" for factor in NEAR)
        return f"{label} has no setting of {low}× to {high}×; the nearest is {solved.speedup:.4g}×."
    return f"{label} does not reach {goal['precision']:g}; its best is {solved.precision:.3f}."


def _saved(compared: Compared) -> str:
    """What both save; a range over builds, whose interval over queries is not known."""
    saved = []
    for one in compared.scored:
        low, high = f"{min(one.speedups):.3g}", f"{max(one.speedups):.3g}"
        reached = low if low == high else f"{low} to {high}"
        saved.append(f"{one.setting.index.label} has a speedup of {reached}×")
    return f"{' and '.join(saved)}."


def _seeds(one: ScoredBuilds) -> Iterator[str]:
    ends = 100 * one.intervals
    for at, (seed, effort) in enumerate(zip(one.seeds, one.efforts, strict=True)):
        precision = f"precision@{one.K} {100 * one.precisions[at]:.1f}%"
        interval = f"(95% interval {ends[at, 0]:.1f} to {ends[at, 1]:.1f})"
        fewer = "" if effort == one.setting.effort else f", all {effort:,} it has"
        yield f"  seed {seed}: {precision} {interval}, {one.speedups[at]:.4g}×{fewer}"


def _queries(compared: Compared) -> str:
    queries = counted(compared.m_choosing, "query", "queries")
    if not compared.split:
        return f"Chosen and scored on the same {queries}: there are fewer than {FEWEST_TO_SPLIT}."
    return f"Chosen on {queries}, scored on {compared.difference.m:,} others."


def _report(dataset: Dataset, compared: Compared, goal: dict[str, float]) -> dict[str, Any]:
    """The same as plain values for JSON."""
    difference = compared.difference
    keys = {side: one.setting.index.key for side, one in zip(SIDES, compared.solved, strict=True)}
    return {
        "dataset": output.described(dataset),
        "asked": goal,
        "answers": difference.K,
        "queries": {"choosing": compared.m_choosing, "scored": difference.m},
        "methods": [
            _method(solved, one)
            for solved, one in zip(compared.solved, compared.scored, strict=True)
        ],
        "difference": {
            "mean": difference.mean,
            "interval": [difference.low, difference.high],
            "confidence": difference.confidence,
            "by_seed": list(difference.by_seed),
            "winner": keys.get(difference.winner or "") if compared.reached else None,
            "queries_needed": difference.queries_needed,
        },
    }


def _method(solved: Solved, one: ScoredBuilds) -> dict[str, Any]:
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
