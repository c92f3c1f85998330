"""Runs as files: those side by side as one download, and files of runs that are opened."""

import streamlit as st

from mips_core import MipsError
from mips_core.base.limits import MAX_RUNS
from mips_core.base.text import counted
from mips_core.studies.runs import Run, read_runs
from mips_core.studies.runs.files import ENDING, written
from pages._ui.compare import runs_kept
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.safe_name import safe_name
from pages._ui.text.widgets import plain, refusal, short


def download(runs: list[Run]) -> None:
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
    view = runs_kept.view_of(session)
    opened = view.opened
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
    """Keep the runs of what was uploaded, and empty the uploader: its files stay in memory else."""
    uploads = app_state.widget(key)
    if not uploads or key != f"runs files {runs_kept.view_of(session).opened.round}":
        return
    refused, said = [], []
    for upload in uploads:
        name = plain(short(upload.name))
        try:
            runs = read_runs(upload)
        except MipsError as error:
            refused.append(refusal(error, "The runs that are kept are unchanged."))
            continue
        added = runs_kept.keep(session, runs)
        said.append(f"**{name}**: {_added(runs_kept.room(session), len(runs), len(added))}")
    runs_kept.tell(session, refused, "  \n".join(said))


def _added(room: int, found: int, added: int) -> str:
    """How many of the runs of a file are new here, and why the others are not."""
    text = f"{counted(added, 'run was', 'runs were')} added"
    if added == found:
        return f"{text}."
    rest = found - added
    if room == 0:
        return f"{text}; {rest} had no room: {MAX_RUNS} are kept, as many as can be."
    return f"{text}; {rest} {'is' if rest == 1 else 'are'} kept already."
