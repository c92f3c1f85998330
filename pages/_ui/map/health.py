"""The groups below the map, as a table: which are large, are opened, and lose answers."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from mips_core import MipsError
from mips_core.base.arrays import Ids
from mips_core.base.params import Param
from mips_core.base.text import counted
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.misses import Health
from pages._ui.map import choices, health_work
from pages._ui.map.health_work import GroupsHealth
from pages._ui.map.scene import MapScene
from pages._ui.parts import fields, result_table
from pages._ui.parts.data_export import file_stem
from pages._ui.state import app_state
from pages._ui.text.widgets import refusal

ORDERS = {
    "largest": "Largest",
    "smallest": "Emptiest",
    "most_misses": "Most misses",
    "most_opened": "Most opened",
}
HEADING = "How searches use the {many}"


def draw(scene: MapScene) -> None:
    """The section; nothing before the index is built."""
    level = scene.level
    if level is None:
        return
    st.subheader(HEADING.format(many=level.nouns[1]), anchor=False)
    try:
        fared = health_work.health_of(scene)
    except MipsError as error:
        st.error(refusal(error))
        return
    if fared is None:
        _not_yet(scene)
        _draw_sizes(scene, level)
        return
    _say(scene, fared)
    _draw_table(scene, level, fared.health, _ordered(scene, fared.health))


def _not_yet(scene: MapScene) -> None:
    job = scene.measured.job
    coming = scene.evaluation is not None or (job is not None and job.active)
    st.caption(
        "What searches open and miss is being counted."
        if coming
        else "What searches open and miss is not known: the index was not asked all queries."
    )


def _say(scene: MapScene, fared: GroupsHealth) -> None:
    """Where misses gather, and what that rests on."""
    health, nouns = fared.health, scene.measured.index.effort_nouns
    near = "" if fared.boundary is None else f" {fared.boundary.in_words()}"
    st.markdown(f"**{health.in_words()}**{near}")
    later = ""
    if health.effort != scene.effort:
        later = f" Being counted: {counted(scene.effort, *nouns)}."
    st.caption(
        f"At {counted(health.effort, *nouns)}, over {counted(health.m, 'query', 'queries')} and "
        f"the true top {health.K} of each: {int(health.misses.sum()):,} missed of "
        f"{health.missed.size:,}.{later}"
    )


def _ordered(scene: MapScene, health: Health) -> Ids:
    """The groups with items, in the order chosen."""
    session, name = scene.session, scene.state.order
    key = f"map order {name}"

    def take() -> None:
        picked = app_state.widget(key)
        if picked is not None:
            choices.keep(session, order=picked)

    if np.count_nonzero(health.sizes) > 1:
        fields.buttons(Param("First", ""), ORDERS, name, key, take)
    order: Ids = getattr(health, name)
    return order


def _draw_table(scene: MapScene, level: GroupLevel, health: Health, order: Ids) -> None:
    """The groups of `order`, first to last."""
    shown = order[: result_table.MOST_ROWS]
    counts = {
        "radius": health.radii[shown],
        "opened by": 100 * health.opened_share[shown],
        "true answers": 100 * health.answers_share[shown],
        "misses": 100 * health.misses_share[shown],
    }
    _draw_groups(scene, level, order, counts, _config(health))
    name = f"{level.nouns[1].replace(' ', '-')}-{file_stem(scene.session)}"
    result_table.draw_csv("map health", name, lambda: _all_columns(level, health, order))


def _draw_sizes(scene: MapScene, level: GroupLevel) -> None:
    """The groups with items, the largest first, before anything is counted of them."""
    order = np.argsort(-level.sizes, kind="stable")
    order = order[level.sizes[order] > 0]
    _draw_groups(scene, level, order, {}, {})


def _draw_groups(
    scene: MapScene, level: GroupLevel, order: Ids, counts: dict[str, Any], config: dict[str, Any]
) -> None:
    """A row for each group, with its `counts`; that of the group zoomed to is marked."""
    one, number = level.nouns[0], st.column_config.NumberColumn(format="localized")
    shown = order[: result_table.MOST_ROWS]
    names = result_table.names_of(level, shown)
    text = st.column_config.TextColumn(width=120)
    (at,) = np.nonzero(order == scene.focus)
    result_table.draw_to_pick(
        {one: names, "number": shown, "items": level.sizes[shown], **counts},
        {one: text, "number": number, "items": number, **config},
        total=len(order),
        key=f"map groups {one} {len(counts)}",  # a table with other columns forgets what is picked
        picked=int(at[0]) if len(at) else None,
        take=partial(_focus, scene, order),
    )


def _config(health: Health) -> dict[str, Any]:
    number, percent = st.column_config.NumberColumn, "%.2f%%"
    queries = counted(health.m, "query", "queries")
    return {
        "radius": number(
            format="%.3f",
            help="Mean distance of the items to their mean, in the unit vectors of the index.",
        ),
        "opened by": number(
            format=percent, help=f"Share of {queries} to which any of its items is a candidate."
        ),
        "true answers": number(
            format=percent, help=f"Share of the true top {health.K} of all queries in it."
        ),
        "misses": number(format=percent, help="Share of all missed true answers in it."),
    }


def _focus(scene: MapScene, order: Ids, row: int | None) -> None:
    """The group picked is zoomed to, and listed in the place of what was selected."""
    choices.select(scene, np.empty(0, np.int64))
    choices.focus(scene, -1 if row is None else int(order[row]))


def _all_columns(level: GroupLevel, health: Health, order: Ids) -> dict[str, Any]:
    """All that is counted, for a file; text as it is."""
    return {
        level.nouns[0]: [level.names[group] for group in order],
        "number": order,
        "items": health.sizes[order],
        "radius": health.radii[order],
        "searches_that_open_it": health.opened[order],
        "share_of_searches": health.opened_share[order],
        "true_answers": health.answers[order],
        "share_of_true_answers": health.answers_share[order],
        "misses": health.misses[order],
        "share_of_misses": health.misses_share[order],
        "effort": health.effort,
        "K": health.K,
        "queries": health.m,
    }
