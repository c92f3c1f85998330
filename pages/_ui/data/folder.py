"""The data folder named at start: its files, some of them chosen, read where they lie."""

import os
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from mips_core import DataError
from mips_core.base.limits import MAX_FOLDER_DEPTH, MAX_LISTED_FILES
from mips_core.base.text import counted
from mips_core.data.folder import VARIABLE, Folder
from pages._ui.data import draft as data_draft
from pages._ui.data.draft import Draft
from pages._ui.parts.data_facts import megabytes
from pages._ui.state import app_state
from pages._ui.text.widgets import plain, refusal

CHOSEN = "data folder files"


@dataclass(frozen=True)
class Inside:
    """A file of the folder. Its key is not its content, but changes with it."""

    folder: Folder
    name: str  # as listed
    size: int  # bytes
    key: Hashable

    @classmethod
    def of(cls, folder: Folder, name: str) -> "Inside":
        """The listed file of this name as it is now. Raises DataError for any other."""
        path = folder.path_of(name)
        try:
            known = path.lstat()
        except OSError as error:
            raise DataError(f"{name} cannot be opened: {error.strerror}.") from None
        return cls(
            folder, name, known.st_size, (str(path), known.st_ino, known.st_size, known.st_mtime_ns)
        )

    @property
    def here(self) -> bool:
        """Files of the folder are not ours to remove; whether it went is seen when it is read."""
        return True

    def path(self) -> Path:
        """Where it lies, looked up anew. Raises DataError where it is no such file any more."""
        return self.folder.path_of(self.name)


def named() -> bool:
    """Whether a folder was named at start."""
    return bool(os.environ.get(VARIABLE))


def draw(draft: Draft) -> None:
    """Files to choose, one or several that belong together."""
    try:
        folder = Folder.of(os.environ[VARIABLE])
    except DataError as error:  # it went away
        st.error(refusal(error))
        return
    listing = folder.listing()
    sizes = {file.name: file.size for file in listing.files}
    known = [file.name for file in draft.reads]
    app_state.start_widget(CHOSEN, known, sizes)
    chosen = st.multiselect(
        f"Files in {plain(folder.root.name)} that belong together",
        list(sizes),
        format_func=lambda name: f"{name} · {megabytes(sizes[name])}",
        key=CHOSEN,
        placeholder="Choose one or several" if sizes else "There is no file in it",
        help="Vectors alone, or with their queries, labels or metadata; ratings alone, or with "
        "titles. They are read where they lie.",
    )
    st.button(
        "Read these files" if len(chosen) > 1 else "Read this file",
        on_click=_take,
        args=(draft, folder, chosen),
        disabled=not chosen,
    )
    more = f"; there are more than the {MAX_LISTED_FILES:,} that are listed"
    st.caption(
        f"{counted(len(sizes), 'file', 'files')}, {MAX_FOLDER_DEPTH} folders deep, without hidden "
        f"ones and links{'' if listing.complete else more}."
    )


def _take(draft: Draft, folder: Folder, names: list[str]) -> None:
    try:
        files = tuple(Inside.of(folder, name) for name in names)
    except DataError as error:
        draft.problem = refusal(error)
        return
    data_draft.take_files(draft, files)
