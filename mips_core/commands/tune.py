"""The cheapest setting that holds a precision, or the most precise one within a budget."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.text import counted, times
from mips_core.commands import arguments, input_data, output
from mips_core.data.dataset import Dataset
from mips_core.methods.indexes import Index
from mips_core.serving.faiss_export import CAN, runs_in_faiss
from mips_core.studies.forecast import LARGE, is_large
from mips_core.studies.tuning import Budget, Need, Trial, Tuned, Within, as_dict, in_words, tune
from mips_core.studies.tuning.scouting import SAMPLES
from mips_core.studies.tuning.wording import order_in_words, samples_in_words

MEGABYTE = 2**20
TARGET, CONFIDENCE = 0.95, 0.95


goal_options = arguments.together(  # --precision and --confidence, or a budget
    click.option("--precision", type=float,
                 help=f"Share of the true top K to hold; {TARGET} unless a budget is given."),
    click.option("--confidence", type=float,
                 help=f"How sure of --precision one wants to be; {CONFIDENCE} by default."),
    click.option("--inner-products", type=float, help="Budget: inner products a query, at most."),
    click.option("--megabytes", type=float, help="Budget: memory of the index in MB, at most."),
    click.option("--seconds", type=float, help="Budget: seconds to build the index, at most."),
)  # fmt: skip


@click.command("tune")
@input_data.data_options
@arguments.index_options
@goal_options
@arguments.k_option
@arguments.option("--seed", default=0, help="Of all that is built.")
@arguments.option(
    "--refine/--no-refine", default=True, help="Whether settings near the best ones are tried too."
)
@arguments.option(
    "--scout/--no-scout",
    default=True,
    help=f"Whether, from {LARGE:,} items on, all settings are tried on samples, and few on all.",
)
@click.option("--faiss", is_flag=True, help=f"Try only what runs in faiss. {CAN}")
@arguments.out_option("Write the answer and its runners-up as JSON to this file.")
def command(
    keys: Sequence[str],
    settings: Sequence[str],
    precision: float | None,
    confidence: float | None,
    inner_products: float | None,
    megabytes: float | None,
    seconds: float | None,
    K: int,
    seed: int,
    refine: bool,
    scout: bool,
    faiss: bool,
    out: Path | None,
    **options: Any,
) -> None:
    """The cheapest setting that holds --precision on queries of FILES it has not seen.

    Or the most precise within a budget. Settings, those of the default grids or of --set, are
    chosen on half of the queries and judged on the other half. Ctrl-C ends the search, and prints
    the best so far.
    """
    arguments.named_indexes(keys, settings)  # what is wrong with them is told before files are read
    arguments.check_numbers((K,), (seed,))
    output.check_writable(out)
    goal = goal_of(precision, confidence, inner_products, megabytes, seconds)
    searched = input_data.read_data(**options).searched
    indexes = _indexes(keys, settings, searched, scout=scout, faiss=faiss)
    best, stopped = _BestSoFar(), False
    try:
        answer = tune(
            searched, indexes, K, goal, seed, best, refine=refine, faiss=faiss, scout=scout
        )
    except KeyboardInterrupt:
        if best.answer is None:
            raise
        answer, stopped = best.answer, True
    output.end_progress()
    if stopped:
        click.echo("Stopped before all was tried: this is the best so far.")
    report = {"dataset": output.described(searched), "seed": seed, "stopped": stopped}
    output.say((*searched.notes, *lines(answer)), out, {**report, **as_dict(answer)})


def _indexes(
    keys: Sequence[str], settings: Sequence[str], searched: Dataset, *, scout: bool, faiss: bool
) -> list[Index]:
    """What is tried, once it was said how. Raises ParamError where none of it runs in faiss."""
    few = scout and is_large(searched.n)
    indexes = arguments.indexes_to_try(keys, settings, searched, timed=not few)
    if faiss:
        indexes = [index for index in indexes if runs_in_faiss(index)]
        if not indexes:
            raise ParamError("None of these indexes runs in faiss.", CAN)
    if few:
        how_many = counted(len(indexes), "setting is", "settings are")
        sizes = " and ".join(f"{size:,}" for size in SAMPLES)
        click.echo(f"{how_many} tried on samples of {sizes} items first, few on all.", err=True)
    return indexes


def goal_of(
    precision: float | None,
    confidence: float | None,
    inner_products: float | None,
    megabytes: float | None,
    seconds: float | None,
) -> Need | Budget:
    """Raises ParamError for both a precision and a budget, and for numbers out of range."""
    size = None if megabytes is None else megabytes * MEGABYTE
    budget = Budget(inner_products, size, seconds)
    if not budget.limits:
        return Need(
            TARGET if precision is None else precision,
            CONFIDENCE if confidence is None else confidence,
        )
    if precision is not None or confidence is not None:
        raise ParamError(
            "A precision and a budget were both given.",
            "Give --precision and --confidence, or limits, not both.",
        )
    return budget


class _BestSoFar:
    """Progress that keeps the latest answer, and shows it on a terminal when it changes."""

    answer: Tuned | Within | None = None

    def __call__(self, fraction: float, message: str, partial: Any = None) -> None:
        if partial is not None:
            before, self.answer = _in_a_line(self.answer), partial
            if on_terminal() and _in_a_line(partial) not in ("", before):
                click.echo(f"\r{'best so far: ' + _in_a_line(partial):<79}", err=True)
        output.show_progress(fraction, message)


def on_terminal() -> bool:
    """Whether someone watches the progress."""
    return sys.stderr.isatty()


def _in_a_line(answer: Tuned | Within | None) -> str:
    """The answer in a line; "" where there is none."""
    if answer is None or answer.chosen is None:
        return ""
    trial = answer.chosen
    words = trial.setting_in_words()
    return f"{words}: precision {trial.precision:.3f}, {trial.cost:,.0f} inner products"


def lines(answer: Tuned | Within) -> Iterator[str]:
    """The sentence, the table of what is near, and what it rests on."""
    yield in_words(answer).replace("**", "")
    rows = sorted([*filter(None, [answer.chosen]), *answer.runners_up], key=lambda row: row.cost)
    if rows:
        precision = f"precision@{answer.K}"
        yield f"\n  {precision:>14}  {'interval':<15}{'inner products':>15}{'speedup':>9}"
    for trial in rows:
        yield ("* " if trial is answer.chosen else "  ") + trial.setting_in_words()
        yield _numbers(trial, "holds" if isinstance(answer, Tuned) else "in budget")
    if isinstance(answer, Tuned) and (order := order_in_words(answer, rows)):
        yield f"\n{fill(order, 80)}"
    yield (
        f"\n{counted(answer.n_efforts, 'effort', 'efforts')} of "
        f"{counted(answer.n_settings, 'setting', 'settings')} tried; chosen on "
        f"{answer.m_tuning:,} queries, judged on the other {answer.m_held_out:,}."
    )
    if samples := samples_in_words(answer):
        yield fill(samples, 80)


def _numbers(trial: Trial, held: str) -> str:
    """Of one setting, a line below its name."""
    low, high = trial.interval
    verdict = {"holds": held, "does not hold": "no"}.get(trial.verdict, trial.verdict)
    return (
        f"  {trial.precision:>14.4f}  {f'{low:.4f}-{high:.4f}':<15}{trial.cost:>15,.0f}"
        f"{times(trial.speedup):>9}  {verdict}"
    )
