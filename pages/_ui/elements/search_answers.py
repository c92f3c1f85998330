"""One query's answers at every effort, shipped once and moved in the browser.

Python hears of a drag of the effort once, when the slider is let go: see `value_slider.moved_to`.
"""

from typing import Any

from pages._ui.elements.component import component, nothing, sent_choice
from pages._ui.elements.wire import pack
from pages._ui.state import app_state

_ANSWERS = component("answers", "search_answers.js", "search*.css")

# `assets/search_reading.js` and `search_tables.js` fill the fields. A message adds what depends on
# its index and metric: saves, savesNothing, groupRank, lost.
WORDS: dict[str, str] = {
    "effort": "{effort} of {last}",
    "next": "Of those it misses, **{next}** is found next, with **{enough}**.",
    "noMore": "More effort finds none of those it misses.",
    "precision": "Precision@{K}",
    "ties": "{precision}% where a score equal to that of the last true answer counts as right",
    "cost": "Inner products",
    "speedup": "Speedup",
    "quotient": "{items} ÷ {cost}",
    "share": "{share}% of the {total} that the true answers have in all",
    "sum": "In all, against the true answers",
    "empty": "Not counting {empty} of the places, which stay empty",
    "few": "The index proposed {proposed} of the {K} answers asked for. At another effort it may "
    "propose more.",
    "trueTitle": "The true top {K}",
    "returnedTitle": "What the index returned",
    "whyOne": "Why one is missed",
    "whyMany": "Why {missed} are missed",
    "answer": "answer",
    "found": "✓ found",
    "missed": "✕ missed",
    "missedSign": "✕",
    "label": "label",
    "rowHead": "row",
    "row": "row {row}",
    "probability": "probability",
    "since": "found from",
    "rank": "true rank",
    "hit": "✓ {rank}",
    "tie": "= equal score",
    "other": "✕ not true",
    "reason": "where it lies, and what finds it",
    "instead": "in its place",
    "nothing": "nothing",
    "waiting": "Being looked up.",
    "map": "Show on the map",
    "walkTitle": "The search, step by step",
    "step": "step",
    "part": "part of the cost",
    "scored": "scored",
    "kept": "kept",
    "spent": "inner products",
    "soFar": "so far",
}


def asks_for_map(*, key: str) -> bool:
    """Whether the search is to be shown on the map, since the element `key` was heard last."""
    sent = sent_choice(key)
    return sent.get("map") is True and app_state.is_new_choice(key, sent.get("serial"))


def answers_element(message: dict[str, Any], *, key: str) -> None:
    """Draw it, or update the one drawn under this key; `message` as `search_message` makes it."""
    seen = sent_choice(key).get("serial")
    _ANSWERS(data=pack({**message, "words": WORDS | message["words"], "seen": seen}), key=key,
             on_choice_change=nothing)  # fmt: skip
