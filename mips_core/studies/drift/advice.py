"""When to rebuild, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mips_core.base.errors import ParamError
from mips_core.base.text import counted, inner_products, percent, rounded
from mips_core.evaluation.setting import Setting
from mips_core.studies.drift.upkeep import WAYS, Fresh, Way

TOLERANCE = 0.01  # of precision, by default
CHEAPER = 1.02  # times the cost of a rebuild's searches: what is less is as good as equal
DEAR = 1.25  # times the cost of a rebuild's searches: so much is no small matter
Verdict = Literal["holds", "falls", "cannot tell"]


def verdict(point: Fresh, way: Way, tolerance: float = TOLERANCE) -> Verdict:
    """Whether `way` is no more than `tolerance` behind a rebuild, by the interval of `behind`."""
    seen = point.behind(way)
    if seen.low > tolerance:
        return "falls"
    return "holds" if seen.high <= tolerance else "cannot tell"


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """How far frozen clusters do, of the points of one size by rising share.

    holds: the last point up to which all hold, as `verdict` says; falls: the first that falls;
    dear: the first where searches cost DEAR times those of a rebuild or more. None where there is
    none. `last` is the largest change.
    """

    tolerance: float
    holds: Fresh | None
    falls: Fresh | None
    dear: Fresh | None
    last: Fresh

    @property
    def due(self) -> Fresh | None:
        """The first point where it is time to refresh or rebuild."""
        both = [point for point in (self.falls, self.dear) if point is not None]
        return min(both, key=lambda point: point.share, default=None)

    def in_words(self) -> str:
        """Where to refresh or rebuild, what a refresh does there, when a rebuild pays; Markdown."""
        due = self.due
        if due is None:
            return _unneeded([self])
        there, fresh = _change(due), verdict(due, "refreshed", self.tolerance)
        vain = fresh == "falls" or due.dearness("refreshed") >= DEAR
        text = [f"**{'Rebuild' if vain else 'Refresh or rebuild'} before {there}.**"]
        text.append(f"There {difference_in_words(due, 'frozen')}")
        if due is self.falls and self.holds is not None and self.holds.changed:
            allowed = points_in_words(self.tolerance)
            text.append(f"Up to {100 * self.holds.share:g}% they stay within {allowed}.")
        if due.dearness("frozen") >= DEAR:
            text.append(_dear_in_words(due))
        share = percent(due.spent("refreshed") / due.spent("rebuilt"))
        text += [f"A refresh takes {share} of a rebuild's inner products.",
                 _sentence(difference_in_words(due, "refreshed")), earned_back(due)]  # fmt: skip
        return " ".join(filter(None, text))


def in_words(advices: Sequence[Advice]) -> list[str]:
    """A paragraph for each size where something is due, and one for all others; Markdown."""
    falling = [one for one in advices if one.due is not None]
    others = [one for one in advices if one.due is None]
    return [*(one.in_words() for one in falling), *([_unneeded(others)] if others else [])]


def _unneeded(advices: Sequence[Advice]) -> str:
    """That frozen clusters do, of one or more sizes; with the largest change in numbers."""
    last, allowed = advices[-1].last, points_in_words(advices[-1].tolerance)
    sizes = [f"{one.last.size:g}" for one in advices if one.last.size is not None]
    listed = " and ".join(filter(None, (", ".join(sizes[:-1]), *sizes[-1:])))
    to = f"moves of {listed} rms" if sizes else "new items"
    if all(one.holds is one.last for one in advices):
        lead = f"**No rebuild is needed for {to}, as far as was tried.**"
    else:
        lead = (
            f"**No need for a rebuild was seen for {to}.** More queries would make it sure, to "
            f"within {allowed}."
        )
    text = f"{lead} With {_change(last)}, {difference_in_words(last, 'frozen')}"
    return f"{text} {earned_back(last)}".strip()


def advice(points: Sequence[Fresh], tolerance: float = TOLERANCE) -> Advice:
    """What to say of `points` of one size, by rising share.

    Raises ParamError for no point and a tolerance outside 0 to 1.
    """
    check_tolerance(tolerance)
    if not points:
        raise ParamError("Nothing was measured yet.", "Measure a change first.")
    verdicts = [verdict(point, "frozen", tolerance) for point in points]
    first = next((at for at, one in enumerate(verdicts) if one != "holds"), len(points))
    pairs = zip(points, verdicts, strict=True)
    falls = next((point for point, one in pairs if one == "falls"), None)
    dear = next((point for point in points if point.dearness("frozen") >= DEAR), None)
    return Advice(tolerance, points[first - 1] if first else None, falls, dear, points[-1])


def in_words_of_one(point: Fresh, tolerance: float = TOLERANCE) -> str:
    """What to do about one change that has happened; Markdown."""
    if not (point.changed or point.removed):
        return "**Nothing is to be kept up with.**"
    frozen, fresh = (verdict(point, way, tolerance) for way in ("frozen", "refreshed"))
    allowed = points_in_words(tolerance)
    if frozen != "falls" and point.dearness("frozen") >= DEAR:
        lead = _dear_in_words(point)
    elif frozen == "holds":
        lead = f"No rebuild is needed: frozen clusters stay within {allowed} of one."
    elif frozen == "falls":
        lead = "Refresh." if fresh == "holds" else "Rebuild, or refresh for more rounds."
    else:
        lead = f"More queries would tell whether frozen clusters lose more than {allowed}."
    text = [f"**{lead}**", _sentence(difference_in_words(point, "frozen"))]
    if frozen != "holds":
        text.append(_sentence(difference_in_words(point, "refreshed")))
    return " ".join(filter(None, (*text, _spent_in_words(point), earned_back(point))))


def _dear_in_words(point: Fresh) -> str:
    return (
        f"A search of frozen clusters costs {point.dearness('frozen'):.3g} times as much as one of "
        "a rebuild."
    )


def _spent_in_words(point: Fresh) -> str:
    frozen, fresh, rebuilt = (point.spent(way) for way in WAYS)
    return (
        f"Joining the clusters took {inner_products(frozen)}, with a refresh {fresh:,.0f}; a "
        f"rebuild takes {rebuilt:,.0f}."
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def check_tolerance(tolerance: float) -> None:
    """Raise ParamError unless `tolerance` is a share of precision."""
    if not 0 <= tolerance <= 1:
        raise ParamError(f"The tolerance is {tolerance:g}.", "Give a share of precision, 0 to 1.")


def difference_in_words(point: Fresh, way: Way) -> str:
    """What `way` finds; how much else a rebuild does, with the interval, and why it finds fewer."""
    seen = point.behind(way)
    text = f"{way} clusters find {point.precision(way):.1%} of the true answers."
    if seen.mean == 0:
        return f"{text} A rebuild finds as many."
    sign = 1 if seen.mean > 0 else -1
    low, high = sorted((100 * sign * seen.low, 100 * sign * seen.high))
    interval = f"95% interval {_decimal(low)} to {_decimal(high)}"
    points = f"{_decimal(100 * abs(seen.mean))} points"
    text += f" A rebuild finds {points} {'more' if seen.mean > 0 else 'fewer'} ({interval})"
    if seen.high < 0 and point.dearness(way) >= CHEAPER:
        return f"{text}: with the same effort it looks at fewer items."
    return f"{text}."


def effort_in_words(setting: Setting, points: Sequence[Fresh]) -> str:
    """10 probes; where builds offer fewer: 8 probes, the most offered up to 10."""
    low, high = (end(p.efforts[at] for p in points) for at, end in enumerate((min, max)))
    text = counted(high, *setting.index.effort_nouns)
    if low < high:
        text = f"{low:,} to {text}"
    return text if low == setting.effort else f"{text}, the most offered up to {setting.effort:,}"


def earned_back(point: Fresh) -> str:
    """After how many searches a rebuild has earned what it takes; "" where it hardly does."""
    searches = point.paid_back("frozen")
    if searches is None or point.dearness("frozen") < CHEAPER:
        return ""
    saved = inner_products(point.cost("frozen") - point.cost("rebuilt"))
    after = counted(rounded(max(int(searches), 1)), "search", "searches")
    return f"A search of the rebuild costs {saved} less. That earns it back after about {after}."


def points_in_words(share: float) -> str:
    """1 point; 2.5 points."""
    return f"{100 * share:g} {'point' if share == 0.01 else 'points'}"


def _change(point: Fresh) -> str:
    share = f"{100 * point.share:g}%"
    if point.size is None:
        return f"{share} more items"
    return f"{share} of the items moved by {point.size:g} rms"


def _decimal(points: float) -> str:
    return f"{points:.1f}".replace("-", "−")
