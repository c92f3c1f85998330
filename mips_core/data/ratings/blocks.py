"""Ratings while they are read: ids become codes, blocks of files become one set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from mips_core.base import limits
from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.ratings.ratings import Codes
from mips_core.data.readers.bad_rows import SHOWN, Places
from mips_core.data.readers.choices import RatingOffers, UnsettledRatingsError
from mips_core.data.readers.contract import Source

BATCH = 65_536
SKIP_BAD = "Correct them, or choose to leave out bad lines."

Entry = tuple[str, str, float, float]  # user, item, rating, time; NaN where the time is unknown


class Names:
    """Ids in order of first appearance; a code is the position of its id."""

    def __init__(self) -> None:
        self.code: dict[str, int] = {}

    def codes(self, ids: Iterable[str]) -> Codes:
        """One code an id; new ids get the next ones. Raises DataError for too many."""
        code = self.code
        codes = np.fromiter((code.setdefault(name, len(code)) for name in ids), np.int32)
        if len(code) > limits.MAX_NAMES:
            raise DataError(
                f"There are more than {limits.MAX_NAMES:,} different users or items.", "Give fewer."
            )
        return codes


@dataclass(frozen=True, eq=False)
class Block:
    """e ratings; without values where the file has none, times in any unit, NaN where unknown."""

    users: Codes
    items: Codes
    values: Floats | None
    times: Floats | None

    def at(self, rows: Ids) -> "Block":
        """The ratings at `rows`."""
        values = None if self.values is None else self.values[rows]
        times = None if self.times is None else self.times[rows]
        return Block(self.users[rows], self.items[rows], values, times)


class Gathered:
    """All ratings of all files read so far."""

    def __init__(self) -> None:
        self.users, self.items = Names(), Names()
        self.count = 0

    def blocks(self, entries: Iterable[Entry], *, valued: bool = True) -> list[Block]:
        """Ratings one by one, at least one block; without values unless `valued`."""
        blocks, rest = [], iter(entries)
        while True:
            batch = list(islice(rest, BATCH))
            users, items, values, times = zip(*batch, strict=True) if batch else ((), (), (), ())
            codes = self.users.codes(users), self.items.codes(items)
            numbers = np.asarray(values, np.float64) if valued else None
            blocks.append(self.coded(*codes, numbers, np.asarray(times, np.float64)))
            if len(batch) < BATCH:
                return blocks

    def coded(
        self, users: Codes, items: Codes, values: Floats | None, times: Floats | None = None
    ) -> Block:
        """Ratings by their codes. Raises DataError where there are too many by now."""
        self.count += len(users)
        if self.count > limits.MAX_RATINGS:
            raise DataError(
                f"There are more than {limits.MAX_RATINGS:,} ratings.", "Give a part of them."
            )
        return Block(users, items, values, times)


def joined(blocks: Sequence[Block]) -> Block:
    """Blocks in a row as one; their values and times only where all have them."""
    return Block(
        users=_concatenated([block.users for block in blocks]).astype(np.int32, copy=False),
        items=_concatenated([block.items for block in blocks]).astype(np.int32, copy=False),
        values=_all([block.values for block in blocks]),
        times=_all([block.times for block in blocks]),
    )


def _concatenated(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0)


def _all(parts: Sequence[Floats | None]) -> Floats | None:
    arrays = [part for part in parts if part is not None]
    return _concatenated(arrays) if len(arrays) == len(parts) else None


def latest(block: Block) -> tuple[Block, list[str]]:
    """`block` with the latest rating of each pair in the place of its first, and a note.

    Without times it is the last; ratings are never added up.
    """
    n_items = int(block.items.max(initial=0)) + 1
    pairs = block.users.astype(np.int64) * n_items + block.items
    ordered = np.sort(pairs)
    if (ordered[1:] != ordered[:-1]).all():
        return block, []
    del ordered  # there may be a hundred million
    times = block.times
    timed = times is not None and not np.isnan(times).any()
    if times is None or not timed:
        times = np.zeros(len(pairs))
    order = np.lexsort((times, pairs))  # stable: of equal times, the last in the file comes last
    starts = np.flatnonzero(np.diff(pairs[order], prepend=-1) > 0)
    counts = np.diff(starts, append=len(pairs))
    first = np.minimum.reduceat(order, starts)
    newest = order[starts + counts - 1]
    repeated, left = int((counts > 1).sum()), len(pairs) - len(starts)
    twice = counted(repeated, "pair of user and item is", "pairs of user and item are")
    which = "the latest by time" if timed else "the last in the file"
    others = counted(left, "rating is", "ratings are")
    note = f"{twice} repeated: {which} is kept, {others} left out."
    return block.at(newest[np.argsort(first)]), [note]


def compacted(codes: Codes, names: list[str]) -> tuple[Codes, list[str]]:
    """Codes and names without the names that no code uses; their order stays."""
    used = np.zeros(len(names), bool)
    used[codes] = True
    if used.all():
        return codes, names
    place = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return place[codes], [name for name, is_used in zip(names, used, strict=True) if is_used]


class RatingFaults(Places):
    """Lines or rows that hold no usable rating: counted, the first few with their places."""

    def notes(self) -> list[str]:
        """What was left out; raises UnsettledRatingsError instead where nothing may be."""
        if not self.rows:
            return []
        lines = counted(self.rows, self.unit, f"{self.unit}s")
        verb = "hold" + "s" * (self.rows == 1)
        listed = ", ".join(self.shown) + (" …" if self.rows > SHOWN else "")
        if self.skip:
            return [f"{self.name}: {lines} left out that {verb} no usable rating: {listed}."]
        raise UnsettledRatingsError(
            f"{self.name} cannot be read: {lines} {verb} no usable rating: {listed}.",
            SKIP_BAD,
            RatingOffers(bad_lines=self.rows),
        )


@dataclass(frozen=True, eq=False)
class FileRatings:
    """The ratings of one file."""

    source: Source
    blocks: list[Block]
    notes: Sequence[str]
    offers: RatingOffers = RatingOffers()
    bad_lines: int = 0  # that were left out
