"""Sparse matrices of users × items in the Matrix Market format: size, then "row column value"."""

import re
from dataclasses import replace
from itertools import islice

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.ratings.blocks import FileRatings, Gathered
from mips_core.data.ratings.columns import RatingRoles
from mips_core.data.ratings.layout import RatingsLayout
from mips_core.data.ratings.table import lines_of, read_triples
from mips_core.data.readers.choices import RatingChoices
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.dialect import Dialect
from mips_core.data.readers.ratings_signs import MATRIX_MARKET
from mips_core.data.readers.text.lines import BLANK

SIZES = re.compile(r"(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})")
MOST_REMARKS = 1000  # lines before the sizes
LEAST_BYTES = 4  # of one entry: "1 1\n"


def matches(source: Source) -> bool:
    """Whether the file begins as Matrix Market files do."""
    return MATRIX_MARKET.match(source.head) is not None


def read(source: Source, gathered: Gathered, choices: RatingChoices) -> FileRatings:
    """The ratings. Raises DataError for dense, complex or symmetric matrices."""
    layout, promised = _head(source)
    roles = RatingRoles(0, 1, 2 if layout.width == 3 else None)
    before = gathered.count
    ratings = read_triples(source, layout, roles, gathered, skip_bad=choices.skip_bad)
    count = gathered.count - before + ratings.bad_lines
    if count != promised:
        raise DataError(
            f"{source.name} holds {counted(count, 'entry', 'entries')}, its head says "
            f"{promised:,}.",
            "It may be cut short. Save or download it again.",
        )
    notes = ["Rows are users and columns items, numbered from 1.", *ratings.notes]
    return replace(ratings, notes=notes)


def _head(source: Source) -> tuple[RatingsLayout, int]:
    """The layout of the entries, and how many there are by the line of sizes."""
    lines = islice(lines_of(source, "latin-1"), MOST_REMARKS)
    first = next(lines).lower().replace("% ", "%").split()
    if first[1:3] != ["matrix", "coordinate"] or first[4:] != ["general"]:
        raise DataError(
            f"{source.name} is a Matrix Market file of another kind: {' '.join(first[1:])[:80]}.",
            "Save the ratings as a sparse general matrix (coordinate) of real numbers.",
        )
    if first[3] not in ("real", "integer", "pattern"):
        raise DataError(f"{source.name} holds {first[3][:40]} numbers.", "Real ones are needed.")
    for skip, line in enumerate(lines, 2):
        if not line.strip() or line.startswith("%"):
            continue
        sizes = SIZES.fullmatch(line.strip())
        if sizes is None:
            break
        count = int(sizes[3])
        _check(count, source)
        width = 2 if first[3] == "pattern" else 3
        dialect = Dialect(BLANK, quoted=False)
        return RatingsLayout(dialect, width, False, ("",) * width, (), skip, ()), count
    raise DataError(
        f"{source.name} has no line of sizes after its first.", "Save or download it again."
    )


def _check(count: int, source: Source) -> None:
    if count > limits.MAX_RATINGS:
        raise DataError(
            f"{source.name} has {count:,} entries; the limit is {limits.MAX_RATINGS:,}.",
            "Give a part of them.",
        )
    if count * LEAST_BYTES > source.size:
        raise DataError(
            f"{source.name} is too short for the {count:,} entries its head announces.",
            "It may be cut short. Save or download it again.",
        )
