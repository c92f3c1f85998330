"""How the groups shown fare under all queries: counted once for an effort, and kept."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mips_core import MipsError
from mips_core.base.arrays import Matrix
from mips_core.base.progress import Progress, span
from mips_core.studies.misses import Boundary, Health, boundary, health
from pages._ui.map import places
from pages._ui.map.scene import MapScene
from pages._ui.work import results
from pages._ui.work.task import Task, is_quick

QUICK_ANSWERS = 20_000_000  # queries × items: the most candidates there can be
QUICK_GROUPS = 2_000


@dataclass(frozen=True, eq=False)
class GroupsHealth:
    """How the groups fare, and whether what they miss lies at their boundaries; None: not told."""

    health: Health
    boundary: Boundary | None


def health_of(scene: MapScene) -> GroupsHealth | None:
    """That of the groups shown, at the effort of the slider; its count is started where needed.

    While it is counted, that of the effort before; None before there is any. Raises MipsError
    where it cannot be counted.
    """
    wanted = _task(scene)
    if wanted is None:
        return None
    owner, dataset = scene.session.owner, scene.dataset
    last = ("map health last", owner, scene.shown, dataset.query_fingerprint, scene.session.K)
    scene.session.want("map health", [wanted.key])
    health = wanted.ask(owner)
    if health is None:
        return results.recall(last)
    results.remember(last, health)
    return health


def measures(scene: MapScene) -> Mapping[str, Matrix]:
    """What the groups shown can be coloured by: label -> (k,) float32; none before it is known."""
    try:
        fared = health_of(scene)
    except MipsError:  # said where the table would be
        return {}
    if fared is None:
        return {}
    counts = fared.health
    by_label = {
        "Radius": counts.radii,
        "Searches that open it": counts.opened,
        "True answers": counts.answers,
        "Misses of all queries": counts.misses,
    }
    return {label: values.astype(np.float32) for label, values in by_label.items()}


def _task(scene: MapScene) -> Task[GroupsHealth] | None:
    """The count; None before the index was asked all queries."""
    evaluation, level, measured = scene.evaluation, scene.level, scene.measured
    if evaluation is None or level is None:
        return None
    truth, K, effort = evaluation.truth, scene.session.K, scene.effort
    dataset, index, searcher = scene.dataset, measured.index, scene.searcher
    assert searcher is not None
    space = places.space_of(scene.state, index).as_index(index)
    whole = index.opens_groups and level is scene.levels[-1]

    def make(progress: Progress) -> GroupsHealth:
        rows = space.rows(dataset)
        part = span(progress, 0.0, 0.9)
        counts = health(searcher, index, dataset, truth, K, effort, level, rows, part)
        progress(0.9, "boundaries")
        ids = truth.ids[:, : counts.K]
        return GroupsHealth(counts, boundary(rows, level, ids, counts.missed) if whole else None)

    few = truth.m * truth.n <= QUICK_ANSWERS and len(level.sizes) <= QUICK_GROUPS
    key = ("map", "health", scene.shown, dataset.query_fingerprint, K, effort)
    return Task(key, "Misses by cluster", make, "show", few and is_quick(dataset))
