"""What was timed, in sentences: Markdown that pages and commands show as it stands."""

from collections.abc import Sequence

from mips_core.base.text import counted, duration, times
from mips_core.studies.wall_clock.timings import Clock, Timed

BUSY = 1.15  # times the processor time that a clock may show before the machine counts as busy


def in_words(clock: Clock) -> str:
    """The method, and the search of any kind, that took least time, one query at a time."""
    ready = [row for row in clock.rows if row.reached]
    methods = [row for row in ready if row.kind == "method"]
    sentences = []
    if methods:
        sentences.append(_ledger_and_clock(clock, _quickest(methods)))
    first = _quickest(ready)
    if first.kind == "exact":
        sentences.append("Of all searches here exact search took least time.")
    elif first.kind == "rival":
        sentences.append(_least(clock, first))
    return " ".join(sentences)


def _quickest(rows: Sequence[Timed]) -> Timed:
    return min(rows, key=lambda row: row.took["one by one"].seconds)


def _ledger_and_clock(clock: Clock, row: Timed) -> str:
    """Ledger and clock of one of our methods."""
    assert row.speedup is not None  # methods keep a ledger
    by_clock = clock.by_clock(row, "one by one")
    return (
        f"By inner products **{row.label}** saves {_saved(row.speedup, 'many')}, by the clock "
        f"{_saved(by_clock, 'long')}. One query took "
        f"{duration(row.took['one by one'].seconds)} on one thread, the quicker exact search "
        f"{duration(clock.exact('one by one').took['one by one'].seconds)}."
    )


def _saved(factor: float, much: str) -> str:
    if factor > 1:
        return f"**{times(factor)}**"
    return f"nothing: it takes **{times(1 / factor)}** as {much}"


def _least(clock: Clock, row: Timed) -> str:
    ledger = "" if row.speedup is None else f", by inner products {times(row.speedup)}"
    return (
        f"**{row.label}** took least time of all: {duration(row.took['one by one'].seconds)}, "
        f"by the clock {times(clock.by_clock(row, 'one by one'))}{ledger}."
    )


def remarks(clock: Clock) -> tuple[str, ...]:
    """What to know of the run, a sentence or two each."""
    short = [row for row in clock.rows if not row.reached]
    texts = [
        f"{row.label} does not reach {clock.target:g}: it is timed at the best there is, "
        f"{row.precision:.3f}."
        for row in short
    ]
    if not clock.split:
        queries = counted(clock.m_scored, "query", "queries")
        texts.append(
            f"With {queries} there are too few to hold some out: settings are chosen and scored on "
            "the same ones."
        )
    if clock.waiting > BUSY:
        texts.append(
            f"The machine was busy: the clock ran {times(clock.waiting)} as long as the processor "
            "worked for these searches. Times are too long, those of long searches most of all: "
            "time them again when it is quiet."
        )
    texts += [
        f"**{name} is not installed.** `{line}` adds its timings." for name, line in clock.absent
    ]
    return tuple(texts)
