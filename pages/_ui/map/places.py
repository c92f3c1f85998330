"""Where things stand that are no items: queries and centroids, among the items nearest to them."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.projection import Anchors, anchors_of
from pages._ui.map.scene import Scene
from pages._ui.map.work import space_of
from pages._ui.parts.map_space import Space
from pages._ui.work.piece import once

MOST_PLACED = 4_000  # centroids: more would hide the points


def among(scene: Scene, space: Space, rows: Matrix, name: Hashable) -> Matrix:
    """(q, 2) float32: the places of rows (q, d') of `space`, named by what they are.

    What holds them is found once, so that each new layout moves them at no cost.
    """
    layout = scene.layout
    assert layout is not None
    fitted = np.arange(scene.dataset.n) if layout.fitted is None else layout.fitted
    key = ("map anchors", space, scene.topic, scene.dataset.metric, len(fitted), name)
    held: Anchors = once(key, lambda: anchors_of(space.rows(scene.dataset), fitted, rows))
    return held.places(layout.xy[fitted])


def centroids(scene: Scene, level: GroupLevel) -> Any:
    """(k, 2) float32: the places of the centroids of a level; None where it has none, or many.

    Centroids are rows of the index's own space, whatever nearness on the map is measured on.
    """
    rows = level.centroid_rows
    if not scene.settled or rows is None or len(rows) > MOST_PLACED:
        return None
    space = space_of(scene.view, scene.measured.index).as_index(scene.measured.index)
    name = ("centroids", scene.measured.build_key, scene.measured.index, level.number)
    return among(scene, space, np.ascontiguousarray(rows, np.float32), name)
