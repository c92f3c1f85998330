"""What became of each group in another index, as a table in which one is picked, and as a file."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from mips_core.base.arrays import Ids
from mips_core.groups.clusters import GroupLevel, Moved
from pages._ui.map import taken
from pages._ui.map.scene import Scene
from pages._ui.parts import result_table
from pages._ui.parts.data_export import file_stem


def draw(scene: Scene, level: GroupLevel, there: GroupLevel, moved: Moved) -> None:
    """The groups with items, those that lost most first."""
    one, many = level.nouns
    result_table.draw_to_pick(
        _columns(level, there, moved),
        _config(one, there.nouns[0]),
        total=len(moved.rows),
        key=f"map moved {one}",
        picked=_picked(scene, level, moved),
        take=partial(_select, scene, level, moved),
    )
    st.caption(f"Pick a {one} to zoom to it and select the items that are not in its match.")
    with st.container(horizontal=True, gap="small"):
        coloured = scene.view.colour == "moved"
        if st.button("Colour the map by it", key="colour by moved", disabled=coloured):
            taken.keep(scene.chosen, colour="moved")
            st.rerun()  # the choices over the map show it
        name = f"changed-{many.replace(' ', '-')}-{file_stem(scene.chosen)}"
        result_table.draw_csv("map moved", name, lambda: _all_columns(level, there, moved))


def _columns(level: GroupLevel, there: GroupLevel, moved: Moved) -> dict[str, Any]:
    rows = moved.rows[: result_table.MOST_ROWS]
    groups = [row.group for row in rows]
    return {
        level.nouns[0]: result_table.names_of(level, groups),
        "number": groups,
        "items": [row.size for row in rows],
        "match": result_table.names_of(there, [row.match for row in rows]),
        "stayed": [row.kept for row in rows],
        "changed": [row.left for row in rows],
        "most went to": result_table.names_of(there, [row.left_for for row in rows]),
        "of them": [row.together for row in rows],
    }


def _all_columns(level: GroupLevel, there: GroupLevel, moved: Moved) -> dict[str, Any]:
    """The same for a file, with the numbers of all groups; -1 is none, and has no name."""
    rows = moved.rows
    columns: dict[str, Any] = {}
    for name, of, groups in (
        (level.nouns[0], level, [row.group for row in rows]),
        ("match", there, [row.match for row in rows]),
        ("most_went_to", there, [row.left_for for row in rows]),
    ):
        columns[name] = ["" if group < 0 else of.names[group] for group in groups]
        columns[f"{name}_number"] = groups
    counts = {"items": "size", "stayed": "kept", "changed": "left", "went_there": "together"}
    return columns | {name: [getattr(row, count) for row in rows] for name, count in counts.items()}


def _config(one: str, other: str) -> dict[str, Any]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    whole = "localized"
    return {
        one: text(width=120),
        "number": number(format=whole),
        "items": number(format=whole),
        "match": text(
            width=120, help=f"The {other} of the other index that this one became, if any."
        ),
        "stayed": number(format=whole, help="Items that are in both."),
        "changed": number(format=whole, help="Items that are not in the match."),
        "most went to": text(width=120, help=f"The {other} with most of the items that changed."),
        "of them": number(format=whole, help="How many of those that changed are in it."),
    }


def _changed(level: GroupLevel, moved: Moved, group: int) -> Ids:
    """(s,) ascending items of a group that are not in its match."""
    return np.flatnonzero(moved.items & (level.of == group))


def _picked(scene: Scene, level: GroupLevel, moved: Moved) -> int | None:
    """The row of the group zoomed to, where what changed in it is what is selected."""
    at = next((i for i, row in enumerate(moved.rows) if row.group == scene.focus), None)
    if at is None:
        return None
    selected = np.empty(0, np.int64) if scene.selected is None else scene.selected
    return at if np.array_equal(selected, _changed(level, moved, scene.focus)) else None


def _select(scene: Scene, level: GroupLevel, moved: Moved, row: int | None) -> None:
    """Zoom to a group and select what changed in it, in the place of what was selected."""
    group = -1 if row is None else moved.rows[row].group
    taken.select(scene, _changed(level, moved, group))
    taken.focus(scene, group)
