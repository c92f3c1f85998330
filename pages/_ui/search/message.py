"""The answers to one query, as the element in the browser takes them."""

from itertools import accumulate
from typing import Any

import numpy as np

from mips_core import Index, NestedSearcher
from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.data.item_scores import item_scores
from mips_core.data.metrics import measure_of, shown
from mips_core.studies.misses import AnswersByEffort, located, walk
from pages._ui.parts.data_facts import as_text
from pages._ui.search import softmax
from pages._ui.search.work import QueryAnswers

SAVES_FROM = 1.05  # what is shown as more than 1.0
SENTENCE = "**{name}.** %s, this index finds **{hits} of the true top {K}**"
SAVES = " with **{times}× fewer** inner products than exact search."
SAVES_NOTHING = ". For this query it saves nothing against exact search: {times}×."
FIELDS = {"effort": "{effort}", "live": "{live}"}  # left for the browser to fill


def message_of(
    name: str, answered: QueryAnswers, answers: AnswersByEffort, effort: int
) -> dict[str, Any]:
    """Everything the element shows of `answers`; `name` is text, `effort` one of theirs."""
    index, query = answered.measured.index, answered.question.query
    measure = measure_of(answered.measured.dataset)
    sentence = SENTENCE % index.asking.format(**FIELDS)
    return {
        "topic": repr((answered.measured.building.key, index, query.tobytes())),
        "name": name,
        "at": int(np.searchsorted(answers.efforts, effort)),
        "slider": {
            "label": index.effort_name,
            "help": index.effort_help,
            "nouns": index.effort_nouns,
        },
        "words": {
            "saves": sentence + SAVES,
            "savesNothing": sentence + SAVES_NOTHING,
            "groupRank": f"rank of its {index.group_nouns[0]}",
            "lost": f"{measure.label} {'added' if measure.less_is_better else 'lost'}",
        },
        "savesFrom": SAVES_FROM,
        "measure": measure.label,
        "since": _since(answered, answers),
        "why": None if answered.followed is None else answered.followed.why,
        "ranks": _ranks(answered, index),
        "walk": walk_of(answered, effort) if answered.levels else None,
        **_by_effort(answers),
        **_by_item(answered, answers),
        **softmax.columns(answered.measured.dataset, answered.question, answers),
    }


def _by_effort(answers: AnswersByEffort) -> dict[str, Any]:
    """What each effort finds, loses and costs."""
    return {
        "n": answers.n,
        "K": len(answers.true.ids),
        "efforts": answers.efforts,
        "found": answers.found,
        "right": answers.right,
        "ties": answers.precision_with_ties,
        "losses": answers.losses,
        "loss": answers.loss,
        "total": answers.total,
        "cost": answers.cost,
        "speedup": answers.speedup,
        "parts": [{"name": part, "cost": spent} for part, spent in answers.costs.items()],
    }


def _by_item(answered: QueryAnswers, answers: AnswersByEffort) -> dict[str, Any]:
    """The items that are true or returned at any effort (u,), and who they are by place in them."""
    dataset, query = answered.measured.dataset, answered.question.query
    items = np.unique(np.concatenate([answers.true.ids, answers.returned.ravel()]))
    items = items[items >= 0]
    (values,) = shown(dataset, query[None], item_scores(dataset.items, query, items)[None])

    def places(ids: Ids) -> Ids:
        return np.where(ids >= 0, np.searchsorted(items, ids), -1)

    return {
        "items": {
            "rows": items,
            "labels": dataset.labels and [as_text(dataset.labels[item]) for item in items],
            "values": values,
        },
        "true": places(answers.true.ids),
        "returned": places(answers.returned),
        "instead": places(answers.instead),
    }


def _since(answered: QueryAnswers, answers: AnswersByEffort) -> list[str]:
    """The least effort that finds each true answer; what finds less with more says no "on"."""
    index = answered.measured.index
    nested = isinstance(answered.measured.searcher(), NestedSearcher)
    return [
        _least(index, answers, k, " on" if nested else "") for k in range(len(answers.true.ids))
    ]


def _least(index: Index, answers: AnswersByEffort, k: int, ending: str) -> str:
    finds = np.flatnonzero(answers.found[:, k])
    if len(finds) == 0:
        return "never"
    return counted(int(answers.efforts[finds[0]]), *index.effort_nouns) + ending


def _ranks(answered: QueryAnswers, index: Index) -> list[str] | None:
    """The rank, for this query, of the group that holds each true answer, of those ever opened.

    None before it is known, and where groups are not opened as a whole.
    """
    if answered.followed is None or not index.opens_groups:
        return None
    places = located(answered.followed, answered.levels[-1])
    return [f"{rank:,} of {places.opened:,}" if rank else "none" for rank in places.ranks]


def walk_of(answered: QueryAnswers, effort: int) -> dict[str, Any]:
    """A line for each step at one effort, as text; `so far` of the last is the cost of all."""
    measured = answered.measured
    index, searcher = measured.index, measured.searcher()
    steps = walk(
        searcher, index, answered.question, effort, len(answered.true.ids), answered.levels
    )
    lines = [
        {
            "step": step.label,
            "part": step.part,
            "scored": f"{len(step.scored):,}",
            "kept": f"{len(step.kept):,}",
            "spent": f"{step.spent:,.0f}",
            "soFar": f"{so_far:,.0f}",
        }
        for step, so_far in zip(steps, accumulate(step.spent for step in steps), strict=True)
    ]
    exact = counted(searcher.n, "inner product", "inner products")
    caption = (
        f"At {counted(effort, *index.effort_nouns)}. The last line is the cost of the whole "
        f"search; exact search takes {exact}."
    )
    return {"effort": effort, "steps": lines, "caption": caption}
