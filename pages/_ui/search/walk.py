"""The walk of one search, step by step: what was scored and kept, and what it has cost so far."""

from itertools import accumulate
from typing import Any

from mips_core.base.text import counted
from mips_core.studies.misses.following import walk
from pages._ui.parts import followed_search
from pages._ui.search.work import Asked


def walk_of(asked: Asked, effort: int) -> dict[str, Any]:
    """A line for each step at one effort, as text; `so far` of the last is the cost of all."""
    measured = asked.measured
    index, searcher = measured.index, followed_search.searcher_of(measured)
    steps = walk(searcher, index, asked.question, effort, len(asked.true.ids), asked.levels)
    lines = [
        {
            **{"step": step.label, "part": step.part},
            **{"scored": f"{len(step.scored):,}", "kept": f"{len(step.kept):,}"},
            **{"spent": f"{step.spent:,.0f}", "soFar": f"{so_far:,.0f}"},
        }
        for step, so_far in zip(steps, accumulate(step.spent for step in steps), strict=True)
    ]
    exact = counted(searcher.n, "inner product", "inner products")
    caption = (
        f"At {counted(effort, *index.effort_nouns)}. The last line is the cost of the whole "
        f"search; exact search takes {exact}."
    )
    return {"effort": effort, "steps": lines, "caption": caption}
