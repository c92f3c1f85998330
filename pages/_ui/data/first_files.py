"""The files that were named at start: who comes without a link begins with them.

`mips-explorer words.npy` names them. They are read once, for all visitors.
"""

import os

import streamlit as st

from mips_core import DataError
from mips_core.data.folder import folder_in
from pages._ui.data import outcome
from pages._ui.data.draft import Draft, metric_of, preview_of, recipe_of, use_draft
from pages._ui.data.reading import key_of
from pages._ui.parts.folder_files import FOLDER, FolderFile
from pages._ui.state import app_state
from pages._ui.state.session import DEFAULT_DATA, Session
from pages._ui.text.widgets import plain
from pages._ui.work import jobs


def draw() -> bool:
    """Open them in place of the page; whether that still goes on, or waits for a choice."""
    session = app_state.current()
    files = _files() if session.awaits else ()
    if not files:
        session.awaits = False
        return False
    if session.draft is None:
        session.draft = Draft(FOLDER, DEFAULT_DATA, files, FOLDER)
    draft: Draft = session.draft
    if preview_of(session, draft) is None or draft.problem:
        st.info(f"Opening **{plain(', '.join(file.name for file in files))}**.")
        outcome.read(draft)
    preview = preview_of(session, draft)
    if preview is not None and not draft.problem:
        recipe = recipe_of(session, draft, preview)
        use_draft(session, preview, recipe, metric_of(session, draft, preview))
        session.awaits = bool(draft.problem)
        st.rerun()
    job = jobs.find(key_of(draft.files, draft.interpretation))
    if draft.problem or job is None or not job.active:
        instead = plain(session.source.name)
        st.button(f"Go on with {instead}", key="without files", on_click=_go_on, args=(session,))
    return True


def _go_on(session: Session) -> None:
    session.awaits, session.draft = False, None


def _files() -> tuple[FolderFile, ...]:
    """As they are now; none where one of them went away."""
    try:
        folder = folder_in(os.environ)
        return tuple(FolderFile.of(folder, name) for name in folder.first) if folder else ()
    except DataError:
        return ()
