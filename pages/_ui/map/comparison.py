"""Another index held beside the one on the map: which items are in another cluster there."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from mips_core import MipsError
from mips_core.base.arrays import Ids
from mips_core.base.params import params_of
from mips_core.evaluation.setting import index_in_words
from mips_core.groups.clusters import GroupLevel, Moved
from pages._ui.map import choices, compare_work
from pages._ui.map.compare_work import OtherIndex
from pages._ui.map.places import state_of
from pages._ui.map.scene import MapScene
from pages._ui.parts import built_index, fields, result_table
from pages._ui.parts.data_export import file_stem
from pages._ui.state.links import index_text
from pages._ui.state.map_state import MapState
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, plain, refusal

NO_OTHER = "This is the only index that is kept. Build another, and it can be held beside this one."


def draw(scene: MapScene) -> None:
    """The section; nothing before the index on the map is built."""
    level, session = scene.level, scene.session
    if level is None:
        return
    st.subheader("Compare with another index", anchor=False)
    other = compare_work.other_of(session)
    if len(session.kept) == 1 and other is None:
        st.caption(NO_OTHER)
        st.page_link(PAGES / "build.py", label="Build an index")
        return
    row = st.container(horizontal=True, vertical_alignment="top", gap="small")
    with row:
        _choose(session)
    if other is None:
        return
    if other == session.index:
        st.info("**This is the index on the map: nothing differs.** Choose another one.")
        return
    try:
        beside = compare_work.other_index(session)
        with row:
            _choose_level(session, beside)
        _draw(scene, level, beside)
    except MipsError as error:
        st.error(refusal(error))


def _draw(scene: MapScene, level: GroupLevel, beside: OtherIndex) -> None:
    if beside.measured.built is None:
        built_index.unbuilt(beside.measured)
    elif beside.level is None:
        st.caption("The other index is being described.")
    elif reason := _why_not(scene, beside):
        st.info(reason)
    elif (moved := compare_work.moved_of(scene, beside)) is None:
        st.caption("The two are being compared.")
    else:
        _say(level, beside.level, moved)
        _draw_table(scene, level, beside.level, moved)


def _why_not(scene: MapScene, beside: OtherIndex) -> str:
    """Why nothing can be said of items that moved; "" where it can."""
    for measured, levels in (scene.measured, scene.levels), (beside.measured, beside.levels):
        if compare_work.side_by_side(measured.index, levels):
            one = levels[-1].nouns[0]
            return (
                f"**{plain(measured.label)}** groups the items in several ways at once, and a "
                f"search uses them all. So an item has no one {one} that it could leave, and there "
                "is nothing to compare."
            )
    return ""


def _say(level: GroupLevel, there: GroupLevel, moved: Moved) -> None:
    """How much moved, in words, and how that is counted."""
    one, many = level.nouns
    index = f"{moved.adjusted_rand:.3f}".replace("-", "−")
    st.markdown(f"**{moved.sentence(one)}** The adjusted Rand index is **{index}**.")
    fewer, more = sorted(np.count_nonzero(groups.sizes) for groups in (level, there))
    unmatched = "" if fewer == more else f" At most {fewer:,} of {more:,} can have a match."
    st.caption(
        f"The adjusted Rand index is 1 for the same {many}, and about 0 for unrelated ones. Each "
        f"{one} is matched with one of the other index at most, so that as many items as possible "
        f"stay; all others changed.{unmatched}"
    )


def _choose(session: Session) -> None:
    """One of the other indexes that are kept, or none."""
    other = compare_work.other_of(session)
    at = 0 if other is None else state_of(session).other
    words = {0: "None"}
    for number, index in enumerate(session.kept, 1):
        if index != session.index or number == at:
            words[number] = f"{index.label} · {index_in_words(index, session.source.n)}"
    key = f"map other {index_text(session.index)} beside {other and index_text(other)}"
    _choose_number(session, "other", words, at, key, 360, other_level=0)


def _choose_level(session: Session, beside: OtherIndex) -> None:
    """One of its levels, where there are several that nest."""
    if len(beside.levels) < 2 or beside.side_by_side:
        return
    words = {number: level.label for number, level in enumerate(reversed(beside.levels))}
    at = min(beside.number, len(words) - 1)
    _choose_number(session, "other_level", words, at, f"map other level {at} of {len(words)}", 200)


def _choose_number(
    session: Session,
    name: str,
    words: Mapping[int, str],
    at: int,
    key: str,
    width: int,
    **more: Any,
) -> None:
    """A box of the numbers that `words` names, which keeps the one picked, and `more` with it."""
    picked = fields.box(params_of(MapState)[name], words, at, key, None, width=width)
    if picked != at:
        choices.keep(session, **{name: picked}, **more)
        st.rerun()  # the colours offered over the map hang on it


def _draw_table(scene: MapScene, level: GroupLevel, there: GroupLevel, moved: Moved) -> None:
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
        coloured = scene.state.colour == "moved"
        if st.button("Colour the map by it", key="colour by moved", disabled=coloured):
            choices.keep(scene.session, colour="moved")
            st.rerun()  # the choices over the map show it
        name = f"changed-{many.replace(' ', '-')}-{file_stem(scene.session)}"
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


def _picked(scene: MapScene, level: GroupLevel, moved: Moved) -> int | None:
    """The row of the group zoomed to, where what changed in it is what is selected."""
    at = next((i for i, row in enumerate(moved.rows) if row.group == scene.focus), None)
    if at is None:
        return None
    selected = np.empty(0, np.int64) if scene.selected is None else scene.selected
    return at if np.array_equal(selected, _changed(level, moved, scene.focus)) else None


def _select(scene: MapScene, level: GroupLevel, moved: Moved, row: int | None) -> None:
    """Zoom to a group and select what changed in it, in the place of what was selected."""
    group = -1 if row is None else moved.rows[row].group
    choices.select(scene, _changed(level, moved, group))
    choices.focus(scene, group)
