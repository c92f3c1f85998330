"""The table below the map: what is selected, or the items of a group.

It says in words what the picture shows, for those who cannot see it or prefer to read.
"""

from typing import Any

import numpy as np
import streamlit as st

from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.data.metrics import measure_of
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.clusters.naming import Namer
from mips_core.groups.clusters.selection import part_of, selection_in_words
from pages._ui.map import choices, places
from pages._ui.map.scene import MapScene
from pages._ui.parts import followed_search, result_table
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question.question import QueryChoice, written
from pages._ui.state import app_state
from pages._ui.text.widgets import plain
from pages._ui.work.task import once

MOST_ROWS = 1_000
MOST_GROUPS = 1_000  # offered by name, the largest
HEIGHT = 320  # px


def draw(scene: MapScene) -> Ids | None:
    """The table; returns the ids (s,) it is of, None where there is nothing to list."""
    level = scene.level
    selected = scene.selected
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.subheader(_heading(scene), anchor=False, width="stretch")
        if level is not None:
            _choose_group(scene, level)
    if selected is None and level is not None and scene.focus < 0:
        one = plain(level.nouns[0])
        st.caption(f"Select items on the map, or pick a {one}, and they are listed here.")
        return None
    if selected is None:
        selected = _members(scene)
    elif level is not None and len(selected) > 1:
        _sum_up(scene, level, selected)
    _table(scene, selected)
    return selected


def _sum_up(scene: MapScene, level: GroupLevel, items: Ids) -> None:
    """What the selected items are, in words, and what can be done with them."""
    session, source = scene.session, scene.session.source
    space = places.space_of(scene.state, scene.measured.index)
    texts = followed_search.labels(scene.dataset)
    namer: Namer = once(("namer", texts and texts.address), lambda: Namer(scene.dataset.labels))

    def words() -> str:
        rows = space.rows(scene.dataset)
        return selection_in_words(items, level, rows, namer, scene.answers, scene.missed)

    known = scene.answers is not None, scene.effort
    key = ("selection", scene.topic, scene.shown, space, items.tobytes(), known, session.K)
    st.markdown(plain(once(key, words)))
    with st.container(horizontal=True, gap="small"):
        if not source.logits and st.button("Ask with their mean", key="ask with mean"):
            mean = source.items[items].astype(np.float32).mean(axis=0)
            choices.follow(session, QueryChoice("vector", typed=written(mean)).text)
            st.rerun()
        if source.query_rows is None and st.button("Use only these", key="use only these"):
            part = part_of(source, items)
            session.use(part, part.fingerprint, session.recipe, session.metric)
            st.rerun()


def columns_of(scene: MapScene, items: Ids) -> dict[str, Any]:
    """What is told of each of these items; text as it is."""
    dataset, search = scene.dataset, scene.search
    columns: dict[str, Any] = {}
    if dataset.labels is not None:
        columns["label"] = [dataset.labels[item] for item in items]
    columns |= {"row": items, "norm": scene.norms[items]}
    if scene.level is not None:
        groups = scene.level.of[items]
        columns[scene.level.nouns[0]] = [scene.level.names[group] for group in groups]
    if scene.answers is not None and scene.missed is not None:
        columns["times an answer"] = scene.answers[items]
        columns["times missed"] = scene.missed[items]
    if search is not None and scene.scores is not None:
        columns[measure_of(dataset).noun] = scene.scores[items]
    return columns


def _heading(scene: MapScene) -> str:
    level = scene.level
    if scene.selected is not None:
        return f"{counted(len(scene.selected), 'item', 'items')} selected"
    if level is None:
        return counted(scene.dataset.n, "item", "items")
    if scene.focus < 0:
        return plain(level.label)
    items = counted(int(level.sizes[scene.focus]), "item", "items")
    return f"“{plain(as_text(level.names[scene.focus]))}”: {items}"


def _choose_group(scene: MapScene, level: GroupLevel) -> None:
    """A box of the groups, which zooms to one: the way there without a pointer."""
    order = np.argsort(-level.sizes, kind="stable")[:MOST_GROUPS]
    listed = [int(group) for group in order if level.sizes[group] > 0]
    key = f"map group {scene.state.level} {scene.focus}"
    st.selectbox(
        f"Show one {plain(level.nouns[0])}",
        listed,
        listed.index(scene.focus) if scene.focus in listed else None,
        format_func=lambda group: f"{as_text(level.names[group])} · {level.sizes[group]:,}",
        key=key,
        on_change=_take_group,
        args=(scene, key),
        placeholder="Name",
        width=260,
    )


def _take_group(scene: MapScene, key: str) -> None:
    """A group chosen here is listed in the place of what was selected."""
    picked = app_state.widget(key)
    choices.select(scene, np.empty(0, np.int64))
    choices.focus(scene, -1 if picked is None else picked)


def _members(scene: MapScene) -> Ids:
    """The items of the group zoomed to; all, where there is none."""
    if scene.level is None or scene.focus < 0:
        return np.arange(scene.dataset.n)
    return np.flatnonzero(scene.level.of == scene.focus)


def _table(scene: MapScene, items: Ids) -> None:
    shown = items[:MOST_ROWS]
    columns = columns_of(scene, shown)
    for name, values in columns.items():
        if len(values) and isinstance(values[0], str):
            columns[name] = [as_text(text) for text in values]
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    measure = measure_of(scene.dataset).noun
    _frame(
        columns,
        {
            "label": text(width="medium"),
            "row": number(format="localized"),
            "norm": number(format="%.4g"),
            "times an answer": number(format="localized"),
            "times missed": number(format="localized"),
            measure: number(format="%.4g"),
        },
    )
    if len(items) > len(shown):
        st.caption(f"The first {len(shown):,} of {len(items):,}. The downloads hold all.")


def _frame(columns: dict[str, Any], config: dict[str, Any]) -> None:
    table = result_table.shown(columns)
    height: Any = "content" if len(table) <= 8 else HEIGHT
    st.dataframe(table, hide_index=True, height=height, column_config=config)
