"""Verdicts as words, rows and plain values."""

from math import exp
from typing import Any

from mips_core.base.text import MADE_BY
from mips_core.evaluation.intervals import CONFIDENCE
from mips_core.studies.paper import by_clock
from mips_core.studies.paper.jackknife import Estimate
from mips_core.studies.paper.run import PaperResult
from mips_core.studies.paper.verdicts import FAMILY, Judged, Judgement, Unit

SIGNS = {1: "for", -1: "against", 0: "open"}
RULE = (
    "Each claim is asked at several conditions, each with an effect that is above 0 (a ratio above "
    "1) where the claim is right. It holds where the mean effect is surely so and no condition is "
    "surely against it; it does not hold where the mean or any condition is surely against it; "
    "else nobody can tell. Effects in points are hundredths of precision, the share of the true K "
    "best items that is found."
)


def family_in_words(result: PaperResult) -> str:
    """How many comparisons were made, and what that does to “surely”."""
    return (
        f"{result.comparisons:,} comparisons were made. Single intervals are of "
        f"{CONFIDENCE:.0%}, over queries and builds; with so many some would look sure by luck "
        f"alone, so “surely” is by Holm's procedure, which holds all of them together to "
        f"{FAMILY:.0%}."
    )


def summary_in_words(result: PaperResult) -> list[str]:
    """A line for each data set: how many claims hold, do not, or stay open."""
    lines = []
    for name in dict.fromkeys(one.data for one in result.judgements):
        of_data = [one for one in result.judgements if one.data == name]
        verdicts = [one.verdict for one in of_data]
        if len(of_data) == 1:
            lines.append(f"{name}: claim {of_data[0].claim.number}: {verdicts[0]}.")
            continue
        told = [f"{verdicts.count(word)} {words}" for word, words in (  # type: ignore[arg-type]
            ("holds", "hold"), ("does not hold", "do not hold"), ("cannot tell", "cannot be told"),
        )]  # fmt: skip
        lines.append(f"{name}: of {len(verdicts)} claims {', '.join(told)}.")
    return lines


def effect_in_words(estimate: Estimate, unit: Unit) -> str:
    """+16.4 points (14.7 to 18.1), or 2.18× (1.86 to 2.56)."""
    ends = (estimate.value, estimate.low, estimate.high)
    if unit == "ratio":
        value, low, high = (f"{exp(min(one, 50.0)):.3g}" for one in ends)
        return f"{value}× ({low} to {high})"
    value, low, high = (f"{100 * one:+.1f}".replace("-", "−") for one in ends)
    return f"{value} points ({low} to {high})"


def figure_of(judgement: Judgement, stem: str) -> str:
    """The name of the figure behind a verdict; `stem` is that of the data."""
    figure = judgement.claim.figure
    return figure if figure == "scale-figure" else f"{stem}-{figure}"


def counts_in_words(judgement: Judgement) -> str:
    """13 of 15 surely for it, 1 surely against, 1 open; 2 cannot be asked."""
    signs = [one.sign for one in judgement.conditions]
    text = f"{signs.count(1)} of {len(signs)} surely for it"
    if signs.count(-1):
        text += f", {signs.count(-1)} surely against"
    if judgement.left_out:
        text += f"; {len(judgement.left_out)} cannot be asked"
    return text


def clock_of(result: PaperResult, judgement: Judgement) -> str:
    """What the clock says beside a verdict; "" where the claim is not one of time."""
    if judgement.claim.number != by_clock.CLAIM:
        return ""
    return result.clocks.get(judgement.data, by_clock.NOT_TIMED)


def rows(result: PaperResult) -> list[dict[str, Any]]:
    """A flat row for every verdict."""
    stems = stems_of(result)
    return [
        {
            "claim": one.claim.number, "says": one.claim.text, "section": one.claim.section,
            "data": one.data, "verdict": one.verdict,
            "effect": "" if one.mean is None else effect_in_words(
                one.mean.estimate, one.claim.unit),
            "conditions": counts_in_words(one),
            "weakest": "" if one.weakest is None else one.weakest.words,
            "why": one.why, "measured": one.claim.sought, "clock": clock_of(result, one),
            "figure": figure_of(one, stems[one.data]),
        }
        for one in result.judgements
    ]  # fmt: skip


def stems_of(result: PaperResult) -> dict[str, str]:
    """Name of the data -> what the files of its figures begin with."""
    sets = [*result.sets, *([result.scale] if result.scale is not None else [])]
    return {one.facts.name: one.facts.stem for one in sets}


def as_dict(result: PaperResult) -> dict[str, Any]:
    """Everything that was judged, as plain values for JSON."""
    stems = stems_of(result)
    return {
        "made_by": MADE_BY,
        "paper": "Auvolat, Chandar, Vincent, Larochelle and Bengio 2015, arXiv 1507.05910",
        "quick": result.quick,
        "comparisons": result.comparisons,
        "family_level": FAMILY,
        "confidence": CONFIDENCE,
        "rule": RULE,
        "data": [one.facts.as_dict() for one in result.sets],
        "claims": [
            _claim(one, stems[one.data]) | {"by_the_clock": clock_of(result, one) or None}
            for one in result.judgements
        ],
    }


def _claim(one: Judgement, stem: str) -> dict[str, Any]:
    return {
        "number": one.claim.number,
        "claim": one.claim.text,
        "section": one.claim.section,
        "data": one.data,
        "measured": one.claim.sought,
        "unit": "log of a ratio" if one.claim.unit == "ratio" else "share",
        "effect": None if one.mean is None else _judged(one.mean),
        "verdict": one.verdict,
        "figure": figure_of(one, stem),
        "why": one.why,
        "conditions": [_judged(condition) for condition in one.conditions],
        "not_asked": list(one.left_out),
    }


def _judged(one: Judged) -> dict[str, Any]:
    seen = one.estimate
    return {
        "at": one.words, "value": _short(seen.value), "low_95": _short(seen.low),
        "high_95": _short(seen.high), "p": _short(seen.p), "p_holm": _short(one.adjusted),
        "surely": SIGNS[one.sign],
    }  # fmt: skip


def _short(value: float) -> float:
    """Six digits: what is beyond is rounding."""
    return float(f"{value:.6g}")
