"""Which setting a report recommends, and how it was chosen, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from mips_core.base.text import percent
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT, Evaluation
from mips_core.evaluation.setting import Setting
from mips_core.studies import operating_point
from mips_core.studies.tuning import Need, Tuned, Within, in_words
from mips_core.studies.tuning.wording import close_call_in_words, percent_of


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A setting, how it was chosen, and the precision that was asked for where one was.

    provisional: settings were still to come.
    """

    setting: Setting
    words: str
    target: float | None = None
    provisional: bool = False


def at_precision(
    evaluations: Sequence[Evaluation],
    K: int,
    precision: float,
    unpromised: Need | None = None,
    so_far: str = "",
) -> Recommendation:
    """The cheapest of `evaluations`, one or more, with `precision`; else the most precise.

    Chosen on one half of the queries, where there are enough of them to hold the other half out.
    unpromised: what tuning was asked for and did not find. so_far: "19 of 63 settings so far",
    where others are to come.
    """
    solved = operating_point.at_precision(evaluations, K, precision)
    if solved.reached:
        words = f"It is the cheapest setting measured that finds {precision:g} or more"
    else:
        words = (
            f"No setting measured finds {precision:g} or more (the best finds "
            f"{percent(solved.precision)} there): this is the most precise"
        )
    split = evaluations[0].truth.m >= FEWEST_TO_SPLIT
    on = "the queries that choose" if split else "the same queries"
    before = f"Provisional, best of {so_far}: nothing is promised yet. " if so_far else ""
    text = f"{before}{_none_holds(unpromised)}{words}, on {on}."
    return Recommendation(solved.setting, text, precision, bool(so_far))


def _none_holds(need: Need | None) -> str:
    if need is None:
        return ""
    sure = percent_of(need.confidence)
    return f"No setting measured promises {need.precision:g} at {sure} confidence. "


def by_tuning(answer: Tuned | Within) -> Recommendation | None:
    """The answer of tuning; None where it found nothing that holds, or has not ended."""
    if answer.chosen is None or answer.missing:
        return None
    if isinstance(answer, Within):
        words = f"Found by tuning, within a budget: {in_words(answer).replace('**', '')}"
        return Recommendation(answer.chosen.setting, words)
    need, sure = answer.need, answer.chosen.lower
    promise = "which is certain" if sure == 1 else f"at least {percent(sure)}"
    words = (
        f"Found by tuning for {need.precision:g} at {percent_of(need.confidence)} confidence: on "
        f"queries it has not seen, {promise}. {close_call_in_words(answer)}"
    )
    return Recommendation(answer.chosen.setting, words.strip(), need.precision)


def as_set(setting: Setting) -> Recommendation:
    """A setting that a person set, on whatever grounds."""
    return Recommendation(setting, "It was set by hand.")
