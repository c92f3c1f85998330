"""How each group fares, as a table in which one is picked to zoom to, and as a file."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.misses import Health
from pages._ui.map import taken
from pages._ui.map.scene import Scene
from pages._ui.parts import result_table
from pages._ui.parts.data_export import file_stem


def draw(scene: Scene, level: GroupLevel, health: Health, order: Ids) -> None:
    """The groups of `order`, first to last."""
    shown = order[: result_table.MOST_ROWS]
    counts = {
        "radius": health.radii[shown],
        "opened by": 100 * health.opened_share[shown],
        "true answers": 100 * health.answers_share[shown],
        "misses": 100 * health.misses_share[shown],
    }
    _draw(scene, level, order, counts, _config(health))
    name = f"{level.nouns[1].replace(' ', '-')}-{file_stem(scene.chosen)}"
    result_table.draw_csv("map health", name, lambda: _all_columns(level, health, order))


def draw_sizes(scene: Scene, level: GroupLevel) -> None:
    """The groups with items, the largest first, before anything is counted of them."""
    order = np.argsort(-level.sizes, kind="stable")
    order = order[level.sizes[order] > 0]
    _draw(scene, level, order, {}, {})


def _draw(
    scene: Scene, level: GroupLevel, order: Ids, counts: dict[str, Any], config: dict[str, Any]
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


def _focus(scene: Scene, order: Ids, row: int | None) -> None:
    """The group picked is zoomed to, and listed in the place of what was selected."""
    taken.select(scene, np.empty(0, np.int64))
    taken.focus(scene, -1 if row is None else int(order[row]))


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
