"""Ratings while they are read: ids become codes, parts of files become one set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base import limits
from mips_core.base.arrays import Floats
from mips_core.base.errors import DataError
from mips_core.data.ratings.choices import RatingOffers, UnsettledRatingsError
from mips_core.data.ratings.ratings import Codes
from mips_core.data.readers.contract import Source

SHOWN = 5
SKIP_BAD = "Correct them, or choose to leave out bad lines."


class Names:
    """Ids in order of first appearance; a code is the position of its id."""

    def __init__(self) -> None:
        self.code: dict[str, int] = {}

    def codes(self, ids: Iterable[str]) -> Codes:
        """One code an id; new ids get the next ones. Raises DataError for too many."""
        code = self.code
        found = np.fromiter((code.setdefault(name, len(code)) for name in ids), np.int32)
        if len(code) > limits.MAX_NAMES:
            raise DataError(
                f"There are more than {limits.MAX_NAMES:,} different users or items.",
                "Give fewer.",
            )
        return found


@dataclass(frozen=True, eq=False)
class Block:
    """e ratings; without values where the file has none, times in any unit, NaN where unknown."""

    users: Codes
    items: Codes
    values: Floats | None
    times: Floats | None


class Gathered:
    """All ratings of all files read so far."""

    def __init__(self) -> None:
        self.users, self.items = Names(), Names()
        self.count = 0

    def block(
        self,
        users: Sequence[str],
        items: Sequence[str],
        values: Sequence[float] | Floats | None,
        times: Sequence[float] | Floats | None = None,
    ) -> Block:
        """Ratings by their ids."""
        numbers = None if values is None else np.asarray(values, np.float64)
        moments = None if times is None else np.asarray(times, np.float64)
        return self.coded(self.users.codes(users), self.items.codes(items), numbers, moments)

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
    known = [part for part in parts if part is not None]
    return _concatenated(known) if len(known) == len(parts) else None


class Faults:
    """Lines or rows that hold no usable rating: counted, the first few with their places."""

    def __init__(self, name: str, *, skip: bool, unit: str = "line") -> None:
        self.name, self.skip, self.unit = name, skip, unit
        self.count = 0
        self.shown: list[str] = []

    def add(self, what: str, at: int) -> None:
        """One bad line, counted from 1, or row, counted from 0."""
        self.count += 1
        if len(self.shown) < SHOWN:
            self.shown.append(f"{what} in {self.unit} {at:,}")

    def notes(self) -> list[str]:
        """What was left out; raises UnsettledRatingsError instead where nothing may be."""
        if not self.count:
            return []
        lines = f"1 {self.unit}" if self.count == 1 else f"{self.count:,} {self.unit}s"
        listed = ", ".join(self.shown) + (" …" if self.count > len(self.shown) else "")
        verb = "holds" if self.count == 1 else "hold"
        if self.skip:
            return [f"{self.name}: {lines} left out that {verb} no usable rating: {listed}."]
        raise UnsettledRatingsError(
            f"{self.name} cannot be read: {lines} {verb} no usable rating: {listed}.",
            SKIP_BAD,
            RatingOffers(bad_lines=self.count),
        )


@dataclass(frozen=True, eq=False)
class Part:
    """The ratings of one file."""

    name: str
    stem: str
    blocks: list[Block]
    notes: Sequence[str]
    offers: RatingOffers
    bad_lines: int

    @classmethod
    def of(
        cls,
        source: Source,
        blocks: list[Block],
        notes: Sequence[str],
        offers: RatingOffers = RatingOffers(),
        faults: Faults | None = None,
    ) -> "Part":
        """What was read of `source`, with the faults left out."""
        bad_lines = 0 if faults is None else faults.count
        return cls(source.name, source.stem, blocks, notes, offers, bad_lines)
