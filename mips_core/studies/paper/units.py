"""Units of work: each leaves one small file, and what is there is not measured again.

A file is written whole or not at all, and holds nothing of when or how fast it was made: a run that
is stopped and started again ends with the same bytes as one that is not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mips_core.base.atomic_write import replacing
from mips_core.base.text import MADE_BY

Arrays = Mapping[str, Any]
VERSION = 1  # of what is in a file: another one is measured anew


@dataclass(frozen=True, slots=True)
class UnitFolder:
    """Where the files of units are kept; None keeps nothing. asked: names of files asked for."""

    folder: Path | None
    asked: set[str] = field(default_factory=set, compare=False, kw_only=True)

    def kept(self, names: Sequence[object]) -> Arrays | None:
        """What is kept under these names, if it is there and whole."""
        path = self._path(names)
        if path is None or not path.is_file():
            return None
        try:
            with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, KeyError, BadZipFile):
            return None  # measured again, and written over

    def get(self, names: Sequence[object], make: Callable[[], Arrays]) -> Arrays:
        """What is kept under these names, or what `make` makes, kept from now on."""
        path, arrays = self._path(names), self.kept(names)
        if path is not None:
            self.asked.add(path.name)
        if arrays is None:
            arrays = make()
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                with replacing(path) as file:
                    np.savez(file, allow_pickle=False, **dict(arrays))
        return arrays

    def _path(self, names: Sequence[object]) -> Path | None:
        if self.folder is None:
            return None
        told = "\n".join(map(str, (MADE_BY, VERSION, *names)))
        return self.folder / f"{blake2b(told.encode(), digest_size=16).hexdigest()}.npz"
