"""The index held beside the one on the map, and which items are in another group there."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from mips_core import Index, MipsError
from mips_core.base.progress import Progress
from mips_core.figures.map import PointColours
from mips_core.groups.clusters import GroupLevel, Moved, moved
from mips_core.groups.clusters.levels import BETWEEN
from pages._ui.map.places import state_of
from pages._ui.map.scene import MapScene
from pages._ui.parts import followed_search
from pages._ui.state.session import Session
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import Task, is_quick, once

PAGE = "map compare"  # whose wishes these are
QUICK_GROUPS = 4_000  # of both


@dataclass(frozen=True, eq=False)
class OtherIndex:
    """The index held beside the one on the map. Before it is described it has no levels."""

    measured: Measurement
    levels: tuple[GroupLevel, ...]  # coarsest first
    number: int  # of the level compared, 0 is the finest

    @property
    def level(self) -> GroupLevel | None:
        """The level compared."""
        return self.levels[max(len(self.levels) - 1 - self.number, 0)] if self.levels else None

    @property
    def side_by_side(self) -> bool:
        """As of the index on the map."""
        return side_by_side(self.measured.index, self.levels)


def other_of(session: Session) -> Index | None:
    """The index chosen to be compared with; perhaps the one on the map itself."""
    number, indexes = state_of(session).other, session.kept
    return indexes[number - 1] if 0 < number <= len(indexes) else None


def is_coming(session: Session) -> bool:
    """Whether the other index is still to be built."""
    other = other_of(session)
    if other is None:
        return False
    measurement = session.measurement_of(other)
    return measurement.built is None and measurement.unsettled


def other_index(session: Session) -> OtherIndex:
    """The other index, of which there is one; it is built and described where that was not done.

    Raises MipsError where it cannot be described.
    """
    other = other_of(session)
    assert other is not None
    measurement = session.measurement_of(other)
    measurement.start(session.owner, -1)
    session.want(PAGE, [measurement.key])
    described = followed_search.levels(measurement)
    levels = described.ask(session.owner) if measurement.built else None
    return OtherIndex(measurement, levels or (), state_of(session).other_level)


def side_by_side(index: Index, levels: Sequence[GroupLevel]) -> bool:
    """Whether an item is in a group of each level, such as tables of hashes, and none is finest."""
    return len(levels) > 1 and BETWEEN in index.group_nouns[1]


def moved_of(scene: MapScene, other: OtherIndex) -> Moved | None:
    """Which items are in another group; None while that is not known, or is no question.

    Raises MipsError where it cannot be found.
    """
    task = _task(scene, other)
    return None if task is None else task.ask(scene.session.owner)


def colours(scene: MapScene) -> PointColours | None:
    """Items that stayed and items that changed, where that is known."""
    if other_of(scene.session) in (None, scene.session.index) or scene.level is None:
        return None
    try:
        other = other_index(scene.session)
        change = moved_of(scene, other)
    except MipsError:  # said where the table would be
        return None
    if change is None or other.level is None:
        return None
    key = ("map", "moved as kinds", *_names(scene, other, other.level))
    values = once(key, lambda: change.items.astype(np.uint8))
    label = f"Changed {scene.level.nouns[0]}"
    return PointColours("kinds", label, values, ("stayed", "changed"))


def _task(scene: MapScene, other: OtherIndex) -> Task[Moved] | None:
    first, second = scene.level, other.level
    if first is None or second is None or other.side_by_side:
        return None
    if side_by_side(scene.measured.index, scene.levels):
        return None

    def make(progress: Progress) -> Moved:
        progress(0.0, "matching")
        return moved(first.of, second.of)

    key = ("map", "moved", *_names(scene, other, second))
    few = len(first.sizes) + len(second.sizes) <= QUICK_GROUPS
    return Task(key, "Comparison of clusters", make, "show", few and is_quick(scene.dataset))


def _names(scene: MapScene, other: OtherIndex, level: GroupLevel) -> tuple[Hashable, ...]:
    """Names the two levels that are compared."""
    return scene.shown, other.measured.building.key, other.measured.index, level.number
