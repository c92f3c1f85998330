"""From what is known to the picture in the browser."""

from typing import Any

import numpy as np

from mips_core.base.progress import Progress
from mips_core.base.text import counted
from mips_core.figures.map import PointColours
from mips_core.groups.clusters import GroupLevel, OutlineRings, outlines_of
from pages._ui.elements.map_picture import Layout, Level, MapPicture, Outlines
from pages._ui.map import health_work, places
from pages._ui.map import layout as map_layout
from pages._ui.map.colour import LABELS, colouring
from pages._ui.map.followed import followed_of
from pages._ui.map.scene import Scene
from pages._ui.parts import followed_search
from pages._ui.parts.data_export import file_stem
from pages._ui.parts.map_blocks import block
from pages._ui.work.piece import Piece, is_quick, once


def picture_of(scene: Scene, colours: PointColours) -> MapPicture | None:
    """The map; None before the items have places."""
    layout, chosen, marked = scene.layout, scene.chosen, scene.marked
    if layout is None:
        return None
    settled, dataset = scene.settled, scene.dataset
    return MapPicture(
        n=dataset.n,
        topic=scene.topic,
        layout=Layout(block(("places", chosen.owner), layout.xy), settled, layout.note),
        colouring=colouring(scene, colours),
        levels=[_level(scene, level) for level in scene.levels],
        level=scene.at,
        norms=block(("norms", scene.topic), _norms(scene)),
        labels=followed_search.labels(dataset),
        alt=_alt(scene, colours),
        followed=followed_of(scene),
        outlines=_outlines(scene) if settled else None,
        show_names=scene.view.names,
        show_tree=any(np.count_nonzero(level.sizes) > 1 for level in scene.levels),
        chosen=marked.items if marked and marked.by_page else None,
        focus=scene.focus,
        file_name=f"map-{file_stem(chosen)}",
    )


def _norms(scene: Scene) -> Any:
    key = ("norms for the map", scene.topic)
    return once(key, lambda: scene.norms.astype(np.float32))


def _level(scene: Scene, level: GroupLevel) -> Level:
    measured = scene.measured
    return Level(
        label=level.label,
        nouns=level.nouns,
        of=block(("groups", measured.build_key, measured.index, level.number), level.of),
        sizes=level.sizes,
        names=level.names,
        central=level.central,
        colours=level.colours,
        parents=level.parents,
        centroids=places.centroids(scene, level),
        measures=health_work.measures(scene) if level is scene.level else {},
    )


def _outlines(scene: Scene) -> Outlines | None:
    """Those of the level shown, where they were asked for and are known."""
    kind, level, layout = scene.view.outlines, scene.level, scene.layout
    if kind == "none" or level is None or layout is None:
        return None

    def make(progress: Progress) -> OutlineRings:
        return outlines_of(layout.xy, level.of, kind)

    place = (map_layout.wanted(scene.chosen).key, layout.epoch)
    key = ("map outlines", place, scene.shown, kind)
    quick = is_quick(scene.dataset)
    rings = Piece(key, "Outlines on the map", make, quick=quick).ask(scene.chosen.owner)
    return None if rings is None else Outlines(rings.points, rings.starts, rings.groups)


def _alt(scene: Scene, colours: PointColours) -> str:
    assert scene.layout is not None
    method = {"umap": "UMAP", "pca": "PCA"}[scene.layout.method]
    items = counted(scene.dataset.n, "item", "items")
    label = colours.label or LABELS["group"]
    return (
        f"Map of {items} by {method}, coloured by {label[0].lower()}{label[1:]}. The table below "
        "lists what is selected, and the groups."
    )
