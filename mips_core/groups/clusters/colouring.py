"""Colours of groups: 12 of them, such that groups near each other differ.

A greedy colouring of the graph of nearest groups, those with most neighbours first (Welsh and
Powell, 1967). A group takes the colour whose nearest group that has it is the farthest, so that a
colour is repeated only at a distance, and where 12 do not suffice the repeat hurts least.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.groups.projection.neighbours import nearest

Colours = NDArray[np.uint8]

COLOURS = 12  # of the palette
NEAR = 8  # groups a colour must not repeat among
WIDE = 24  # groups it should not repeat among


def colours_of(directions: Matrix, live: Mask) -> Colours:
    """(k,) colours below COLOURS of groups by their unit directions (k, d'); 0 where not live."""
    colours = np.zeros(len(live), np.uint8)
    groups = np.flatnonzero(live)
    colours[groups] = _coloured(nearest_groups(directions[groups]))
    return colours


def nearest_groups(directions: Matrix) -> Ranks:
    """(k, WIDE) int32 the groups of largest cosine with each group, nearest first, -1 for no more.

    directions (k, d') float32 unit rows. Of more than 20,000 groups, a few may be missed.
    """
    ids = nearest(directions, WIDE + 1).ids[:, 1:]  # without itself
    return np.pad(ids, ((0, 0), (0, WIDE - ids.shape[1])), constant_values=-1)


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
