"""Colours of groups: 12 of them, such that groups near each other differ.

A greedy colouring of the graph of nearest groups, those with most neighbours first (Welsh and
Powell, 1967). A group takes the colour whose nearest group that has it is the farthest, so that a
colour is repeated only at a distance, and where 12 do not suffice the repeat hurts least.
"""

from collections.abc import Iterator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.base.threads import map_blocks

Colours = NDArray[np.uint8]

COLOURS = 12  # of the palette
NEAR = 8  # groups a colour must not repeat among
WIDE = 24  # groups it should not repeat among
ALL_PAIRS = 20_000  # groups compared each with all; of more, each with those around it
AROUND = 16  # parts of the groups that are compared with one
MOST_COMPARED = 8192
BLOCK = 512


def colours_of(directions: Matrix, live: Mask) -> Colours:
    """(k,) colours below COLOURS of groups by their unit directions (k, d'); 0 where not live."""
    colours = np.zeros(len(live), np.uint8)
    groups = np.flatnonzero(live)
    colours[groups] = _coloured(nearest_groups(directions[groups]))
    return colours


def nearest_groups(directions: Matrix) -> Ranks:
    """(k, WIDE) int32 the groups of largest cosine with each group, nearest first, -1 for no more.

    directions (k, d') float32 unit rows. Of more than ALL_PAIRS groups, some of the farther ones
    may be missed: each is compared with the groups of AROUND parts near it only.
    """
    k = len(directions)
    nearest = np.full((k, WIDE), -1, np.int32)
    parts = list(_parts(directions))

    def work(start: int, stop: int) -> None:
        for own, others in parts[start:stop]:
            _keep_nearest(directions[own] @ directions[others].T, own, others, nearest)

    map_blocks(work, len(parts), 1)
    return nearest


@njit(cache=True, nogil=True)
def _keep_nearest(scores: Matrix, own: Ids, others: Ids, nearest: Ranks) -> None:
    """Write the others (o,) of highest score (b, o) into found[own] (b, WIDE), the best first.

    The lower number on ties, as `others` ascend; not the group itself.
    """
    for i, group in enumerate(own):
        best = np.empty(WIDE, np.float32)
        size = 0
        for j, other in enumerate(others):
            score = scores[i, j]
            if other == group or (size == WIDE and score <= best[WIDE - 1]):
                continue
            at = min(size, WIDE - 1)
            while at > 0 and best[at - 1] < score:
                best[at], nearest[group, at] = best[at - 1], nearest[group, at - 1]
                at -= 1
            best[at], nearest[group, at] = score, other
            size = min(size + 1, WIDE)


def _parts(directions: Matrix) -> Iterator[tuple[Ids, Ids]]:
    """Groups and the groups, ascending, to compare them with; every group is in one part."""
    k = len(directions)
    everyone = np.arange(k)
    if k <= ALL_PAIRS:
        yield from ((everyone[at : at + BLOCK], everyone) for at in range(0, k, BLOCK))
        return
    hubs = directions[np.linspace(0, k - 1, round(k**0.5)).astype(np.int64)]
    blocks = (directions[at : at + BLOCK] for at in range(0, k, BLOCK))
    home = np.concatenate([np.argmax(block @ hubs.T, axis=1) for block in blocks])
    around = np.argsort(-(hubs @ hubs.T), axis=1, kind="stable")[:, :AROUND]
    bounds = np.cumsum(np.bincount(home, minlength=len(hubs)))[:-1]
    lists = np.split(np.argsort(home, kind="stable"), bounds)
    for own, near in zip(lists, around, strict=True):
        others = np.sort(np.concatenate([lists[hub] for hub in near]))
        others = others[:: len(others) // MOST_COMPARED + 1]
        yield from ((own[at : at + BLOCK], others) for at in range(0, len(own), BLOCK))


def _coloured(nearest: Ranks) -> Colours:
    """(k,) colours of groups whose nearest groups (k, w), -1 for none, are given nearest first."""
    k, w = nearest.shape
    one, rank = np.nonzero(nearest >= 0)
    other = nearest[one, rank].astype(np.int64)
    first, second = np.concatenate([one, other]), np.concatenate([other, one])
    ranks = np.concatenate([rank, rank])
    degree = np.bincount(first[ranks < NEAR], minlength=k)
    by_group = np.argsort(first, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=k))])
    order = np.argsort(-degree, kind="stable")
    return _greedy(order, starts, second[by_group], ranks[by_group], w)


@njit(cache=True, nogil=True)
def _greedy(order: Ids, starts: Ids, neighbours: Ids, ranks: Ids, never: int) -> Colours:
    """Colour the groups in `order`; the neighbours of g are neighbours[starts[g]:starts[g + 1]].

    ranks: how near each neighbour is, 0 the nearest. The colour used less on ties, then the lower.
    """
    colours = np.zeros(len(order), np.uint8)
    done = np.zeros(len(order), np.bool_)
    used = np.zeros(COLOURS, np.int64)
    for group in order:
        distance = np.full(COLOURS, never, np.int64)  # of the nearest group with each colour
        for at in range(starts[group], starts[group + 1]):
            if done[neighbours[at]]:
                colour = colours[neighbours[at]]
                distance[colour] = min(distance[colour], ranks[at])
        best = 0
        for colour in range(1, COLOURS):
            if distance[colour] > distance[best] or (
                distance[colour] == distance[best] and used[colour] < used[best]
            ):
                best = colour
        colours[group] = best
        done[group] = True
        used[best] += 1
    return colours
