"""The files of a built index: what goes into them, how large they are, what they are called."""

from dataclasses import dataclass, replace
from io import BytesIO

from mips_core import StoredIndex, faiss_file, save
from mips_core.base.byte_size import byte_size
from mips_core.serving.faiss_export import faiss_bytes
from mips_core.serving.store import SUFFIX, stored_index
from pages._ui.parts.data_export import data_stem
from pages._ui.state.session import Session
from pages._ui.work.measurement import Built


@dataclass(frozen=True, eq=False)
class Files:
    """A built index with the effort chosen for it and the items searched; both files of it.

    `with_items`: whether our file holds the items. That for faiss always does.
    """

    stored: StoredIndex
    effort: int
    stem: str
    with_items: bool = True

    def without_items(self) -> "Files":
        """The same with the items left out of our file."""
        return replace(self, with_items=False)

    @property
    def name(self) -> str:
        """Of our file."""
        return f"{self.stem}{SUFFIX}"

    @property
    def faiss_name(self) -> str:
        """Of the file for faiss."""
        return f"{self.stem}.faiss"

    @property
    def item_bytes(self) -> int:
        """What the items take in our file."""
        return 0 if self.stored.items is None else self.stored.items.nbytes

    @property
    def size(self) -> int:
        """About how many bytes our file has."""
        labels = sum(map(len, self.stored.labels or ()))
        return byte_size(self.stored.structure) + labels + self.item_bytes * self.with_items

    @property
    def faiss_size(self) -> int:
        """About how many bytes the file for faiss has."""
        return faiss_bytes(self.stored)

    def saved(self) -> BytesIO:
        """Our file."""
        file = BytesIO()
        save(file, self.stored if self.with_items else replace(self.stored, items=None))
        file.seek(0)
        return file

    def faiss(self) -> bytes:
        """The file for faiss. Raises MipsError as `faiss_file` does."""
        return faiss_file(self.stored, self.effort)


def files_of(session: Session, built: Built, effort: int) -> Files:
    """Those of `built`, an index of the data in use, asked at `effort`."""
    stored = stored_index(session.dataset, built.index, built.seed, built.structure, effort)
    return Files(stored, effort, f"{data_stem(session)}-{built.index.key}")
