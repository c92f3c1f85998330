"""The cheapest setting that holds a precision, or the most precise one within a budget."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from mips_core.base.errors import ParamError
from mips_core.base.text import counted, times
from mips_core.commands.asked_indexes import (
    check_numbers,
    check_writable,
    described,
    end_progress,
    index_options,
    indexes_asked,
    indexes_to_try,
    k_option,
    out_option,
    show_progress,
    write_report,
)
from mips_core.commands.given import data_options, given
from mips_core.studies.tuning import Budget, Need, Trial, Tuned, Within, tune
from mips_core.studies.tuning.wording import name_of

MEGABYTE = 2**20
TARGET, CONFIDENCE = 0.95, 0.95
NEEDS = ("precision", "confidence", "inner_products", "megabytes", "seconds")


def _need_options(command: Any) -> Any:
    """--precision and --confidence, or a budget."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


OPTIONS = (
    click.option("--precision", type=float,
                 help=f"Share of the true top K to hold; {TARGET} unless a budget is given."),
    click.option("--confidence", type=float,
                 help=f"How sure of --precision one wants to be; {CONFIDENCE} by default."),
    click.option("--inner-products", type=float, help="Budget: inner products a query, at most."),
    click.option("--megabytes", type=float, help="Budget: memory of the index in MB, at most."),
    click.option("--seconds", type=float, help="Budget: seconds to build the index, at most."),
)  # fmt: skip


@click.command("tune")
@data_options
@index_options
@_need_options
@k_option
@click.option("--seed", default=0, show_default=True, help="Of all that is built.")
@click.option(
    "--refine/--no-refine",
    default=True,
    show_default=True,
    help="Whether settings near the best ones are tried too.",
)
@out_option("Write the answer and its runners-up as JSON to this file.")
def tuned(
    keys: Sequence[str],
    settings: Sequence[str],
    K: int,
    seed: int,
    refine: bool,
    out: Path | None,
    **options: Any,
) -> None:
    """The cheapest setting that holds --precision on queries of FILES it has not seen.

    Or the most precise within a budget. Settings, those of the default grids or of --set, are
    chosen on half of the queries and judged on the other half. Ctrl-C ends the search, and prints
    the best so far.
    """
    indexes_asked(keys, settings)  # what is wrong with them is told before files are read
    check_numbers((K,), (seed,))
    check_writable(out)
    asked = _asked(**{name: options.pop(name) for name in NEEDS})
    searched = given(**options).searched
    indexes = indexes_to_try(keys, settings, searched)
    best, stopped = _BestSoFar(), False
    try:
        found = tune(searched, indexes, K, asked, seed, best, refine=refine)
    except KeyboardInterrupt:
        if best.found is None:
            raise
        found, stopped = best.found, True
    end_progress()
    if stopped:
        click.echo("Stopped before all was tried: this is the best so far.")
    for line in (*searched.notes, *_lines(found)):
        click.echo(line)
    if out is not None:
        report = {"dataset": described(searched), "seed": seed, "stopped": stopped}
        write_report(out, {**report, **found.as_dict()})


def _asked(
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

    found: Tuned | Within | None = None

    def __call__(self, fraction: float, message: str, partial: Any = None) -> None:
        if partial is not None:
            before, self.found = _chosen(self.found), partial
            if on_terminal() and _chosen(partial) not in ("", before):
                click.echo(f"\r{'best so far: ' + _chosen(partial):<79}", err=True)
        show_progress(fraction, message)


def on_terminal() -> bool:
    """Whether someone watches the progress."""
    return sys.stderr.isatty()


def _chosen(found: Tuned | Within | None) -> str:
    """The answer in a line; "" where there is none."""
    if found is None or found.chosen is None:
        return ""
    trial = found.chosen
    return f"{name_of(trial)}: precision {trial.precision:.3f}, {trial.cost:,.0f} inner products"


def _lines(found: Tuned | Within) -> Iterator[str]:
    """The sentence, the table of what is near, and what it rests on."""
    yield found.in_words().replace("**", "")
    rows = sorted([*filter(None, [found.chosen]), *found.runners_up], key=lambda row: row.cost)
    if rows:
        precision = f"precision@{found.K}"
        yield f"\n  {precision:>14}  {'interval':<15}{'inner products':>15}{'speedup':>9}"
    for trial in rows:
        yield ("* " if trial is found.chosen else "  ") + name_of(trial)
        yield _numbers(trial, "holds" if isinstance(found, Tuned) else "in budget")
    yield (
        f"\n{counted(found.n_efforts, 'effort', 'efforts')} of "
        f"{counted(found.n_settings, 'setting', 'settings')} tried; chosen on "
        f"{found.m_tuning:,} queries, judged on the other {found.m_held_out:,}."
    )


def _numbers(trial: Trial, held: str) -> str:
    """Of one setting, a line below its name."""
    low, high = trial.interval
    verdict = {"holds": held, "does not hold": "no", "cannot tell": "cannot tell"}[trial.verdict]
    return (
        f"  {trial.precision:>14.4f}  {f'{low:.4f}-{high:.4f}':<15}{trial.cost:>15,.0f}"
        f"{times(trial.speedup):>9}  {verdict}"
    )
