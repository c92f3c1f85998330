"""Changes as the page places them: what is asked for, the button, how far it is, what is known."""

from collections.abc import Sequence

import streamlit as st

from mips_core import DataError, MipsError
from mips_core.base.params import Param, params_of
from mips_core.data.catalog import CATALOG
from mips_core.studies.drift import BUILDS, check_can_update
from pages._ui.drift import answer, work
from pages._ui.drift.work import Drift
from pages._ui.parts import fields, folder_files, kept_index, progress
from pages._ui.parts.data_facts import megabytes
from pages._ui.parts.folder_files import FOLDER, SHIPPED, UPLOAD
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.page_states import DriftState
from pages._ui.text.widgets import labelled, plain, refusal, short
from pages._ui.work import data_files, jobs
from pages._ui.work.data_files import File
from pages._ui.work.task import Task

CHANGES = {"moved": "Vectors move", "new": "New items", "version": "A new version"}
NUMBERS = ("tolerance", "rounds")


def choose() -> None:
    """Draw all of it."""
    session = app_state.current()
    state = work.state_of(session)
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        kept_index.choose(width=380)
        _effort()
        key = app_state.key_for("drift change", state.change)
        fields.buttons(params_of(state)["change"], CHANGES, state.change, key, _take_change, key)
        with labelled("Details").popover("More", width="content"):
            for name in NUMBERS:
                _number(state, name)
    if state.change == "version":
        _draw_version(state)


def _effort() -> None:
    session = app_state.current()
    index, effort = session.index, work.effort_of(session)
    key = app_state.key_for(f"drift effort {index.key}", effort)
    about = f"{index.effort_help} It stays the same while vectors change."
    declared = Param(index.effort_name, about, 1, max(session.source.n, effort))
    fields.number(declared, effort, 1, key, _take_effort, index.key, key, width=130)


def _take_effort(method: str, key: str) -> None:
    if app_state.is_shown(f"drift effort {method}", key):
        app_state.current().efforts[method] = app_state.widget(key)


def _take_change(key: str) -> None:
    session, picked = app_state.current(), app_state.widget(key)
    if picked and app_state.is_shown("drift change", key):
        work.change(session, change=picked)


def _number(state: DriftState, name: str) -> None:
    value = getattr(state, name)
    key, step = app_state.key_for(f"drift {name}", value), 1 if isinstance(value, int) else 0.5
    fields.number(params_of(state)[name], value, step, key, _take_number, key, name, width=170)


def _take_number(key: str, name: str) -> None:
    if app_state.is_shown(f"drift {name}", key):
        work.change(app_state.current(), **{name: app_state.widget(key)})


def _draw_version(state: DriftState) -> None:
    """Where the data as they are now come from: what Data offers."""
    origins = [UPLOAD, *([FOLDER] if folder_files.named() else []), SHIPPED]
    key = app_state.key_for("drift origin", state.origin)
    declared = Param(
        "The data as they are now",
        "Vectors of the same model, read as on the Data page. Rows are matched by label where both "
        "have labels, else by row number.",
    )
    words = {origin: origin for origin in origins}
    fields.buttons(declared, words, state.origin, key, _take_origin, key)
    if state.origin == UPLOAD:
        key = f"drift files {state.round}"
        st.file_uploader(
            "Files that belong together",
            accept_multiple_files=True,
            key=key,
            on_change=_take_uploads,
            args=(key,),
        )
    elif state.origin == FOLDER:
        names = [file.name for file in state.upload or ()]
        folder_files.choose("drift folder files", names, _take_files)
    else:
        st.selectbox(
            "Shipped data",
            list(CATALOG),
            list(CATALOG).index(state.upload[0]) if state.upload else None,
            format_func=lambda name: CATALOG[name].label,
            key="drift shipped",
            on_change=lambda: _take_files((app_state.widget("drift shipped"),), ""),
        )
    if state.problem:
        st.error(state.problem)
    if state.origin != SHIPPED:
        for file in state.upload or ():
            st.markdown(f"{plain(short(file.name))} · {megabytes(file.size)}")


def _take_origin(key: str) -> None:
    if app_state.is_shown("drift origin", key):
        _take_files((), "")
        work.change(app_state.current(), origin=app_state.widget(key))


def _take_uploads(key: str) -> None:
    """Keep what was uploaded on disk, in place of what came before."""
    uploads = app_state.widget(key)
    if not uploads or key != f"drift files {work.state_of(app_state.current()).round}":
        return
    try:
        _take_files(data_files.store(uploads), "")
    except DataError as error:
        _take_files((), refusal(error))


def _take_files(files: Sequence[File | str], problem: str) -> None:
    session = app_state.current()
    state = work.state_of(session)
    if state.origin == UPLOAD:
        data_files.remove(state.upload or ())
    work.change(session, upload=tuple(files), problem=problem, round=state.round + 1)


def draw() -> None:
    """All of it; looks again while a job is under way."""
    session = app_state.current()
    drift = work.drift_of(session)
    try:
        check_can_update(session.index)
    except MipsError as error:
        st.warning(refusal(error))
        return
    before = _under_way(drift)
    session.want("drift", [drift.key] if before[0] else [])
    watch_jobs(_draw_state, progress.LOOK if any(before) else None, drift, before)


def _under_way(drift: Task[Drift]) -> tuple[bool, bool]:
    """Whether this is being measured, and whether something else still is that was asked for."""
    other = jobs.find(work.other_than(app_state.current(), drift))
    return drift.active, other is not None and other.active


def _draw_state(drift: Task[Drift], before: tuple[bool, bool]) -> None:
    job = drift.job
    progress.bar(job, "cancel drift")
    if not drift.active and drift.result is None:
        _say_other(drift)
        _ask(drift)
    if drift.so_far is not None:
        answer.draw(drift.so_far, whole=drift.result is not None)
    if _under_way(drift) != before:  # at the end: of a run that stops early the rest would go
        st.rerun()


def _say_other(drift: Task[Drift]) -> None:
    """What became of a measurement that was started for other choices."""
    other = work.other_than(app_state.current(), drift)
    job = jobs.find(other)
    if job is not None and job.active:
        st.info(
            "**What is being measured is of other choices.** It goes on, and is here when they "
            "are chosen again."
        )
    elif other is not None and job is None:
        st.info("**What waited to be measured was of other choices.** It was taken back.")


def _ask(drift: Task[Drift]) -> None:
    """The button, in a box that says what it does where nothing is known yet."""
    session = app_state.current()
    waits = work.state_of(session).change == "version" and not work.files_of(session)
    empty = drift.so_far is None
    with st.container(border=empty):
        if empty:
            st.markdown(_before(waits))
        st.button(
            "Measure",
            type="primary",
            key="drift measure",
            disabled=waits,
            on_click=work.start,
            args=(session, drift),
        )
        if empty and not waits:
            st.caption(f"Each is built {BUILDS} times; 20,000 items take less than a minute.")


def _before(waits: bool) -> str:
    if waits:
        return "**Give the data as they are now**, a later version of those in use."
    return (
        "**See how long this index stays good.** Your items change, and it is kept up in three "
        "ways: changed vectors join the clusters that are there, the clusters go on for a few "
        "rounds, or all is built anew. You get when to rebuild, and precision as more changes."
    )
