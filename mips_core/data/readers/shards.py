"""Parts of one set, data-00-of-02 and data-01-of-02, as one table."""

import re
from dataclasses import replace

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.file_content import FileContent
from mips_core.data.readers.names import quoted

SHARD = re.compile(r"(.*?)[-_.](\d{1,5})[-_]of[-_](\d{1,5})(.*)")


def without_shards(files: list[FileContent]) -> list[FileContent]:
    """`files` with the parts of one set, data-00-of-02 and data-01-of-02, as one file.

    Raises DataError where a part is missing, or has another number of dimensions.
    """
    shards: dict[tuple[str, ...], dict[int, FileContent]] = {}
    for file in files:
        if file.table is not None and (match := SHARD.search(file.name)):
            shards.setdefault((match[1], match[3], match[4]), {})[int(match[2])] = file
    for (stem, count, _), held in shards.items():
        parts = [held[number] for number in sorted(held)]
        if len(parts) != int(count):
            raise DataError(
                f"{quoted(file.name for file in parts)}: {len(parts):,} of {int(count):,} parts of "
                f"one set were given.",
                "Give all of them; for one of them alone, rename it.",
            )
        tables = [file.table for file in parts if file.table is not None]
        if len({file.d for file in parts}) > 1:
            raise width_error(parts[0], next(f for f in parts if f.d != parts[0].d))
        labels = [label for table in tables for label in table.labels or ()]
        whole = replace(
            tables[0],
            vectors=np.concatenate([table.vectors for table in tables]),
            labels=labels if all(table.labels is not None for table in tables) else None,
            notes=[f"{len(parts):,} parts of “{stem}” are taken as one table.", *tables[0].notes],
            kept=None,
        )
        one = FileContent(parts[0].source, whole)
        files = [one if file is parts[0] else file for file in files if file not in parts[1:]]
    return files


def width_error(items: FileContent, queries: FileContent) -> DataError:
    """The refusal of two files whose vectors are of different lengths."""
    return DataError(
        f"The vectors of {queries.name} have {counted(queries.d, 'dimension', 'dimensions')}, "
        f"those of {items.name} {items.d:,}.",
        "Both must come from the same model.",
    )
