"""The map and all that hangs on it, drawn again while something is still to come."""

from pathlib import Path

import streamlit as st

from mips_core import MipsError
from pages._ui import (
    build_view,
    jobs,
    map_colour,
    map_compare,
    map_compare_work,
    map_downloads,
    map_health,
    map_items,
    map_layout,
    map_scene,
    map_taken,
    map_work,
    session,
    wishes,
)
from pages._ui.choices import Session
from pages._ui.elements.map import map_element
from pages._ui.map_drawing import picture_of
from pages._ui.map_scene import Scene
from pages._ui.widgets import plain, refusal

_PAGES = Path(__file__).parents[1]
ELEMENT = "map picture"


def draw() -> None:
    """The page below its choices."""
    state = _state(session.current())
    st.fragment(_draw, run_every=0.4 if state[0] else None)(state)


def _draw(before: tuple[bool, int]) -> None:
    chosen = session.current()
    try:
        _show(chosen)
    except MipsError as error:
        st.error(refusal(error))
    session.publish()
    if _state(chosen) != before:
        st.rerun()


def _show(chosen: Session) -> None:
    scene = map_scene.scene_of(chosen)
    colours = map_colour.colours_of(scene)
    if session.newly_drawn(ELEMENT):
        map_taken.shown_again(scene)
    map_layout.draw_status(chosen, scene.layout)
    picture = picture_of(scene, colours.points)
    if picture is None:
        st.container(height=560, border=True).caption("The picture comes here.")
    elif map_taken.take(scene, map_element(picture, key=ELEMENT)):
        st.rerun()
    _notes(scene, colours.note)
    if scene.measured.built is None:
        build_view.unbuilt(scene.measured)
    listed = map_items.draw(scene)
    map_downloads.draw(scene, colours.points, listed)
    map_health.draw(scene)
    map_compare.draw(scene)


def _state(chosen: Session) -> tuple[bool, int]:
    """What the choices over the map must follow, and how often to look again, hang on."""
    return _watching(chosen), len(map_work.known_levels(chosen))


def _watching(chosen: Session) -> bool:
    """Whether anything on the page is still to come."""
    measured = chosen.asked_of(chosen.index)
    wanted = [measured.key, map_layout.wanted(chosen).key]
    wishes.want(chosen, map_layout.PAGE, wanted)
    shown = any(job.lane == "show" for job in jobs.of(chosen.owner))
    shown = shown or map_compare_work.is_coming(chosen)
    return shown or map_layout.under_way(chosen) or measured.unsettled


def _notes(scene: Scene, note: str) -> None:
    """What the colours rest on, and where more is told of the search that is shown."""
    if note:
        st.caption(plain(note))
    if scene.search is not None:
        st.page_link(_PAGES / "search.py", label="Open this query in Search")
