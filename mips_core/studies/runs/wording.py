"""What comparing runs shows, in sentences. Names of runs come from people: show them as text."""

from mips_core.base.text import counted, in_one_line, percent, times
from mips_core.studies.runs.comparison import AtPrecision, RunsCompared, Settled

MAX_NAMED = 60  # characters of a name within a sentence
MOST_NAMED = 3  # runs named one by one; more are counted


def in_words(compared: RunsCompared) -> list[str]:
    """Which run is better at the speedup, and at the precision, and how sure that is."""
    if compared.unlike:
        return [
            f"{' '.join(compared.unlike)} So they stand side by side, and no winner is named.",
        ]
    return [_at_speedup(compared), _at_precision(compared)]


def named(compared: RunsCompared, number: int) -> str:
    """The name of a run in quotes, in one line."""
    return f"“{in_one_line(compared.runs[number].name, MAX_NAMED)}”"


def _at_speedup(compared: RunsCompared) -> str:
    where = f"At about {compared.speedup:g}×"
    if not compared.reached:
        return f"{where} there is nothing to compare. {_nearest(compared)}"
    best = compared.settled[0].best
    behind = [pair for pair in compared.settled if pair.told_apart]
    close = [pair for pair in compared.settled if not pair.told_apart]
    first = named(compared, best)
    m = counted(compared.runs[0].data.m, "query", "queries")
    if len(compared.settled) == 1:
        (pair,) = compared.settled
        if pair.told_apart:
            return f"{where}, {first} keeps {_points(pair)} more than {_other(compared, pair)}."
        both = f"{first} and {named(compared, pair.other)}"
        return f"{where}, {both} cannot be told apart with {m}: {_apart(pair)}."
    if not behind:
        return f"{where}, {first} keeps the most, but no run can be told apart from it with {m}."
    nearest = min(behind, key=lambda pair: pair.mean)
    text = f"{where}, {first} keeps the most: {_points(nearest)} more than "
    text += _other(compared, nearest) + (", the next" if not close else "")
    if close:
        text += f". With {m} it cannot be told apart from {_listed(compared, close)}"
    return f"{text}."


def _nearest(compared: RunsCompared) -> str:
    """Of the runs that do not have the speedup: the nearest they have."""
    short = [
        f"{named(compared, number)} has no effort near it, the nearest is {times(one.speedup)}"
        for number, one in enumerate(compared.at_speedup)
        if one is not None and not one.reached
    ]
    more = len(short) - MOST_NAMED
    return "; ".join([*short[:MOST_NAMED], *([f"and so {more} more"] if more > 0 else [])]) + "."


def _points(pair: Settled) -> str:
    return f"{_one(pair.mean)} points"


def _other(compared: RunsCompared, pair: Settled) -> str:
    m = counted(compared.runs[0].data.m, "query", "queries")
    return f"{named(compared, pair.other)} ({_interval(pair)}, {m}{_how(pair)})"


def _apart(pair: Settled) -> str:
    return f"{_one(pair.mean)} points, {_interval(pair)}{_how(pair)}"


def _interval(pair: Settled) -> str:
    return f"{100 * pair.confidence:.3g}% interval {_one(pair.low)} to {_one(pair.high)}"


def _how(pair: Settled) -> str:
    return "" if pair.paired else ", unpaired"


def _one(share: float) -> str:
    """Points with one decimal, two where one would show 0."""
    points = 100 * share
    text = f"{points:.2f}" if 0 < abs(points) < 0.05 else f"{points:.1f}"
    return text.replace("-0.0", "0.0").replace("-", "−")


def _listed(compared: RunsCompared, pairs: list[Settled]) -> str:
    names = [named(compared, pair.other) for pair in pairs]
    if len(names) > MOST_NAMED:
        return f"{len(names)} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _at_precision(compared: RunsCompared) -> str:
    where = f"At a precision of {100 * compared.precision:g}%"
    points = [(number, one) for number, one in enumerate(compared.at_precision) if one is not None]
    have = sorted(
        ((number, one) for number, one in points if one.speedup is not None),
        key=lambda entry: -(entry[1].speedup or 0.0),
    )
    if not have:
        number, best = max(points, key=lambda entry: entry[1].best)
        most = f"the best is {percent(best.best)}, of {named(compared, number)}"
        return f"{where} there is nothing to compare: no run has it; {most}."
    (first, fastest), *others = have
    text = f"{where}, {named(compared, first)} has {_saved(fastest)}"
    if others:
        second, next_one = others[0]
        low, high = fastest.low, next_one.high
        apart = low is not None and high is not None and low > high
        meet = "do not meet" if apart else "meet, so neither is surely ahead"
        text += f", {named(compared, second)} {_saved(next_one)}; their intervals {meet}"
    return f"{text}.{_without(compared, [number for number, one in points if one.speedup is None])}"


def _without(compared: RunsCompared, lacking: list[int]) -> str:
    """Which runs never have the precision, and the best they have."""
    if not lacking:
        return ""
    texts = []
    for number in lacking[:MOST_NAMED]:
        one = compared.at_precision[number]
        assert one is not None
        texts.append(
            f"{named(compared, number)} does not reach it, its best is {percent(one.best)}"
        )
    more = len(lacking) - MOST_NAMED
    return f" {'; '.join([*texts, *([f'nor do {more} more'] if more > 0 else [])])}."


def _saved(one: AtPrecision) -> str:
    """31.0× (95% interval 27.1× to 33.4×); without a low end where no effort is so sure."""
    assert one.speedup is not None
    assert one.high is not None
    if one.low == one.high:
        return f"{times(one.speedup)} (no other effort fits at 95%)"
    low = "up" if one.low is None else times(one.low)
    return f"{times(one.speedup)} (95% interval {low} to {times(one.high)})"
