"""What is written on the figure of a map: names of clusters, the query, and what it misses."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.text import in_one_line
from mips_core.figures.styles import plain
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.map_table import MappedItems, SearchMarks

MOST_NAMES = 40
BESIDE_A_SEARCH = 20  # names of clusters, where answers are named too
LONGEST = 28  # characters of a name; hover text shows more of it
WIDE, NARROW = (1100, 700), (370, 600)  # px of the picture for which names are set apart
NAME_HEIGHT, LETTER = 17, 7.2  # px of a name at its size
ABOVE = 14  # px from a mark to its name


def names_on(mapped: MappedItems, level: GroupLevel | None) -> list[dict[str, Any]]:
    """Annotations; those named "wide" are for pictures of a desk's width alone."""
    notes = list(_answers(mapped, mapped.search)) if mapped.search is not None else []
    if level is None:
        return notes
    most = BESIDE_A_SEARCH if mapped.search is not None else MOST_NAMES
    narrow = set(_apart(mapped, level, NARROW, most))
    for group in _apart(mapped, level, WIDE, most):
        place = mapped.xy[level.central[group]]
        note = _note(place, f"<b>{plain(in_one_line(level.names[group], LONGEST))}</b>")
        notes.append(note if group in narrow else note | {"name": "wide"})
    return notes


def label_of(mapped: MappedItems, row: int) -> str:
    """The label of an item, or its row."""
    return f"row {row}" if mapped.labels is None else mapped.labels[row]


def _answers(mapped: MappedItems, search: SearchMarks) -> Iterator[dict[str, Any]]:
    """The query, and what it misses."""
    name = plain(in_one_line(search.name, LONGEST))
    yield _note(search.place, f"<b>{name}</b>, {search.effort}") | {"yshift": ABOVE}
    for row in search.true[~search.found]:
        text = plain(in_one_line(label_of(mapped, int(row)), LONGEST))
        yield _note(mapped.xy[row], f"<b>{text}</b>, missed") | {"yshift": ABOVE}


def _apart(
    mapped: MappedItems, level: GroupLevel, room: tuple[int, int], most: int
) -> Iterator[int]:
    """Groups whose names, where their most central item stands, do not touch: largest first."""
    low, high = mapped.xy.min(axis=0), mapped.xy.max(axis=0)
    scale = float((np.array(room) / np.maximum(high - low, 1e-9)).min())
    placed = [] if mapped.search is None else list(_taken(mapped, mapped.search, low, scale))
    there = len(placed)
    for group in np.argsort(-level.sizes, kind="stable"):
        text = in_one_line(level.names[group], LONGEST)
        if not text or level.central[group] < 0:
            continue
        x, y = (mapped.xy[level.central[group]] - low) * scale
        half = LETTER * len(text) / 2 + 4
        if all(abs(y - b) > NAME_HEIGHT or abs(x - a) > half + c for a, b, c in placed):
            placed.append((x, y, half))
            yield int(group)
        if len(placed) - there == most:
            return


def _taken(
    mapped: MappedItems, search: SearchMarks, low: Floats, scale: float
) -> Iterator[tuple[float, float, float]]:
    """Middles x, y and half widths in px of what `_answers` writes."""
    missed = search.true[~search.found]
    texts = [f"{in_one_line(label_of(mapped, int(row)), LONGEST)}, missed" for row in missed]
    texts.append(f"{in_one_line(search.name, LONGEST)}, {search.effort}")
    for place, text in zip([*mapped.xy[missed], search.place], texts, strict=True):
        x, y = (np.asarray(place) - low) * scale
        yield x, y + ABOVE, LETTER * len(text) / 2 + 4


def _note(place: Any, text: str) -> dict[str, Any]:
    return {
        **{"x": float(place[0]), "y": float(place[1]), "text": text, "showarrow": False},
        **{"font": {"size": 12, "color": "$text"}, "bgcolor": "$background@0.65", "borderpad": 1},
    }
