"""What every reader is and gives: a registered Reader turns one Source into one Table."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mips_core.base.arrays import Ids
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent
from mips_core.base.text import shown_name
from mips_core.data.readers.choices import Choices, Offers

HEAD_BYTES = 64 * 2**10
"""How much of a file is looked at to recognise it."""

PACKED = re.compile(r"\.(gz|bz2|xz)$", re.IGNORECASE)

AGAIN = "Save or download it again."
NONE_LEFT = "Save the vectors with numpy.save, one vector a row, and give the .npy."

RAW = (
    "If it holds raw numbers (tofile, memmap), nothing in it tells their shape and dtype: read it "
    "with numpy.fromfile, give it its n rows and d dimensions with reshape(n, d), save that with "
    "numpy.save and give the .npy."
)


@contextmanager
def damage_told(
    what: str, faults: tuple[type[Exception], ...], how: str = "damaged or cut short"
) -> Iterator[None]:
    """Turns `faults` of a library into the DataError that `what`, “x.gz is a gzip file”, is so."""
    try:
        yield
    except (DataError, MemoryError):
        raise
    except faults:
        raise DataError(f"{what} that is {how}.", AGAIN) from None


@dataclass(frozen=True)
class Source:
    """One file, already unpacked: where it lies, what people call it, how it begins."""

    path: Path
    name: str  # shown in messages; a temporary copy keeps the name of the original
    head: bytes  # the first HEAD_BYTES
    size: int  # bytes
    progress: Progress = silent
    archive: str = ""  # the zip it came from
    not_ratings: bool = False  # a person says so, whatever its columns are called
    lasting: bool = False  # it stays where it lies, unchanged: what is read of it may be mapped

    @classmethod
    def of(cls, path: Path, name: str = "", progress: Progress = silent) -> "Source":
        """The file at `path`. Raises OSError where it cannot be opened."""
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
            return cls(path, name or shown_name(path), head, path.stat().st_size, progress)

    def reached(self, position: int) -> None:
        """Report that a reader is at byte `position`. Raises Cancelled where reading must stop."""
        share = min(1.0, position / self.size) if self.size else 1.0
        self.progress(share, f"Reading {self.name}: {share:.0%}")

    @property
    def stem(self) -> str:
        """The name without what tells the format: words.vec.gz is words."""
        return Path(PACKED.sub("", self.name)).stem

    @property
    def plain_name(self) -> str:
        """The name in lower case and without .gz and kin, to recognise a format by."""
        return PACKED.sub("", self.name).lower()


@dataclass(frozen=True, eq=False)
class Table:
    """Vectors (n, d) as a file holds them, perhaps with labels (n), queries (m, d) and bias (n).

    Real numbers of the dtype and byte order they are stored in; whether they are finite is checked
    later. Vectors with a bias are the weights of a classifier layer.
    """

    vectors: NDArray[Any]
    labels: Sequence[str] | None = None
    queries: NDArray[Any] | None = None
    notes: Sequence[str] = ()
    bias: NDArray[Any] | None = None
    offers: Offers = Offers()
    kept: Ids | None = None  # (n,) places of the vectors among all rows; None: none was left out


class Rank(IntEnum):
    """How sure `matches` is; readers are asked in this order."""

    MAGIC = 0  # its first bytes belong to this format alone
    FOREIGN = 1  # known, and not read
    STRUCTURE = 2  # binary, recognised by its layout or its name
    SEPARATED = 3  # text cut by tabs, commas or semicolons
    TEXT = 4  # any other text


@dataclass(frozen=True)
class Reader:
    """One format. `matches(head, name)` looks at content first; `read` raises DataError.

    `fits`, where given, is asked after `matches`: for formats told by the size of the file.
    """

    key: str
    label: str  # as in "Read are: …"
    suffixes: tuple[str, ...]
    rank: Rank
    matches: Callable[[bytes, str], bool]
    read: Callable[[Source, Choices], Table]
    fits: Callable[[Source], bool] = lambda source: True


READERS: dict[str, Reader] = {}


def register(reader: Reader) -> Reader:
    """Make `reader` known; called once beside its definition."""
    if reader.key in READERS:
        raise ValueError(f"two readers are called {reader.key}")
    READERS[reader.key] = reader
    return reader


def recognise(source: Source) -> Reader:
    """The reader for `source`, by content, the surest first. Raises DataError where none fits."""
    for reader in sorted(READERS.values(), key=lambda r: r.rank):
        if reader.matches(source.head, source.plain_name) and reader.fits(source):
            return reader
    remedy = "It may be damaged or have the wrong name. Save or download it again."
    if b"\0" in source.head:
        remedy = f"{RAW} Otherwise it may be damaged: save or download it again."
    claimed = next((r for r in READERS.values() if source.plain_name.endswith(r.suffixes)), None)
    if claimed is not None:
        raise DataError(f"{source.name} does not hold what its name says, {claimed.label}.", remedy)
    left = RAW if b"\0" in source.head else NONE_LEFT
    raise DataError(f"{source.name} is no format known here.", f"{readable()} {left}")


def readable() -> str:
    """One sentence listing what can be read."""
    labels = [r.label for r in READERS.values() if r.rank != Rank.FOREIGN]
    return f"Read are: {', '.join(labels)}; each also in .gz, .bz2, .xz or .zip."
