"""The groups below the map: which are large, which are opened, and which lose answers."""

import numpy as np
import streamlit as st

from mips_core import MipsError
from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.studies.misses import Health
from pages._ui.map import health_table, health_work, taken
from pages._ui.map.health_work import Fared
from pages._ui.map.scene import Scene
from pages._ui.state import app_state
from pages._ui.text.widgets import refusal

ORDERS = {
    "largest": "Largest",
    "smallest": "Emptiest",
    "most_misses": "Most misses",
    "most_opened": "Most opened",
}
HEADING = "How searches use the {many}"


def draw(scene: Scene) -> None:
    """The section; nothing before the index is built."""
    level = scene.level
    if level is None:
        return
    st.subheader(HEADING.format(many=level.nouns[1]), anchor=False)
    try:
        fared = health_work.known(scene)
    except MipsError as error:
        st.error(refusal(error))
        return
    if fared is None:
        _not_yet(scene)
        health_table.draw_sizes(scene, level)
        return
    _say(scene, fared)
    health_table.draw(scene, level, fared.health, _ordered(scene, fared.health))


def _not_yet(scene: Scene) -> None:
    job = scene.measured.job
    coming = scene.evaluation is not None or (job is not None and job.active)
    st.caption(
        "What searches open and miss is being counted."
        if coming
        else "What searches open and miss is not known: the index was not asked all queries."
    )


def _say(scene: Scene, fared: Fared) -> None:
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


def _ordered(scene: Scene, health: Health) -> Ids:
    """The groups with items, in the order chosen."""
    chosen, name = scene.chosen, scene.view.order
    key = f"map order {name}"

    def take() -> None:
        picked = app_state.widget(key)
        if picked is not None:
            taken.keep(chosen, order=picked)

    if np.count_nonzero(health.sizes) > 1:
        st.segmented_control(
            "First",
            ORDERS,
            default=name,
            format_func=ORDERS.__getitem__,
            key=key,
            on_change=take,
            required=True,
        )
    order: Ids = getattr(health, name)
    return order
