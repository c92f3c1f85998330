"""What the Data page needs to know of a file: one that is uploaded, one that can be read."""

from collections.abc import Hashable
from pathlib import Path
from typing import Protocol


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
    def here(self) -> bool:
        """Whether it can still be read."""

    def path(self) -> Path:
        """Where it lies now. Raises DataError where it is gone."""
