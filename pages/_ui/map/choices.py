"""What a visitor chooses over the map and does on it; kept, on other pages too."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from mips_core.base.arrays import Ids
from mips_core.base.params import Param, params_of
from pages._ui.elements.map_message import MapChoice
from pages._ui.map import colours
from pages._ui.map.places import PAGE, draw_estimate, state_of
from pages._ui.map.scene import MapScene
from pages._ui.parts import fields, followed_search, kept_index
from pages._ui.parts.question import choice
from pages._ui.parts.question.question import picked, title_of
from pages._ui.state import app_state
from pages._ui.state.map_state import MapState, Marked
from pages._ui.state.session import Session
from pages._ui.text.widgets import labelled, plain, short

WORDS = {
    "layout": {"umap": "UMAP", "pca": "PCA"},
    "space": {"index": "Index", "cosine": "Cosine", "given": "Given"},
    "outlines": {"none": "None", "hull": "Hull", "dense": "Dense"},
    "speed": {"reproducible": "Reproducible", "parallel": "Parallel"},
}


def draw(session: Session) -> None:
    """The row over the map: what people change most; the rest folds behind More."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="map choices"):
        kept_index.choose(width=300)
        _select(session, "colour", colours.offered(session), 170)
        levels = followed_search.known_levels(session)
        if len(levels) > 1:
            names = {number: level.label for number, level in enumerate(reversed(levels))}
            _select(session, "level", names, 170)
        _query(session)
        _pressed(session, "layout")
        with labelled("Picture").popover("More", width="content"):
            _more(session)


def _query(session: Session) -> None:
    """All ways to ask, beside the box on the map: the query is the one of the Search page."""
    name = short(title_of(session, picked(session)))
    with labelled("Query").popover(plain(name)):
        choice.choose(session)
        _toggle(session, "follow")


def _more(session: Session) -> None:
    st.markdown("**On the map**")
    _toggle(session, "names")
    _pressed(session, "outlines")
    st.markdown("**The layout**")
    _pressed(session, "space")
    if state_of(session).layout == "umap":
        _number(session, "neighbours", 1)
        _number(session, "apart", 0.05)
        _pressed(session, "speed")
    draw_estimate(session)


def _select(session: Session, name: str, words: Mapping[Any, str], width: int) -> None:
    param, value, key, take = _declared(session, name)
    fields.box(param, words, value, key, take, width=width)


def _pressed(session: Session, name: str) -> None:
    param, value, key, take = _declared(session, name)
    fields.buttons(param, WORDS[name], value, key, take)


def _toggle(session: Session, name: str) -> None:
    param, value, key, take = _declared(session, name)
    st.toggle(param.label, value, key=key, on_change=take, help=param.help)


def _number(session: Session, name: str, step: float) -> None:
    param, value, key, take = _declared(session, name)
    fields.number(param, value, step, key, take)


def _declared(session: Session, name: str) -> tuple[Param, Any, str, Callable[[], None]]:
    """The declaration, the value, a key, and what takes a choice; older widgets say nothing."""
    value = getattr(state_of(session), name)
    key = app_state.key_for(f"map {name}", value)

    def take() -> None:
        picked = app_state.widget(key)
        if picked is not None and app_state.is_shown(f"map {name}", key):
            keep(session, **{name: picked})

    return params_of(MapState)[name], value, key, take


def keep(session: Session, **values: Any) -> None:
    """Change what was chosen on the page."""
    session.states[PAGE] = replace(state_of(session), **values)


def take(scene: MapScene, choice: MapChoice) -> bool:
    """Keep what was done since the last run; whether the page must be drawn anew for it."""
    if not choice.fresh:
        return False
    session = scene.session
    moved = choice.effort is not None and choice.effort != scene.position
    zoomed = choice.focus != scene.focus
    marked = scene.marked
    if choice.selected is not None:
        marked = Marked(scene.topic, choice.selected, by_page=False)
    elif not (moved or zoomed):  # a selection by the page stays while other things are done
        marked = None
    keep(session, marked=marked, focus=choice.focus, focused=scene.shown)
    if choice.follow is not None:
        follow(session, choice.follow)
    elif moved:
        session.effort = int(scene.efforts[choice.effort])
    return choice.follow is not None or moved or zoomed


def select(scene: MapScene, items: Ids) -> None:
    """Select items (s,) ascending on the map in the place of what was; none where there are 0."""
    keep(scene.session, marked=Marked(scene.topic, items, by_page=True))


def shown_again(scene: MapScene) -> None:
    """The map is drawn anew: what a visitor had selected is now for the page to select."""
    if scene.selected is not None:
        select(scene, scene.selected)


def follow(session: Session, query: str) -> None:
    """Show the search for this query on the map, and ask it on Search; "" ends what is shown."""
    session.query = query or session.query
    keep(session, follow=bool(query))


def focus(scene: MapScene, group: int) -> None:
    """Zoom to a group of the level shown, and list it; -1 is none."""
    keep(scene.session, focus=group, focused=scene.shown)
