"""What one file holds: its vectors, or the reason why it holds none."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers.arrays.binary import NeighborIdsError
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Source, Table, recognise
from mips_core.data.readers.names import ANSWERS, plain


def table_of(source: Source, choices: Choices = Choices()) -> Table:
    """The content of one file; any failure as DataError."""
    reader = recognise(source)
    try:
        return reader.read(source, choices)
    except (DataError, Cancelled):
        raise
    except MemoryError:
        raise DataError(
            f"{source.name} does not fit into memory.", "Give its first rows only."
        ) from None
    except Exception as error:
        raise DataError(
            f"{source.name} cannot be read as {reader.label}: {error}.",
            "It may be damaged. Save or download it again.",
        ) from error


@dataclass(frozen=True, eq=False)
class FileContent:
    """A file with its vectors, or with the reason why it holds none."""

    source: Source
    table: Table | None = None
    error: DataError | None = None

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def d(self) -> int:
        return self.table.vectors.shape[-1] if self.table is not None else 0

    @property
    def about(self) -> str:
        """“20 × 9, float32”; nothing for a file without vectors."""
        if self.table is None:
            return ""
        size = " × ".join(f"{length:,}" for length in self.table.vectors.shape)
        return f"{size}, {self.table.vectors.dtype.name}"

    @property
    def holds_answers(self) -> bool:
        """Whether it holds ids of neighbors, as ground truth beside items and queries."""
        if self.table is None:
            return isinstance(self.error, NeighborIdsError)
        return self.table.vectors.dtype.kind in "iu" and self.says(ANSWERS)

    def says(self, names: Sequence[str]) -> bool:
        """Whether the name, or a word of it, is one of `names`."""
        stem = plain(Path(self.source.plain_name).stem)
        return stem in names or any(len(w) > 2 and w in names for w in stem.split("_"))
