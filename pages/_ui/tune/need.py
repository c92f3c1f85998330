"""The left of Tune: what a setting must reach or may cost, which methods, and the button."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mips_core import MipsError
from mips_core.base.params import params_of
from mips_core.data.rankable import queries_evaluated
from mips_core.studies.tuning.trials import check_count
from pages._ui.elements.value_slider import moved_to, value_slider
from pages._ui.parts import fields, method
from pages._ui.state import app_state
from pages._ui.state.page_states import TuneState
from pages._ui.state.session import Session
from pages._ui.text.widgets import refusal
from pages._ui.tune import estimate, search
from pages._ui.work.task import once

KNOWN = {"precision": "The precision", "budget": "The budget"}
SLIDERS = {
    "precision": (*(p / 100 for p in range(50, 90, 5)), *(p / 100 for p in range(90, 100)), 0.995,
                  0.999, 1.0),
    "confidence": (0.5, 0.8, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999),
}  # fmt: skip
LIMITS = {"inner_products": 100, "megabytes": 1.0, "seconds": 1.0}  # and the step of each field


def take(session: Session) -> None:
    """Hear of the sliders: what they were moved to is what is asked from here on."""
    for name in SLIDERS:
        value = moved_to(_steps(search.state_of(session), name), key=_key(name))
        if value is not None:  # at once: asking the next slider may end this run
            search.change(session, **{name: value})


def draw(session: Session) -> DeltaGenerator:
    """Everything but the sliders; returns their place, for `sliders`."""
    state = search.state_of(session)
    fields.buttons(params_of(state)["known"], KNOWN, state.known, _key("known"), _take_known)
    place = st.container(gap="small")
    if state.known == "budget":
        for name, step in LIMITS.items():
            _limit(state, name, step)
    method.choose()
    app_state.set_widget(_key("faiss"), state.faiss)
    declared = params_of(state)["faiss"]
    st.toggle(declared.label, key=_key("faiss"), on_change=_take_faiss, help=declared.help)
    busy = search.busy(session)
    fits = busy or estimate.draw(session)
    if st.button(
        find_in_words(session),
        type="primary",
        width="stretch",
        disabled=bool(busy or not fits or too_few(session) or not search.wanted(session)),
        key=_key("find"),
        on_click=search.begin,
        args=(session,),
    ):
        st.rerun()
    return place


def find_in_words(session: Session) -> str:
    """What stands on the button."""
    precise = search.state_of(session).known == "precision"
    return f"Find the {'cheapest' if precise else 'most precise'} setting"


def sliders(session: Session) -> None:
    """Draw them, after all that they lead to."""
    state = search.state_of(session)
    if state.known == "precision":
        _slider(state, "precision", f"Precision@{session.K}, at least", "{:.3g}".format)
        _slider(state, "confidence", params_of(state)["confidence"].label, _percent)


def _slider(state: TuneState, name: str, label: str, text: Callable[[float], str]) -> None:
    steps, value = _steps(state, name), getattr(state, name)
    about = params_of(state)[name].help
    value_slider(label, steps, value, key=_key(name), text=text, help=about)


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def _key(name: str) -> str:
    return f"tune {name}"


def _steps(state: TuneState, name: str) -> list[float]:
    """The places of a slider; a link may ask for one of its own."""
    return sorted({*SLIDERS[name], getattr(state, name)})


def _limit(state: TuneState, name: str, step: float) -> None:
    """A field that may be empty."""
    param, number = params_of(state)[name], type(step)
    app_state.set_widget(_key(name), getattr(state, name) or None)
    st.number_input(
        param.label,
        number(0),
        number(param.high),
        None,
        step,
        key=_key(name),
        on_change=_take_limit,
        args=(name,),
        placeholder="no limit",
        help=param.help,
    )


def _take_known() -> None:
    search.change(app_state.current(), known=app_state.widget(_key("known")))


def _take_faiss() -> None:
    search.change(app_state.current(), faiss=app_state.widget(_key("faiss")))


def _take_limit(name: str) -> None:
    number = type(LIMITS[name])
    search.change(app_state.current(), **{name: number(app_state.widget(_key(name)) or 0)})


def too_few(session: Session) -> str:
    """Why this cannot be tuned, where the queries are too few to hold half of them out; else ""."""
    dataset = session.dataset

    def count() -> int:
        return int(queries_evaluated(dataset.queries).sum())

    try:
        check_count(once(("queries evaluated", dataset.query_fingerprint), count))
    except MipsError as error:
        return refusal(error, "Raise their number in the bar above, or use data with more.")
    return ""
