"""Files of the folder that was named at start: which there are, and a choice among them."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from mips_core import DataError
from mips_core.base.limits import MAX_FOLDER_DEPTH, MAX_LISTED_FILES
from mips_core.base.text import counted
from mips_core.data.folder import FILES, VARIABLE, Folder, folder_in
from pages._ui.parts.data_facts import megabytes
from pages._ui.state import app_state
from pages._ui.text.widgets import plain, refusal

SHIPPED, UPLOAD, FOLDER = "Shipped", "Upload", "Folder"  # where data come from
Take = Callable[["tuple[FolderFile, ...]", str], None]  # told which were picked, or why none are


class SharedFile:
    """A file that lies on this machine for all visitors, and is not ours to remove."""

    @property
    def private(self) -> str:
        """All visitors may read it."""
        return ""

    @property
    def here(self) -> bool:
        """Whether it went is seen when it is read."""
        return True


@dataclass(frozen=True)
class FolderFile(SharedFile):
    """A file of the folder. Its key is not its content, but changes with it."""

    folder: Folder
    name: str  # as listed
    size: int  # bytes
    key: tuple[str, int, int, int]  # path, its number on the disk, bytes, when it was changed

    @classmethod
    def of(cls, folder: Folder, name: str) -> "FolderFile":
        """The listed file of this name as it is now. Raises DataError for any other."""
        path = folder.path_of(name)
        try:
            status = path.lstat()
        except OSError as error:
            raise DataError(f"{name} cannot be opened: {error.strerror}.") from None
        return cls(
            folder,
            name,
            status.st_size,
            (str(path), status.st_ino, status.st_size, status.st_mtime_ns),
        )

    @property
    def written_over(self) -> bool:
        """Whether this very file was changed since; another that was put in its place leaves it."""
        try:
            now = self.of(self.folder, self.name).key
        except DataError:
            return False
        return now != self.key and now[:2] == self.key[:2]

    def path(self) -> Path:
        """Where it lies, looked up anew. Raises DataError where it is no such file any more."""
        return self.folder.path_of(self.name)


def named() -> bool:
    """Whether a folder, or files of one, were named at start."""
    return bool(os.environ.get(VARIABLE) or os.environ.get(FILES))


def choose(key: str, chosen: Sequence[str], take: Take) -> None:
    """Files of the folder, one or several that belong together; `chosen` are picked at first."""
    try:
        folder = folder_in(os.environ)
    except DataError as error:  # it went away
        st.error(refusal(error))
        return
    if folder is None:
        return
    listing = folder.listing()
    sizes = {file.name: file.size for file in listing.files}
    app_state.start_widget(key, list(chosen), sizes)
    picked = st.multiselect(
        f"Files of the folder “{plain(folder.root.name)}” that belong together",
        list(sizes),
        format_func=lambda name: f"{name} · {megabytes(sizes[name])}",
        key=key,
        placeholder="Choose one or several" if sizes else "There is no file in it",
        help="Vectors alone, or with their queries, labels or metadata; ratings alone, or with "
        "titles. They are read where they lie.",
    )
    st.button(
        "Read these files" if len(picked) > 1 else "Read this file",
        on_click=_take,
        args=(folder, picked, take),
        disabled=not picked,
    )
    more = f"; there are more than the {MAX_LISTED_FILES:,} that are listed"
    odd = f"{counted(listing.unnamed, 'file or folder', 'files and folders')} left out"
    unnamed = f" {odd}: the name cannot be shown." if listing.unnamed else ""
    if folder.alone:
        st.caption("The files named at start.")
        return
    st.caption(
        f"{counted(len(sizes), 'file', 'files')}, up to {MAX_FOLDER_DEPTH} folders deep, without "
        f"hidden ones and links{'' if listing.complete else more}.{unnamed}"
    )


def _take(folder: Folder, names: list[str], take: Take) -> None:
    try:
        files = tuple(FolderFile.of(folder, name) for name in names)
    except DataError as error:
        take((), refusal(error))
        return
    take(files, "")
