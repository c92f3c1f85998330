"""Files to be read, wherever they lie, and those that visitors upload, while somebody needs them.

A copy of an upload goes when its draft is used, dropped or replaced, and as upload_copy.py says.
"""

from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile

from mips_core import DataError
from mips_core.base.errors import disk_full
from pages._ui.work.upload_copy import Copy, sweep


class Upload(Protocol):
    """What Streamlit gives for an uploaded file, as far as it is used here."""

    file_id: str
    name: str
    size: int

    def getvalue(self) -> bytes:
        """All bytes, not copied."""


class File(Protocol):
    """One file to be read, wherever it lies."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def size(self) -> int:
        """Bytes."""

    @property
    def key(self) -> Hashable:
        """Other content has another one."""

    @property
    def private(self) -> str:
        """Names it among all that was uploaded; "" where all visitors may read it."""

    @property
    def here(self) -> bool:
        """Whether it can still be read."""

    def path(self) -> Path:
        """Where it lies now. Raises DataError where it is gone."""


class Arrival(bytes):
    """What Streamlit keeps in the place of the bytes of an upload: no bytes, and what came of it.

    Streamlit lets go of it when the visitor leaves, and so of the copy.
    """

    what: "Copy | DataError"

    @classmethod
    def of(cls, what: "Copy | DataError") -> "Arrival":
        """The copy on disk, or why there is none."""
        arrival = cls()
        arrival.what = what
        return arrival

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.what.size if isinstance(self.what, Copy) else 0


def store(uploads: Sequence[Upload]) -> tuple[Copy, ...]:
    """Copies of `uploads`, which Streamlit then forgets.

    Raises DataError where they cannot be kept, or where the server has lost one: it was started
    anew.
    """
    try:
        if any(isinstance(upload, DeletedFile) for upload in uploads):
            raise DataError("The server no longer has what you uploaded.", "Upload it again.")
        copies = tuple(_copy_of(upload) for upload in uploads)
    except OSError as error:
        raise not_stored(error) from None
    finally:
        _free(uploads)
    sweep()
    return copies


def not_stored(error: OSError) -> DataError:
    """Why an upload could not be kept, and what to do."""
    why = f"The upload could not be stored: {error.strerror or error}."
    return disk_full(error) or DataError(why, "Upload it again.")


def _copy_of(upload: Upload) -> Copy:
    """What was uploaded: as it came to disk, or of bytes that are in memory."""
    copy = _arrival(upload)
    if isinstance(copy, DataError):
        raise copy
    if copy is None:
        copy = Copy(upload.name)
        copy.write(upload.getvalue())
        copy.close()
    return copy


def _arrival(upload: Upload) -> Copy | DataError | None:
    """What came to disk for this visitor's `upload`; None where its bytes are in memory."""
    context = get_script_run_ctx()
    if context is not None:
        for record in context.uploaded_file_mgr.get_files(context.session_id, [upload.file_id]):
            if isinstance(record.data, Arrival):
                return record.data.what
    return None


def remove(files: Iterable[File]) -> None:
    """Nobody needs these any more; files that are no copies of ours stay."""
    for file in files:
        if isinstance(file, Copy):
            file.remove()


def _free(uploads: Sequence[Upload]) -> None:
    """Streamlit would keep them in memory until the visitor leaves, or removes them by hand."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for upload in uploads:
            context.uploaded_file_mgr.remove_file(context.session_id, upload.file_id)
