"""From what is known to the picture in the browser: items, groups, centroids, what is followed."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.progress import Progress
from mips_core.base.text import counted
from mips_core.figures.map import PointColours
from mips_core.groups import projection
from mips_core.groups.clusters import GroupLevel, OutlineRings, outlines_of
from mips_core.groups.projection import Anchors, anchors_of, lifted_queries
from mips_core.studies.misses import walk
from pages._ui.elements.blobs import block
from pages._ui.elements.map_message import (
    MapLayout,
    MapLevel,
    MapMessage,
    MapSearch,
    Outlines,
    PathStep,
)
from pages._ui.map import health_work, places
from pages._ui.map.colours import LABELS, colouring
from pages._ui.map.places import space_of
from pages._ui.map.scene import FollowedQuery, MapScene
from pages._ui.parts import followed_search
from pages._ui.parts.data_export import file_stem
from pages._ui.parts.map_space import Space
from pages._ui.parts.question.question import TYPED, QueryChoice, picked, title_of
from pages._ui.parts.question.question import name_of as query_name
from pages._ui.state.session import Session
from pages._ui.work.task import Task, is_quick, once

OFFERED = 5  # queries
MOST_PLACED = 4_000  # centroids: more would hide the points
SENTENCE = (
    "**{name}**, {effort} {noun}: {candidates} of {n} items scored, **{found} of {K}** true "
    "answers found, {missed} missed. **{speedup}×** fewer inner products than exact search."
)
BELOW_ONE = (
    "**{name}**, {effort} {noun}: {candidates} of {n} items scored, **{found} of {K}** true "
    "answers found, {missed} missed. For this query it saves nothing against exact search: "
    "{speedup}×."
)


def picture_of(scene: MapScene, colours: PointColours) -> MapMessage | None:
    """The map; None before the items have places."""
    layout, session, marked = scene.layout, scene.session, scene.marked
    if layout is None:
        return None
    settled, dataset = scene.settled, scene.dataset
    return MapMessage(
        n=dataset.n,
        topic=scene.topic,
        layout=MapLayout(block(("places", session.owner), layout.xy), settled, layout.note),
        colouring=colouring(scene, colours),
        levels=[_level(scene, level) for level in scene.levels],
        level=scene.at,
        norms=block(("norms", scene.topic), _norms(scene)),
        labels=followed_search.labels(dataset),
        alt=_alt(scene, colours),
        query=title_of(session, picked(session)) if scene.state.follow else "",
        offers=_offers(session),
        followed=followed_of(scene),
        outlines=_outlines(scene) if settled else None,
        show_names=scene.state.names,
        show_tree=any(np.count_nonzero(level.sizes) > 1 for level in scene.levels),
        chosen=marked.items if marked and marked.by_page else None,
        focus=scene.focus,
        file_name=f"map-{file_stem(session)}",
    )


def _offers(session: Session) -> list[tuple[str, str]]:
    """The query of the Search page, and the first of those in use."""
    first = [QueryChoice("query", i) for i in range(min(session.dataset.m, OFFERED))]
    queries = dict.fromkeys([picked(session), *first])
    asked = [query for query in queries if query.kind not in TYPED or query.typed.strip()]
    return [(query.text, query_name(session, query)) for query in asked]


def _norms(scene: MapScene) -> Any:
    key = ("norms for the map", scene.topic)
    return once(key, lambda: scene.norms.astype(np.float32))


def _level(scene: MapScene, level: GroupLevel) -> MapLevel:
    measured = scene.measured
    return MapLevel(
        label=level.label,
        nouns=level.nouns,
        of=block(("groups", measured.building.key, measured.index, level.number), level.of),
        sizes=level.sizes,
        names=level.names,
        central=level.central,
        colours=level.colours,
        parents=level.parents,
        centroids=centroids(scene, level),
        measures=health_work.measures(scene) if level is scene.level else {},
    )


def _outlines(scene: MapScene) -> Outlines | None:
    """Those of the level shown, where they were asked for and are known."""
    kind, level, layout = scene.state.outlines, scene.level, scene.layout
    if kind == "none" or level is None or layout is None:
        return None

    def make(progress: Progress) -> OutlineRings:
        return outlines_of(layout.xy, level.of, kind)

    place = (places.wanted(scene.session).key, layout.epoch)
    key = ("map outlines", place, scene.shown, kind)
    quick = is_quick(scene.dataset)
    rings = Task(key, "Outlines on the map", make, "show", quick).ask(scene.session.owner)
    return None if rings is None else Outlines(rings.points, rings.starts, rings.groups)


def _alt(scene: MapScene, colours: PointColours) -> str:
    assert scene.layout is not None
    method = {"umap": "UMAP", "pca": "PCA"}[scene.layout.method]
    items = counted(scene.dataset.n, "item", "items")
    label = colours.label or LABELS["group"]
    return (
        f"Map of {items} by {method}, coloured by {label[0].lower()}{label[1:]}. The table below "
        "lists what is selected, and the groups."
    )


def among(scene: MapScene, space: Space, rows: Matrix, name: Hashable) -> Matrix:
    """(q, 2) float32: the places of rows (q, d') of `space`, named by what they are.

    What holds them is found once, so that each new layout moves them at no cost.
    """
    layout = scene.layout
    assert layout is not None
    fitted = np.arange(scene.dataset.n) if layout.fitted is None else layout.fitted
    key = ("map anchors", space, scene.topic, scene.dataset.metric, len(fitted), name)
    held: Anchors = once(key, lambda: anchors_of(space.rows(scene.dataset), fitted, rows))
    return held.places(layout.xy[fitted])


def centroids(scene: MapScene, level: GroupLevel) -> Any:
    """(k, 2) float32: the places of the centroids of a level; None where it has none, or many.

    Centroids are rows of the index's own space, whatever nearness on the map is measured on.
    """
    rows = level.centroid_rows
    if not scene.settled or rows is None or len(rows) > MOST_PLACED:
        return None
    space = space_of(scene.state, scene.measured.index).as_index(scene.measured.index)
    name = ("centroids", scene.measured.building.key, scene.measured.index, level.number)
    return among(scene, space, np.ascontiguousarray(rows, np.float32), name)


def followed_of(scene: MapScene) -> MapSearch | None:
    """It, where it is known."""
    search, layout = scene.search, scene.layout
    if search is None or search.followed is None or layout is None:
        return None
    index, followed = scene.measured.index, search.followed
    return MapSearch(
        name=name_of(scene, search),
        place=place_of(scene, search, layout),
        item=_item(search),
        effort_label=index.effort_name,
        effort_nouns=index.effort_nouns,
        effort_help=index.effort_help,
        efforts=followed.efforts,
        chosen=scene.position,
        opened=block(("opened", scene.session.owner), followed.opened),
        lost_starts=followed.lost_starts,
        lost_ids=followed.lost_ids,
        candidates=followed.candidates,
        costs={part: np.asarray(cost, np.float32) for part, cost in followed.costs.items()},
        true=followed.true,
        found=followed.found,
        why=followed.why,
        order=followed.order,
        order_at=followed.order_at,
        steps=_steps(scene, search),
        sentence=SENTENCE,
        sentence_below_one=BELOW_ONE,
    )


def name_of(scene: MapScene, search: FollowedQuery) -> str:
    """What the map calls the query, as text."""
    return title_of(scene.session, search.query)


def place_of(
    scene: MapScene, search: FollowedQuery, layout: projection.Layout
) -> tuple[float, float]:
    """Where the query stands: an item at its point, another by the items nearest to it."""
    item = _item(search)
    if item >= 0:
        x, y = layout.xy[item]
        return float(x), float(y)
    space = places.space_of(scene.state, scene.measured.index)
    query = search.question.query[None]
    rows = lifted_queries(scene.dataset, space.recipe.space, space.reduction, query)
    ((x, y),) = among(scene, space, rows, ("query", query.tobytes()))
    return float(x), float(y)


def _item(search: FollowedQuery) -> int:
    return search.query.number if search.query.kind == "item" else -1


def _steps(scene: MapScene, search: FollowedQuery) -> list[PathStep]:
    """The walk at the effort of the slider; of groups alone, since items are told by `opened`."""
    assert scene.searcher is not None
    index, K = scene.measured.index, len(search.true.ids)
    steps = walk(scene.searcher, index, search.question, scene.effort, K, scene.levels)
    return [
        PathStep(
            step.label,
            step.level,
            np.asarray(step.scored[: None if step.level >= 0 else 0], np.int32),
            np.asarray(step.kept[: None if step.level >= 0 else 0], np.int32),
            float(step.spent),
        )
        for step in steps
    ]
