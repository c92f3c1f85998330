"""What runs in a child process: limits first, then the parser, then its answer on disk."""

import json
import struct
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.child import ANSWER, ERRORS, REACHED
from mips_core.data.readers.choices import Offers, UnsettledError
from mips_core.data.readers.contract import Source

OPEN_FILES = 64


class Room:
    """The folder that takes the arrays of an answer, and the processor time given for them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arrays: dict[str, dict[str, Any]] = {}

    def rows(self, name: str, dtype: np.dtype[Any], width: int | None = None) -> "Rows":
        """A new array (n, width), or (n) without a width, that takes its rows block by block."""
        return Rows(self, name, dtype, width)

    def save(self, name: str, array: NDArray[Any]) -> None:
        """An array as it is."""
        with (self.folder / f"{name}.bin").open("wb") as file:
            file.write(np.ascontiguousarray(array).data)
        self.arrays[name] = {"dtype": array.dtype.str, "shape": array.shape}

    def allow(self, nbytes: int) -> None:
        """Grant the processor time that reading `nbytes` more may take."""
        seconds = limits.CHILD_SECONDS + nbytes / limits.CHILD_BYTES_A_SECOND
        limit_this_process("RLIMIT_CPU", ceil(time.process_time() + seconds))


class Rows:
    """An array written to disk as its rows come; to be closed."""

    def __init__(self, room: Room, name: str, dtype: np.dtype[Any], width: int | None) -> None:
        self.room, self.name, self.dtype, self.width = room, name, dtype, width
        self.n = 0
        self._file = (room.folder / f"{name}.bin").open("wb")

    def add(self, block: NDArray[Any]) -> None:
        """Rows (b, width), or (b), of the array's dtype."""
        self._file.write(np.ascontiguousarray(block, self.dtype).data)
        self.n += len(block)

    def close(self) -> None:
        """No more rows: put the array among those of the answer."""
        self._file.close()
        shape = (self.n,) if self.width is None else (self.n, self.width)
        self.room.arrays[self.name] = {"dtype": self.dtype.str, "shape": shape}


def check_growth(what: str, unpacked: int, packed: int) -> None:
    """Raise DataError where so many bytes of numbers are out of proportion to those of a file."""
    if unpacked > max(limits.SMALL_UNPACKED_BYTES, limits.MAX_ARRAY_EXPANSION * packed):
        raise DataError(
            f"{what} grows {unpacked / max(packed, 1):,.0f} times when unpacked, to "
            f"{unpacked / 2**20:,.0f} MB; the limit is {limits.MAX_ARRAY_EXPANSION} times.",
            "If it is what you mean to read, save it as .npy.",
        )


def table_facts(
    labels: Sequence[str] | None,
    notes: Sequence[str],
    offers: Offers,
    transposed: Sequence[str] = (),
) -> dict[str, Any]:
    """Facts that `child.table_of` makes a Table of, with the arrays in the room.

    Those are "vectors" and perhaps "queries" and "bias"; `transposed` names what lies on its side.
    """
    facts = {"labels": labels, "notes": notes, "offers": asdict(offers)}
    return facts | {"transposed": list(transposed)}


def main() -> None:
    """Do what `child.run` asks for and write the answer into its folder."""
    request = json.loads(sys.stdin.buffer.readline())
    room = Room(Path(request["folder"]))
    limit_this_process("RLIMIT_CORE", 0)
    limit_this_process("RLIMIT_NOFILE", OPEN_FILES)
    limit_this_process("RLIMIT_FSIZE", limits.MAX_FILE_BYTES + 2**20)
    limit_this_process("RLIMIT_AS", limits.CHILD_MEMORY_BYTES)
    module, _, function = request["parser"].partition(":")
    with (room.folder / REACHED).open("wb", buffering=0) as reached:

        def progress(fraction: float, message: str, partial: Any = None) -> None:
            reached.seek(0)
            reached.write(struct.pack("d", fraction))

        try:
            source = Source.of(Path(request["path"]), request["name"], progress)
            source = replace(source, not_ratings=bool(request["not_ratings"]))
            parser = getattr(import_module(module), function)
            room.allow(source.size)
            facts = parser(source, room, **request["arguments"])
            room.allow(limits.MAX_TEXT_BYTES)  # from here on it is our own code
            text = json.dumps({"arrays": room.arrays, "facts": facts})
        except DataError as error:
            text = json.dumps({"error": _error(error)})
        except MemoryError:
            text = json.dumps({"error": _error(_memory(request["name"]))})
        except Exception:
            text = json.dumps({"failure": traceback.format_exc()})
    (room.folder / ANSWER).write_text(text, encoding="ascii")


def _error(error: DataError) -> dict[str, Any]:
    offers = asdict(error.offers) if isinstance(error, UnsettledError) else None
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in ERRORS)
    return {"kind": kind, "found": error.found, "remedy": error.remedy, "offers": offers}


def _memory(name: str) -> DataError:
    return DataError(
        f"{name} takes more memory to read than the limit of "
        f"{limits.CHILD_MEMORY_BYTES / 2**20:,.0f} MB.",
        "It may be damaged. Otherwise give its first rows only, or write it in smaller parts.",
    )


def limit_this_process(name: str, value: int) -> None:
    """Set a limit, as RLIMIT_AS, of the process this runs in, where the platform has it."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (soft, hard))
