"""The live curve as pages place it: watches what is computed, takes the visitor's choice."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import streamlit as st

from pages._ui.elements.live_curve import live_curve
from pages._ui.parts import curve, progress
from pages._ui.state import app_state, wishes
from pages._ui.state.settings import Settings, settings_of, start_missing, unsettled


def draw(key: str, below: Callable[[], None] | None = None, **known: Any) -> None:
    """The live curve of the index under the slider, then `below`; both redraw as results come.

    The page comes first: it asks for the kept indexes only, and the rest of the settings wait for
    the first look back, so that they do not slow the first picture down.
    """
    session = app_state.current()
    steps = [*session.kept, *settings_of(session).all]
    wishes.want(session, "curve", (session.measurement_of(step).key for step in steps))
    start_missing(session, Settings([session.index], session.kept))
    watching = unsettled(session, settings_of(session))
    looks = count()
    st.fragment(_draw, run_every=0.5 if watching else None)(key, looks, watching, below, known)


def _draw(
    key: str,
    looks: Iterator[int],
    watching: bool,
    below: Callable[[], None] | None,
    known: dict[str, Any],
) -> None:
    session = app_state.current()
    first = next(looks) == 0
    wanted = settings_of(session)
    view = curve.view_of(session, wanted, **known)
    choice = live_curve(view, key=key)
    if choice != view.chosen:
        steps = zip(view.builds, wanted.under_slider, strict=True)
        step = next(step for build, step in steps if build.value == choice.build)
        session.put_under_slider(step, choice.effort)
        wanted = settings_of(session)
    app_state.publish()  # always: the run that kept a choice may have ended before this
    if below is not None:
        below()
    if not first:
        start_missing(session, wanted)
        if unsettled(session, wanted) != watching:
            st.rerun()


def draw_progress() -> None:
    """What is under way for the curve, with Cancel, and what can be gone on with."""
    session = app_state.current()
    progress.draw([session.measurement_of(index) for index in settings_of(session).all])
