"""The runs that are kept, as a list: added from measurements or files, renamed, deleted."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from mips_core import MipsError
from mips_core.base.limits import MAX_RUNS
from mips_core.base.text import counted
from mips_core.evaluation.setting import index_in_words
from mips_core.figures.styles import METHODS
from mips_core.studies.runs import Run, digest_of, read_runs, unique_name
from mips_core.studies.runs.files import ENDING, written
from mips_core.studies.runs.run import MAX_NAME, MAX_NOTE, proposed_name
from pages._ui.compare import runs_shelf
from pages._ui.parts import result_table
from pages._ui.state import app_state
from pages._ui.state.links import index_text
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal, safe_name, short
from pages._ui.work import data_files
from pages._ui.work.measurement import Measurement


def draw(session: Session) -> None:
    """All kept runs, folded, with the form below."""
    runs = runs_shelf.runs_of(session)
    title = f"All kept runs: {len(runs)} of {MAX_RUNS} at most"
    if runs:
        with st.expander(title):
            whole = {"queries": st.column_config.NumberColumn(format="localized")}
            result_table.draw_all([_row(run) for run in runs], whole, height="content")
            _form(session, runs)
    _undo(session)


def _row(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "method": run.index.label,
        "setting": index_in_words(run.index, run.data.n),
        "seed": run.seed,
        "data": run.data.name,
        "queries": run.data.m,
        "K": ", ".join(map(str, run.ks)),
        "kept, UTC": run.kept.replace("T", " ").removesuffix("Z"),
        "note": run.note,
    }


def _form(session: Session, runs: tuple[Run, ...]) -> None:
    """Keys hold the digest, so that a form starts with what the run is called now."""
    by_digest = {digest_of(run): run for run in runs}
    digest = st.selectbox(
        "Run to change",
        list(by_digest),
        len(runs) - 1,
        format_func=lambda one: by_digest[one].name if one in by_digest else one,
        key=f"runs change {session.states['runs'].shelf}",
    )
    run = by_digest[digest]
    name, note = f"runs rename {digest}", f"runs note {digest}"
    st.text_input("Name", run.name, max_chars=MAX_NAME, key=name)
    st.text_area("Note", run.note, max_chars=MAX_NOTE, key=note, height=80)
    with st.container(horizontal=True, gap="small"):
        if st.button("Save name and note", key="runs save"):
            _save(session, run, app_state.widget(name), app_state.widget(note))
        if st.button("Delete this run", key="runs delete"):
            runs_shelf.delete(session, run)
            st.rerun()


def _save(session: Session, run: Run, name: str, note: str) -> None:
    try:
        runs_shelf.rename(session, run, name, note)
    except MipsError as error:
        st.error(refusal(error))
        return
    st.rerun()


def _undo(session: Session) -> None:
    """The run that was deleted last can come back until other changes are made."""
    deleted = runs_shelf.state_of(session).deleted
    if deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        left = counted(len(runs_shelf.runs_of(session)), "run is", "runs are")
        st.markdown(f"“{plain(short(deleted[1].name))}” was deleted; {left} kept.", width="content")
        if st.button("Undo", key="runs undo"):
            runs_shelf.bring_back(session)
            st.rerun()


def draw_keep(session: Session) -> None:
    """The choice among all that is measured, and the button."""
    measurements = runs_shelf.measured(session)
    if not measurements:
        st.info(
            "**Nothing is measured yet.** What is measured here, on Trade-off or on Tune can be "
            "kept as a run."
        )
        return
    if not runs_shelf.room(session):
        st.info(f"**{MAX_RUNS} runs are kept, as many as can be.** Delete some to keep others.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        methods = list(dict.fromkeys(measurement.index.key for measurement in measurements))
        method = st.selectbox(
            "Method of the run",
            methods,
            format_func=lambda key: f"{METHODS[key].glyph} {METHODS[key].label}",
            key=f"runs method of {session.data}",
            width=210,
        )
        measurement = _setting(
            session, [one for one in measurements if one.index.key == method] or measurements
        )
        _name(session, measurement)


def _setting(session: Session, measurements: Sequence[Measurement]) -> Measurement:
    words = {_id(measurement): _words(measurement) for measurement in measurements}
    picked = st.selectbox(
        "Measured setting",
        list(words),
        format_func=lambda one: words.get(one, one),
        key=f"runs setting {measurements[0].index.key} {session.K} of {session.data}",
        help="Every setting that is measured on this data, with these queries.",
        width=250,
    )
    return next(
        (measurement for measurement in measurements if _id(measurement) == picked), measurements[0]
    )


def _id(measurement: Measurement) -> str:
    return f"{index_text(measurement.index)} {measurement.seed}"


def _words(measurement: Measurement) -> str:
    return f"{index_in_words(measurement.index, measurement.dataset.n)}, seed {measurement.seed}"


def _name(session: Session, measurement: Measurement) -> None:
    """Named after the setting, until it is called otherwise."""
    taken = [run.name for run in runs_shelf.runs_of(session)]
    proposed = unique_name(
        proposed_name(measurement.index, measurement.dataset.n, measurement.seed), taken
    )
    key = f"runs name {_id(measurement)} {len(taken)}"
    st.text_input("Name of the run", proposed, max_chars=MAX_NAME, key=key, width=280)
    if st.button("Keep this run", type="primary", key="runs keep"):
        run = runs_shelf.run_of(session, measurement, app_state.widget(key).strip() or proposed)
        if run is not None:
            runs_shelf.keep(session, [run])
        st.rerun()


def draw_download(runs: list[Run]) -> None:
    """The button that saves these runs as one file."""
    name = safe_name(runs[0].name).removesuffix(".") if len(runs) == 1 else f"{len(runs)}-runs"
    st.download_button(
        f"Download {counted(len(runs), 'run', 'runs')}",
        lambda: written(runs),
        f"{name}{ENDING}",
        "application/json",
        on_click="ignore",
        key="runs download",
        help="One file, which this page opens again, here or elsewhere.",
    )


def draw_open(session: Session) -> None:
    """Where files of runs are opened, and what came of those that were."""
    state = runs_shelf.state_of(session)
    opened = state.opened
    key = f"runs files {opened.round}"
    st.file_uploader(
        f"Open files of runs ({ENDING})",
        type=["json"],
        accept_multiple_files=True,
        key=key,
        on_change=_open,
        args=(session, key),
    )
    for error in opened.refused:
        st.error(error)
    if opened.said:
        st.success(opened.said)


def _open(session: Session, key: str) -> None:
    """Keep the runs of what was uploaded, and empty the uploader."""
    uploads = app_state.widget(key)
    if not uploads or key != f"runs files {runs_shelf.state_of(session).opened.round}":
        return
    refused, said = [], []
    for upload in uploads:
        try:
            (copy,) = data_files.store([upload])
            runs = read_runs(copy.path())
        except MipsError as error:
            refused.append(refusal(error, "The runs that are kept are unchanged."))
            continue
        added = runs_shelf.keep(session, runs)
        name = plain(short(upload.name))
        said.append(f"**{name}**: {_added(runs_shelf.room(session), len(runs), len(added))}")
    runs_shelf.tell(session, refused, "  \n".join(said))


def _added(room: int, count: int, added: int) -> str:
    """How many of the runs of a file are new here, and why the others are not."""
    text = f"{counted(added, 'run was', 'runs were')} added"
    if added == count:
        return f"{text}."
    rest = count - added
    if room == 0:
        return f"{text}; {rest} had no room: {MAX_RUNS} are kept, as many as can be."
    return f"{text}; {counted(rest, 'is', 'are')} kept already."
