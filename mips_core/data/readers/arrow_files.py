"""Parquet, Arrow (files and streams) and Feather, read in a child process."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import DataError
from mips_core.data.readers.child import Answer, run, table_of
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register

PARQUET, ENCRYPTED = b"PAR1", b"PARE"
ARROW_FILE, FEATHER_1 = b"ARROW1", b"FEA1"
STREAM = b"\xff\xff\xff\xff"


@dataclass(frozen=True, eq=False)
class CodedTexts:
    """Texts (n): row i holds words[codes[i]], or none where the code is -1."""

    words: list[str]
    codes: NDArray[np.int32]


def is_parquet(head: bytes, name: str) -> bool:
    """Parquet, or Parquet with an encrypted end."""
    return head.startswith((PARQUET, ENCRYPTED))


def is_arrow(head: bytes, name: str) -> bool:
    """An Arrow or Feather file, or a stream: a length, then a small offset of Flatbuffers."""
    length, offset = (int.from_bytes(head[i : i + 4], "little") for i in (4, 8))
    stream = head.startswith(STREAM) and length % 8 == 0 and 0 < offset < min(length, 2**10)
    return head.startswith((ARROW_FILE, FEATHER_1)) or stream


def read(source: Source, choices: Choices) -> Table:
    """What `in_child.arrow.parse` finds."""
    return _run("arrow:parse", source, table_of, choices=asdict(choices))


def table_columns(
    source: Source, names: Sequence[str] | None = None
) -> dict[str, NDArray[Any] | CodedTexts]:
    """Columns of text, numbers and moments (as seconds since 1970); all, or those `names`.

    Numbers keep their dtype; where one is missing the column is float64 with NaN. Raises DataError
    for a name that is none of them and as `child.run` does.
    """
    wanted = None if names is None else list(names)
    return _run("arrow_table:columns", source, _columns, names=wanted)


def _columns(answer: Answer) -> dict[str, NDArray[Any] | CodedTexts]:
    columns: dict[str, NDArray[Any] | CodedTexts] = {}
    for j, (name, words) in enumerate(
        zip(answer.facts["names"], answer.facts["words"], strict=True)
    ):
        values = answer.arrays[f"c{j}"]
        if words is not None:
            if len(values) and not -1 <= values.min() <= values.max() < len(words):
                raise ValueError("codes without words")
            columns[str(name)] = CodedTexts([str(word) for word in words], values)
            continue
        if f"m{j}" in answer.arrays:
            values = values.astype(np.float64)
            values[answer.arrays[f"m{j}"]] = np.nan
        columns[str(name)] = values
    return columns


def _run(parser: str, source: Source, made: Any, **arguments: Any) -> Any:
    """What `parser` in the child makes of `source`, after refusals that its first bytes allow."""
    what = "a Parquet file" if is_parquet(source.head, "") else "an Arrow file"
    if source.head.startswith(ENCRYPTED):
        raise DataError(
            f"{source.name} is a Parquet file that is encrypted.", "Save it without encryption."
        )
    if source.head.startswith(FEATHER_1):
        raise DataError(
            f"{source.name} is a Feather file of version 1, which is no longer in use.",
            "Write it again with pandas or pyarrow, which write version 2.",
        )
    parser = f"mips_core.data.readers.in_child.{parser}"
    return run(parser, what, source, {"what": what, **arguments}, made)


register(Reader("parquet", "Parquet", (".parquet", ".pq"), Rank.MAGIC, is_parquet, read))
register(Reader("arrow", "Arrow and Feather", (".arrow", ".feather", ".ipc", ".arrows"),
                Rank.MAGIC, is_arrow, read))  # fmt: skip
