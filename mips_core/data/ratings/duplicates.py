"""One rating for each pair of user and item: the latest, or else the last; never a sum."""

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.data.ratings.gathering import Block
from mips_core.data.ratings.ratings import Codes


def latest(block: Block) -> tuple[Block, list[str]]:
    """`block` with the latest rating of each pair in the place of its first, and a note."""
    n_items = int(block.items.max(initial=0)) + 1
    pairs = block.users.astype(np.int64) * n_items + block.items
    if not _any_twice(pairs):
        return block, []
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
    pairs_are = "1 pair of user and item is"
    if repeated > 1:
        pairs_are = f"{repeated:,} pairs of user and item are"
    which = "the latest by time" if timed else "the last in the file"
    ratings = "1 rating is" if left == 1 else f"{left:,} ratings are"
    note = f"{pairs_are} repeated: {which} is kept, {ratings} left out."
    return take(block, newest[np.argsort(first)]), [note]


def _any_twice(pairs: Ids) -> bool:
    """Whether a number occurs twice; memory as of one copy."""
    ordered = np.sort(pairs)
    return bool((ordered[1:] == ordered[:-1]).any())


def take(block: Block, rows: np.ndarray) -> Block:
    """The ratings at `rows`."""
    values = None if block.values is None else block.values[rows]
    times = None if block.times is None else block.times[rows]
    return Block(block.users[rows], block.items[rows], values, times)


def compacted(codes: Codes, names: list[str]) -> tuple[Codes, list[str]]:
    """Codes and names without the names that no code uses; their order stays."""
    used = np.zeros(len(names), bool)
    used[codes] = True
    if used.all():
        return codes, names
    place = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return place[codes], [name for name, is_used in zip(names, used, strict=True) if is_used]
