"""The map and all that hangs on it, drawn again while something is still to come."""

import streamlit as st

from mips_core import MipsError
from mips_core.base.text import counted
from pages._ui.elements.map import map_element
from pages._ui.map import choices, compare_work, comparison, downloads, health, items, places
from pages._ui.map.colours import colours_of
from pages._ui.map.picture import picture_of
from pages._ui.map.scene import MapScene, scene_of
from pages._ui.parts import built_index, followed_search
from pages._ui.parts.progress import EAGER
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, plain, refusal
from pages._ui.work import jobs

ELEMENT = "map picture"


def draw() -> None:
    """The page below its choices."""
    session = app_state.current()
    state = _state(session)
    every = EAGER if state[0] else None
    watch_jobs(_draw, every, state, below=[(_below,)], chosen=lambda: _chosen(session))


def _draw(before: tuple[bool, int, int]) -> None:
    session = app_state.current()
    try:
        _show(session)
    except MipsError as error:
        st.error(refusal(error))
    app_state.publish()
    if _state(session) != before:
        st.rerun()


def _show(session: Session) -> None:
    scene = scene_of(session)
    colours = colours_of(scene)
    if app_state.newly_drawn(ELEMENT):
        choices.shown_again(scene)
    places.draw_status(session, scene.layout)
    picture = picture_of(scene, colours.points)
    if picture is None:
        number = counted(scene.dataset.n, "item", "items")
        st.container(height=560, border=True).caption(f"Reading {number}: the map comes here.")
    elif choices.take(scene, map_element(picture, key=ELEMENT)):
        st.rerun()
    _notes(scene, colours.note)


def _below() -> None:
    """What better places of the items change nothing of."""
    try:
        scene = scene_of(app_state.current())
    except MipsError:  # said over the map
        return
    if scene.measured.built is None:
        built_index.unbuilt(scene.measured)
    listed = items.draw(scene)
    downloads.draw(scene, listed)
    health.draw(scene)
    comparison.draw(scene)


def _chosen(session: Session) -> tuple[object, ...]:
    """What was chosen on the page, also on the map and under it."""
    return places.state_of(session), session.query, session.effort


def _state(session: Session) -> tuple[bool, int, int]:
    """What the choices over the map must follow, and how often to look again, hang on.

    What was started and ended within one run was not yet drawn.
    """
    levels = followed_search.known_levels(session)
    ended = sum(job.lane == "show" for job in jobs.of(session.owner, active=False))
    return _watching(session), len(levels), ended


def _watching(session: Session) -> bool:
    """Whether anything on the page is still to come."""
    measured = session.measurement_of(session.index)
    wanted = [measured.key, places.wanted(session).key]
    session.want(places.PAGE, wanted)
    shown = any(job.lane == "show" for job in jobs.of(session.owner))
    shown = shown or compare_work.is_coming(session)
    return shown or places.under_way(session) or measured.unsettled


def _notes(scene: MapScene, note: str) -> None:
    """What the colours rest on, and where more is told of the search that is shown."""
    if note:
        st.caption(plain(note))
    if scene.search is not None:
        st.page_link(PAGES / "search.py", label="Open this query in Search")
