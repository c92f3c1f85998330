"""What tuning found, in sentences: Markdown that pages and commands show as it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from mips_core.base.text import (
    counted,
    duration,
    inner_products,
    memory,
    percent,
    rounded,
    saved,
    times,
)
from mips_core.studies.tuning.budget import Within
from mips_core.studies.tuning.promise import Tuned
from mips_core.studies.tuning.scouting import SAMPLES
from mips_core.studies.tuning.standing import Omission
from mips_core.studies.tuning.trials import Trial


def in_words(answer: Tuned | Within) -> str:
    """What was found, as Markdown."""
    if answer.missing:
        return provisional_in_words(answer)
    return promise_in_words(answer) if isinstance(answer, Tuned) else budget_in_words(answer)


def as_dict(answer: Tuned | Within) -> dict[str, Any]:
    """The same as plain values for JSON, with what was seen beside it."""
    runners_up = [trial.as_dict() for trial in answer.runners_up]
    if isinstance(answer, Within):
        return {"budget": answer.budget.limits, **_tried(answer), "runners_up": runners_up}
    return {
        "need": asdict(answer.need),
        **_tried(answer),
        "best": answer.best.as_dict(),
        "close_call": None if answer.close_call is None else answer.close_call.as_dict(),
        "queries_needed": answer.queries_needed,
        "runners_up": runners_up,
    }


def _tried(answer: Tuned | Within) -> dict[str, Any]:
    """What both kinds of answers have in common."""
    return {
        "K": answer.K,
        "queries": {"tuning": answer.m_tuning, "held_out": answer.m_held_out},
        "tried": {
            "settings": answer.n_settings,
            "efforts": answer.n_efforts,
            "on_samples": answer.on_samples,
            "left_out": [method.as_dict() for method in answer.left_out],
        },
        "provisional": bool(answer.missing),
        "in_words": in_words(answer),
        "chosen": None if answer.chosen is None else answer.chosen.as_dict(),
    }


def provisional_in_words(answer: Tuned | Within) -> str:
    """The best before every setting is in, of which nothing is promised yet."""
    trial, so_far = answer.chosen, best_of(answer.n_settings, answer.missing)
    if trial is None:
        wanted = "is sure enough" if isinstance(answer, Tuned) else "keeps the budget"
        return f"**Provisional: of {so_far} none {wanted}.** Settings to come may."
    return (
        f"**Provisional: best of {so_far}.** {trial.setting_in_words()}: "
        f"{percent(trial.precision)} of the true top {answer.K} on queries it was not chosen on, "
        f"{_savings(trial).replace('**', '')}. Nothing is promised before every setting is in: "
        "the answer may become cheaper or dearer."
    )


def samples_in_words(answer: Tuned | Within) -> str:
    """What was tried on samples alone, or left out, and what that may have cost; "" for nothing."""
    if not answer.on_samples:
        return " ".join(left_out_in_words(answer.left_out))
    is_need = isinstance(answer, Tuned)
    seemed, may_be = ("dearer", "cheaper") if is_need else ("less precise", "more precise")
    text = (
        f"{counted(answer.on_samples, 'other setting was', 'other settings were')} tried on "
        f"samples of {' and '.join(f'{size:,}' for size in SAMPLES)} items alone, and seemed "
        f"{seemed} there, or too slow to build: one of them may still be {may_be}. "
        f"What is {'promised' if is_need else 'told of the answer'} does not rest on samples."
    )
    return " ".join((text, *left_out_in_words(answer.left_out)))


def left_out_in_words(left_out: Sequence[Omission]) -> Iterator[str]:
    """A sentence a sample: Left out after 10,000 items: IP-tree seems to cost 6.2× the best …"""
    for size in dict.fromkeys(one.after for one in left_out):
        these = "; ".join(one.in_words() for one in left_out if one.after == size)
        yield f"Left out{f' after {size:,} items' if size else ''}: {these}."


def best_of(count: int, missing: int) -> str:
    """19 of 63 settings so far."""
    return f"{count:,} of {counted(count + missing, 'setting', 'settings')} so far"


def promise_in_words(tuned: Tuned) -> str:
    """The answer and the close call, or that no setting reaches the precision."""
    if tuned.chosen is None:
        return f"{_none_reaches(tuned)} {_what_would_help(tuned)}"
    text = _answer(tuned, tuned.chosen)
    return f"{text} {close_call_in_words(tuned)}".strip()


def _answer(tuned: Tuned, trial: Trial) -> str:
    confidence = percent_of(tuned.need.confidence)
    sure = (
        "which is certain"
        if trial.lower == 1
        else f"at least {percent(trial.lower)} with {confidence} confidence"
    )
    return (
        f"**{trial.setting_in_words()}.** On queries it has not seen it finds "
        f"**{percent(trial.precision)}** of the true top {tuned.K}, {sure}, {_savings(trial)}."
    )


def _savings(trial: Trial) -> str:
    return saved(trial.cost, trial.n)


def percent_of(confidence: float) -> str:
    """95%, 99.9%."""
    return f"{100 * confidence:g}%"


def close_call_in_words(tuned: Tuned) -> str:
    """What may hold at less cost, and how many queries would tell; "" where nothing may."""
    call = tuned.close_call
    if call is None:
        return ""
    text = (
        f"{call.setting_in_words()} ({inner_products(call.cost)}) may reach "
        f"{tuned.need.precision:g} too, but {tuned.m_held_out:,} held-out queries cannot settle it."
    )
    if tuned.queries_needed is None:
        return f"{text} Its precision is too close to the target for any number of queries."
    return f"{text} About {rounded(tuned.queries_needed):,} queries in all would."


def order_in_words(answer: Tuned, trials: Sequence[Trial]) -> str:
    """How the answer was found, and why what seems to hold at less cost is not it.

    "" where there are too few queries for any test.
    """
    if answer.too_few and not answer.missing:
        return ""
    if answer.missing:
        return (
            "Settings are tested, in a fixed order, once every one is in. Until then none is said "
            "to hold, even where its interval clears the target: among many, some do by luck."
        )
    unused = (
        "What reads “not tested” clears the target, but comes after the first that failed, or "
        "beside the order: picking what happens to pass, out of many, is how one is fooled."
    )
    order = (
        "Settings are tested on the held-out queries from the safest to the cheapest, until one "
        f"fails{'; the last that held is the answer' if answer.chosen else ', here the first'}."
    )
    return f"{order} {unused}" if any(t.verdict == "not tested" for t in trials) else order


def _none_reaches(tuned: Tuned) -> str:
    best, need = tuned.best, tuned.need
    if tuned.too_few:
        return (
            f"**{tuned.m_held_out:,} held-out queries cannot carry a promise of {need.precision:g} "
            f"at {percent_of(need.confidence)} confidence: it takes {need.fewest:,}.** With fewer, "
            "what fails now and then may show in none of them. The best finds "
            f"{percent(best.precision)} there: {best.setting_in_words()}, {times(best.speedup)}."
        )
    return (
        f"**No setting reaches {need.precision:g} at {percent_of(need.confidence)} confidence.** "
        f"The best is {percent(best.precision)} (at least {percent(best.lower)}): "
        f"{best.setting_in_words()}, {times(best.speedup)}."
    )


def _what_would_help(tuned: Tuned) -> str:
    if tuned.need.precision == 1:
        return (
            "Only exact search can promise 1: queries not seen may always hold a miss. Lower the "
            "target."
        )
    if tuned.too_few and tuned.queries_needed:
        return f"Take {rounded(tuned.queries_needed):,} queries or more, or lower the target."
    if tuned.best.precision < tuned.need.precision:
        return "More queries would not change that: lower the target, or try other methods."
    if tuned.queries_needed is None:
        return "Lower the target."
    return (
        f"Lower the target, or take about {rounded(tuned.queries_needed):,} queries to narrow the "
        "interval."
    )


def budget_in_words(within: Within) -> str:
    """The most precise setting within the budget, or why there is none."""
    trial = within.chosen
    if trial is None:
        return f"**No setting keeps the budget.** {within.why_none}"
    low, high = trial.interval
    between = (
        "which is certain" if low == 1 else f"{percent(low)} to {percent(high)} with 95% confidence"
    )
    text = (
        f"**{trial.setting_in_words()}.** On queries it has not seen it finds "
        f"**{percent(trial.precision)}** of the true top {within.K} ({between}), "
        f"{_savings(trial)}. Its index takes {memory(trial.tried.bytes)} and was built in "
        f"{duration(trial.tried.seconds)}."
    )
    if trial.verdict == "holds":
        return text
    limit = within.budget.inner_products
    return f"{text} On these queries it costs a little more than the {limit:,.0f} allowed."
