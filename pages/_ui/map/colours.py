"""What the colours of the points say, as it was chosen and as far as it is known."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mips_core import Dataset
from mips_core.base.text import counted
from mips_core.data.metrics import measure_of
from mips_core.evaluation.setting import Setting
from mips_core.figures.map import PointColours
from mips_core.figures.palette_range import palette_range
from mips_core.groups.projection import crowding
from pages._ui.elements.blobs import block
from pages._ui.elements.map_message import Colouring
from pages._ui.map import compare_work
from pages._ui.map.places import state_of
from pages._ui.map.scene import MapScene
from pages._ui.parts import followed_search
from pages._ui.parts.data_facts import as_text
from pages._ui.state.session import Session
from pages._ui.work.task import once

LABELS = {
    "group": "Cluster",
    "other": "Density",
    "norm": "Norm",
    "answers": "Times an answer",
    "missed": "Times missed",
    "label": "Label",
    "score": "Score for the query",
    "moved": "Changed cluster",
}
AROUND, FAINT = "Items around", 0.5  # so that names upon the items stay legible
MOST_COLOURED = 36  # groups: three of each colour
MOST_KINDS = 30
OTHER = "other"
Kinds = tuple[NDArray[np.uint8], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Colours:
    """The colours of n points, and in words what they rest on or why they are not those chosen."""

    points: PointColours
    note: str = ""


def offered(session: Session) -> dict[str, str]:
    """What points can be coloured by, and what that is called; groups as those of the index are.

    Labels where they repeat, scores where a query is asked.
    """
    left_out = set()
    if kinds_of(session.dataset) is None:
        left_out.add("label")
    if not state_of(session).follow:
        left_out.add("score")
    if compare_work.other_of(session) in (None, session.index):
        left_out.add("moved")
    one = session.index.group_nouns[0]
    group, other = one.capitalize(), LABELS["other"]
    if _are_many(session):
        group, other = other, group
    labels = LABELS | {"group": group, "other": other, "moved": f"Changed {one}"}
    return {name: label for name, label in labels.items() if name not in left_out}


def colours_of(scene: MapScene) -> Colours:
    """The colours chosen; those of the groups, or of the norms, where these are not there yet."""
    if scene.state.colour not in offered(scene.session):
        return _groups(scene)
    make = {"other": _other, "norm": _norms, "answers": _answers, "missed": _missed,
            "label": _labels, "score": _scores, "moved": _moved}.get(
                scene.state.colour, _groups)  # fmt: skip
    return make(scene)


def colouring(scene: MapScene, colours: PointColours) -> Colouring:
    """The same for the browser."""
    kind, values = colours.kind, colours.values
    if values is None:
        return Colouring(kind, colours.label)
    place = ("colours", scene.session.owner)
    if kind == "kinds":
        return Colouring(kind, colours.label, block(place, values), colours.names)
    texture, ends = block(place, values.astype(np.float32)), palette_range(values, log=colours.log)
    reach = FAINT if colours.label == AROUND else 1.0
    return Colouring(kind, colours.label, texture, log=colours.log, reach=reach, **ends._asdict())


def _are_many(session: Session) -> bool:
    """Whether the groups shown are more than colours tell apart; so before they are known."""
    levels = followed_search.known_levels(session)
    at = max(len(levels) - 1 - state_of(session).level, 0)
    return not levels or int(np.count_nonzero(levels[at].sizes)) > MOST_COLOURED


def _groups(scene: MapScene) -> Colours:
    """Each group where they are few, else where on the map the items are many."""
    return (_density if _are_many(scene.session) else _each)(scene)


def _other(scene: MapScene) -> Colours:
    return (_each if _are_many(scene.session) else _density)(scene)


def _density(scene: MapScene) -> Colours:
    if scene.layout is None:
        return _norms(scene)
    note = f"{AROUND}: in a square of 3% of the map's side."
    return Colours(PointColours("values", AROUND, crowding(scene.layout.xy), log=True), note)


def _each(scene: MapScene) -> Colours:
    if scene.level is None:
        return _density(scene)
    return Colours(PointColours("groups", scene.level.nouns[0].capitalize()))


def _norms(scene: MapScene) -> Colours:
    return Colours(PointColours("values", LABELS["norm"], scene.norms))


def _answers(scene: MapScene) -> Colours:
    if scene.answers is None or scene.evaluation is None:
        return _not_yet(scene)
    K, m = scene.evaluation.truth.answers(scene.session.K), scene.evaluation.truth.m
    label = LABELS["answers"]
    queries = counted(m, "query", "queries")
    note = f"How often an item is among the true top {K}, of {queries}."
    return Colours(PointColours("values", label, scene.answers, log=True), note)


def _missed(scene: MapScene) -> Colours:
    """Of items that are no answer it is not known whether they would be missed."""
    if scene.missed is None or scene.evaluation is None or scene.answers is None:
        return _not_yet(scene)
    values = np.where(scene.answers > 0, scene.missed, np.nan)
    index, n = scene.measured.index, scene.dataset.n
    setting = Setting(index, scene.session.seed, scene.effort).in_words(n)
    queries = counted(scene.evaluation.truth.m, "query", "queries")
    note = (
        f"How often a true answer is no candidate, of {queries}, at {setting}. What is no answer "
        "of any is not known."
    )
    return Colours(PointColours("values", LABELS["missed"], values), note)


def _labels(scene: MapScene) -> Colours:
    kinds = kinds_of(scene.dataset)
    assert kinds is not None
    values, names = kinds
    return Colours(PointColours("kinds", LABELS["label"], values, names))


def _scores(scene: MapScene) -> Colours:
    if scene.scores is None:
        return _groups(scene)
    return Colours(PointColours("values", measure_of(scene.dataset).label, scene.scores))


def _moved(scene: MapScene) -> Colours:
    points = compare_work.colours(scene)
    return _groups(scene) if points is None else Colours(points)


def _not_yet(scene: MapScene) -> Colours:
    colours = _groups(scene)
    job = scene.measured.job
    doing = "is being measured" if job is not None and job.active else "could not be measured"
    return Colours(colours.points, f"{LABELS[scene.state.colour]}: {doing}.")


def kinds_of(dataset: Dataset) -> Kinds | None:
    """values (n,) uint8 and the names they number, the most frequent first; else None.

    Labels repeat where there are half as many different ones as items, or fewer.
    """
    texts = followed_search.labels(dataset)
    if texts is None or dataset.labels is None:
        return None
    labels = dataset.labels
    (remembered,) = once(("label kinds", texts.address), lambda: (_kinds_of(labels),))
    kinds: Kinds | None = remembered
    return kinds


def _kinds_of(labels: Sequence[str]) -> Kinds | None:
    counts = Counter(labels)
    if len(counts) > len(labels) / 2:
        return None
    names = [label for label, _ in counts.most_common(MOST_KINDS)]
    number = {label: i for i, label in enumerate(names)}
    values = np.array([number.get(label, len(names)) for label in labels], np.uint8)
    others = [OTHER] if len(counts) > len(names) else []
    return values, (*map(as_text, names), *others)
