"""Uploaded files on disk: in a private folder, under harmless names, for as long as they are read.

No text from the browser is ever opened as a path.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Protocol

from pages._ui import results


class Upload(Protocol):
    """What Streamlit gives for an uploaded file, as far as it is used here."""

    file_id: str
    name: str
    size: int

    def getvalue(self) -> bytes:
        """All bytes, not copied."""


def digest(file: Upload) -> str:
    """A hash of the content, computed once an upload."""
    known: str | None = results.recall(("digest", file.file_id))
    if known is None:
        known = blake2b(file.getvalue(), digest_size=16).hexdigest()
        results.remember(("digest", file.file_id), known)
    return known


def safe_name(name: str) -> str:
    """The last part of `name` as a file may be called anywhere; its suffixes stay."""
    last = re.split(r"[/\\]", name)[-1]
    last = "".join(c if c.isprintable() and c not in '<>:"|?*' else "_" for c in last).rstrip(" .")
    end = re.search(r"(\.[a-z0-9_]{1,12}){0,2}$", last, re.IGNORECASE | re.ASCII)
    suffix = end[0] if end else ""
    stem = last[: len(last) - len(suffix)].encode(errors="replace")[:150].decode(errors="ignore")
    return (stem.strip(" .") or "upload") + suffix


def copied(files: Sequence[Upload]) -> list[Path]:
    """Copies of `files`, each in a folder of its own, in a new folder only we can read.

    Raises OSError where the disk is full; nothing is left then.
    """
    folder = Path(mkdtemp(prefix="mips-upload-"))
    paths = [folder / str(i) / safe_name(file.name) for i, file in enumerate(files)]
    try:
        for path, file in zip(paths, files, strict=True):
            path.parent.mkdir()
            path.write_bytes(file.getvalue())
    except OSError:
        rmtree(folder, ignore_errors=True)
        raise
    return paths


def remove(paths: Sequence[Path]) -> None:
    """Remove what `copied` made."""
    rmtree(paths[0].parents[1], ignore_errors=True)
