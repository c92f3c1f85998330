"""The layout of the Netflix Prize: a line "movie:", then one line a rating, "user,rating,date"."""

import io
import re
from collections.abc import Iterator

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.ratings.blocks import Block, Entry, FileRatings, Gathered, RatingFaults
from mips_core.data.ratings.table import SHOWN_CHARACTERS, lines_of, time_of, usable_rating
from mips_core.data.readers.contract import Source
from mips_core.data.readers.ratings_signs import NETFLIX
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.lines import encoding_of

MOVIE = re.compile(rb"^([^,:\s]+):[ \t\r]*\n", re.M)


def matches(source: Source) -> bool:
    """Whether the file begins so."""
    head = source.head[:4096].removeprefix(text.BOM).decode("latin-1").replace("\r\n", "\n")
    return NETFLIX.match(head) is not None


def read(source: Source, gathered: Gathered, *, skip_bad: bool) -> FileRatings:
    """The ratings. Raises DataError where lines are bad and not to be left out."""
    before = gathered.count
    blocks = _read_regular(source, gathered)
    if blocks is not None:
        return FileRatings(source, blocks, [])
    gathered.count = before
    encoding, notes = encoding_of(source)
    faults = RatingFaults(source.name, skip_bad)
    blocks = gathered.blocks(_entries(source, encoding, faults))
    return FileRatings(source, blocks, [*notes, *faults.notes()], bad_lines=faults.rows)


def _read_regular(source: Source, gathered: Gathered) -> list[Block] | None:
    """All blocks by Arrow; None for anything out of the ordinary."""
    import pyarrow

    blocks: list[Block] = []
    movie, position = "", 0
    for _, lines in text.blocks(source):
        part = b"\n".join(lines) + b"\n"
        position += len(part)
        first, *pairs = MOVIE.split(part)
        movies = [movie, *(name.decode("latin-1") for name in pairs[::2])]
        segments = [first, *pairs[1::2]]
        movie = movies[-1]
        try:
            block = _block(movies, segments, gathered)
        except DataError:  # a limit, and a ValueError
            raise
        except (pyarrow.ArrowException, ValueError):
            return None
        if block is None:
            return None
        blocks.append(block)
        source.reached(position)
    return blocks


def _block(movies: list[str], segments: list[bytes], gathered: Gathered) -> Block | None:
    import pyarrow
    import pyarrow.csv

    counts = [segment.count(b"\n") for segment in segments]
    held = [(movie, count) for movie, count in zip(movies, counts, strict=True) if count]
    if not held:
        return gathered.coded(
            np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0), np.empty(0)
        )
    table = pyarrow.csv.read_csv(
        io.BytesIO(b"".join(segments)),
        pyarrow.csv.ReadOptions(column_names=["user", "value", "time"]),
        pyarrow.csv.ParseOptions(quote_char=False),
        pyarrow.csv.ConvertOptions(
            column_types={"user": pyarrow.string(), "value": pyarrow.float64(),
                          "time": pyarrow.timestamp("s")},
            null_values=[], strings_can_be_null=False,
        ),
    ).combine_chunks()  # fmt: skip
    values = table["value"].to_numpy()
    encoded = table["user"].chunk(0).dictionary_encode()
    users = [name.strip() for name in encoded.dictionary.to_pylist()]
    fit = len(values) == sum(counts) and all(users) and not any('"' in name for name in users)
    if not fit or not all(movie for movie, _ in held) or not (abs(values) <= MAX_MAGNITUDE).all():
        return None
    items = gathered.items.codes(movie for movie, _ in held)
    seconds = table["time"].cast(pyarrow.int64()).to_numpy().astype(np.float64)
    return gathered.coded(
        gathered.users.codes(users)[encoded.indices.to_numpy()],
        np.repeat(items, [count for _, count in held]),
        values,
        seconds,
    )


def _entries(source: Source, encoding: str, faults: RatingFaults) -> Iterator[Entry]:
    """The rating in each good line."""
    movie = ""
    for at, line in enumerate(lines_of(source, encoding), 1):
        cells = [cell.strip() for cell in line.split(",")]
        if cells == [""]:
            continue
        if len(cells) == 1 and cells[0].endswith(":") and len(cells[0]) > 1:
            movie = cells[0][:-1].strip()
        elif len(cells) not in (2, 3):
            faults.add(f"“{line.strip()[:SHOWN_CHARACTERS]}”", at)
        elif not movie:
            faults.add("a rating before any movie", at)
        else:
            value = usable_rating(cells[0], movie, cells[1], at, faults)
            if value is not None:
                yield cells[0], movie, value, time_of(cells[2]) if len(cells) > 2 else np.nan
