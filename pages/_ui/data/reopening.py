"""Data that a link or an open page names and that are not in memory: opened again, or named."""

import os
from contextlib import suppress

import streamlit as st

from mips_core import DataError
from mips_core.data.folder import folder_in
from mips_core.data.published.entries import PUBLISHED as SETS
from mips_core.data.published.fetch import files_of
from pages._ui.data import outcome
from pages._ui.data.draft import PUBLISHED, Draft, preview_of, watch
from pages._ui.data.published import PublishedFile
from pages._ui.data.reading import Interpretation, key_of
from pages._ui.parts.folder_files import FOLDER, FolderFile
from pages._ui.state import app_state, links
from pages._ui.state.session import DEFAULT_DATA, Session
from pages._ui.text.widgets import PAGES, plain
from pages._ui.work import earlier, jobs, uploads
from pages._ui.work.data_files import File
from pages._ui.work.uploads import DataOrigin, Share


def draw() -> bool:
    """Open what is missing where it lies on this machine, else say what is gone.

    Whether that still goes on: then nothing else is to be drawn in the place of what is awaited.
    """
    session = app_state.current()
    if not session.missing:
        return False
    draft = _draft(session)
    if draft is None or session.lost is None:
        _say_gone(session, "")
        return False
    job = jobs.find(key_of(draft.files, draft.interpretation))
    preview = preview_of(session, draft)
    if preview is None and (job is None or (job.active and not job.stop)):
        st.info(f"Opening **{plain(session.lost.in_words())}** again, where it lies.")
        outcome.read(draft)
        preview = preview_of(session, draft)
        if preview is None:
            return True
    if preview is not None and preview.data == session.missing:
        words = links.words_of(session)
        uploads.hold(preview.source, session.lost)
        watch(preview.source, draft.reads)
        earlier.keep(preview.source)
        app_state.reopen(words)
        st.rerun()
    place = "of the published set" if session.lost.published else "in the data folder"
    _say_gone(session, f" Its file {place} was changed, or cannot be read so any more.")
    return False


def _draft(session: Session) -> Draft | None:
    """The files on this machine that held what is missing, to be read; None without them."""
    draft: Draft | None = session.draft
    if draft is None and session.lost is not None and (files := _files(session.lost)):
        how, key = Interpretation.of(session.lost.reading), session.lost.published
        by, name = (PUBLISHED, SETS[key].label) if key else (FOLDER, "")
        session.draft = Draft(by, DEFAULT_DATA, files, by, how, name=name, again=True)
        session.draft.published = key or session.draft.published
        return session.draft
    return draft if draft is not None and draft.again else None


def _files(origin: DataOrigin) -> tuple[File, ...]:
    """Those of the data folder, or of a published set, that these data came from; none where one of
    them is not there.
    """
    if origin.published in SETS:
        return tuple(PublishedFile.of(path) for path in files_of(SETS[origin.published]) or ())
    with suppress(DataError):
        folder = folder_in(os.environ) if origin.folder else None
        if folder is not None:
            return tuple(FolderFile.of(folder, name) for name in origin.files)
    return ()


def _say_gone(session: Session, why: str) -> None:
    """Say on every page what is gone, and that other data stand in its place until one chooses."""
    name = f"Data with the fingerprint {session.missing[:4]}…"
    name = session.lost.in_words() if session.lost else name
    shown = plain(session.source.name)
    gone = "is no longer in memory: open the files again.**"
    if session.withdrawn:
        gone = "is shared no more.** Who uploaded it has stopped that: ask for a new link."
    with st.container(border=True):
        st.markdown(
            f"**{plain(name)} {gone}{why} What you see below is {shown}. The address and the "
            "settings stay as they are until you choose."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            files = "Open files of your own" if session.withdrawn else "Open the files again"
            if st.button(files, key="open again", type="primary"):
                st.switch_page(PAGES / "data.py")
            st.button(f"Go on with {shown}", key="missing", on_click=_go_on, args=(session,))


def _go_on(session: Session) -> None:
    session.missing, session.lost, session.asked, session.share = "", None, None, Share()
    session.withdrawn = False
