"""What the Drift page asks for: the index, what changes, what may be lost, a new version."""

import streamlit as st

from mips_core.base.params import params_of
from pages._ui.drift import work
from pages._ui.parts import kept_index
from pages._ui.parts.data_facts import megabytes
from pages._ui.state import app_state
from pages._ui.state.drift_state import DriftState
from pages._ui.text.widgets import labelled, plain, short
from pages._ui.work import data_files

CHANGES = {"moved": "Vectors move", "new": "New items", "version": "A new version"}
NUMBERS = ("tolerance", "rounds")


def choose() -> None:
    """Draw all of it."""
    session = app_state.current()
    state = work.state_of(session)
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        kept_index.choose(width=380)
        _effort()
        declared = params_of(state)["change"]
        key = app_state.key_for("drift change", state.change)
        st.segmented_control(
            declared.label,
            CHANGES,
            default=state.change,
            format_func=CHANGES.__getitem__,
            key=key,
            on_change=_take_change,
            args=(key,),
            required=True,
            help=declared.help,
        )
        with labelled("Details").popover("More", width="content"):
            for name in NUMBERS:
                _number(state, name)
    if state.change == "version":
        _upload(state)


def _effort() -> None:
    session = app_state.current()
    effort = work.effort_of(session)
    key = app_state.key_for(f"drift effort {session.index.key}", effort)
    st.number_input(
        session.index.effort_name,
        1,
        max(session.source.n, effort),
        effort,
        key=key,
        on_change=_take_effort,
        args=(session.index.key, key),
        width=130,
        help=f"{session.index.effort_help} It stays the same while vectors change.",
    )


def _take_effort(method: str, key: str) -> None:
    if app_state.is_shown(f"drift effort {method}", key):
        app_state.current().efforts[method] = app_state.widget(key)


def _take_change(key: str) -> None:
    session, picked = app_state.current(), app_state.widget(key)
    if picked and app_state.is_shown("drift change", key):
        work.change(session, change=picked)


def _number(state: DriftState, name: str) -> None:
    declared, value = params_of(state)[name], getattr(state, name)
    key = app_state.key_for(f"drift {name}", value)
    whole = isinstance(value, int)
    number = int if whole else float
    st.number_input(
        declared.label,
        number(declared.low),
        number(declared.high),
        value,
        number(1) if whole else 0.5,
        key=key,
        on_change=_take_number,
        args=(key, name),
        width=170,
        help=declared.help,
    )


def _take_number(key: str, name: str) -> None:
    if app_state.is_shown(f"drift {name}", key):
        work.change(app_state.current(), **{name: app_state.widget(key)})


def _upload(state: DriftState) -> None:
    """The files of the data as they are now."""
    key = f"drift files {state.round}"
    st.file_uploader(
        "The data as they are now",
        accept_multiple_files=True,
        key=key,
        on_change=_take_files,
        args=(key,),
        help="Vectors of the same model, read as on the Data page. Rows are matched by label where "
        "both have labels, else by row number.",
    )
    if state.problem:
        st.error(state.problem)
    for file in state.upload or ():
        st.markdown(f"{plain(short(file.name))} · {megabytes(file.size)}")


def _take_files(key: str) -> None:
    """Keep what was uploaded on disk, in place of what came before."""
    session, uploads = app_state.current(), app_state.widget(key)
    state = work.state_of(session)
    if not uploads or key != f"drift files {state.round}":
        return
    data_files.remove(state.upload or ())
    files: tuple[data_files.Copy, ...] = ()
    problem = ""
    try:
        files = data_files.store(uploads)
    except OSError as error:
        why = plain(error.strerror or str(error))
        problem = f"**The upload could not be stored: {why}.** Make room on the disk, or try again."
    work.change(session, upload=files, problem=problem, round=state.round + 1)
