"""The search that is followed, for the browser: all its efforts at once, under one slider."""

import numpy as np

from mips_core.groups.projection import Layout, lifted_queries
from mips_core.studies.misses.following import walk
from pages._ui.elements.map_picture import Followed, Step
from pages._ui.map import places, work
from pages._ui.map.asked import Search
from pages._ui.map.scene import Scene
from pages._ui.parts.map_blocks import block
from pages._ui.parts.question.question import title_of

SENTENCE = (
    "**{name}**, {effort} {noun}: {candidates} of {n} items scored, **{found} of {K}** true "
    "answers found, {missed} missed. **{speedup}×** fewer inner products than exact search."
)
BELOW_ONE = (
    "**{name}**, {effort} {noun}: {candidates} of {n} items scored, **{found} of {K}** true "
    "answers found, {missed} missed. For this query it saves nothing against exact search: "
    "{speedup}×."
)


def followed_of(scene: Scene) -> Followed | None:
    """It, where it is known."""
    search, layout = scene.search, scene.layout
    if search is None or search.found is None or layout is None:
        return None
    index, found = scene.measured.index, search.found
    return Followed(
        name=name_of(scene, search),
        place=place_of(scene, search, layout),
        item=_item(search),
        effort_label=index.effort_name,
        effort_nouns=index.effort_nouns,
        effort_help=index.effort_help,
        efforts=found.efforts,
        chosen=scene.position,
        opened=block(("opened", scene.chosen.owner), found.opened),
        lost_starts=found.lost_starts,
        lost_ids=found.lost_ids,
        candidates=found.candidates,
        costs={part: np.asarray(cost, np.float32) for part, cost in found.costs.items()},
        true=found.true,
        found=found.found,
        why=found.why,
        order=found.order,
        order_at=found.order_at,
        steps=_steps(scene, search),
        sentence=SENTENCE,
        sentence_below_one=BELOW_ONE,
    )


def name_of(scene: Scene, search: Search) -> str:
    """What the map calls the query, as text."""
    return title_of(scene.chosen, search.asked)


def place_of(scene: Scene, search: Search, layout: Layout) -> tuple[float, float]:
    """Where the query stands: an item at its point, another by the items nearest to it."""
    item = _item(search)
    if item >= 0:
        x, y = layout.xy[item]
        return float(x), float(y)
    space = work.space_of(scene.view, scene.measured.index)
    query = search.question.query[None]
    rows = lifted_queries(scene.dataset, space.recipe.space, space.reduction, query)
    ((x, y),) = places.among(scene, space, rows, ("query", query.tobytes()))
    return float(x), float(y)


def _item(search: Search) -> int:
    return search.asked.number if search.asked.kind == "item" else -1


def _steps(scene: Scene, search: Search) -> list[Step]:
    """The walk at the effort of the slider; of groups alone, since items are told by `opened`."""
    assert scene.searcher is not None
    index, K = scene.measured.index, len(search.true.ids)
    steps = walk(scene.searcher, index, search.question, scene.effort, K, scene.levels)
    return [
        Step(
            step.label,
            step.level,
            np.asarray(step.scored[: None if step.level >= 0 else 0], np.int32),
            np.asarray(step.kept[: None if step.level >= 0 else 0], np.int32),
            float(step.spent),
        )
        for step in steps
    ]
