"""The kept runs as a list, and the form that renames, notes and deletes one of them."""

from typing import Any

import pandas as pd
import streamlit as st

from mips_core import MipsError
from mips_core.base.limits import MAX_RUNS
from mips_core.base.text import counted
from mips_core.evaluation.setting import index_in_words
from mips_core.studies.runs import Run
from mips_core.studies.runs.run import MAX_NAME, MAX_NOTE
from pages._ui.compare import runs_kept
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal, short


def draw(session: Session) -> None:
    """All kept runs, folded, with the form below."""
    runs = runs_kept.kept(session)
    title = f"All kept runs: {len(runs)} of {MAX_RUNS} at most"
    if runs:
        with st.expander(title):
            table = pd.DataFrame([_row(run) for run in runs])
            st.dataframe(table, hide_index=True, height="content", column_config=_columns())
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


def _columns() -> dict[str, Any]:
    return {"queries": st.column_config.NumberColumn(format="localized")}


def _form(session: Session, runs: tuple[Run, ...]) -> None:
    """Keys hold the digest, so that a form starts with what the run is called now."""
    by_digest = {run.digest: run for run in runs}
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
            runs_kept.delete(session, run)
            st.rerun()


def _save(session: Session, run: Run, name: str, note: str) -> None:
    try:
        runs_kept.rename(session, run, name, note)
    except MipsError as error:
        st.error(refusal(error))
        return
    st.rerun()


def _undo(session: Session) -> None:
    """The run that was deleted last can come back until other changes are made."""
    deleted = runs_kept.view_of(session).deleted
    if deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        left = counted(len(runs_kept.kept(session)), "run is", "runs are")
        st.markdown(f"“{plain(short(deleted[1].name))}” was deleted; {left} kept.", width="content")
        if st.button("Undo", key="runs undo"):
            runs_kept.bring_back(session)
            st.rerun()
