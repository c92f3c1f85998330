"""Dual-tree search: a batch of queries, grouped into cones, against a ball tree of items.

Ram and Gray, "Maximum inner-product search using cone trees", KDD 2012, section 4: what a ball
cannot give to any query of a cone is left out for all of them at once. Exact.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import dot, order_of, row_norms
from mips_core.base.progress import silent
from mips_core.base.seeds import rng_for
from mips_core.methods.trees.ball_descent import NOBODY, keep_best
from mips_core.methods.trees.ball_tree import ROUNDING, Balls, BallTree, ball_tree

CONE_LEAF = 1  # the smallest cones hold one query, or queries of one direction
COARSE = 0.1  # of a ball's radius: a cone whose width moves the bound by more is split first


class Cones(NamedTuple):
    """The C nodes of a tree of cones over m queries, in preorder as those of a ball tree.

    A cone holds the queries rows[starts[t]:stops[t]], whose angle to its axis is at most the one
    whose cosine is given.
    """

    rows: Matrix  # (m, d) queries, leaf by leaf, none of them zero
    lengths: Floats  # (m,)
    axes: Floats  # (C, d) unit vectors
    cosines: Floats  # (C,) of the half-angles
    starts: Ids
    stops: Ids
    second: Ids  # (C,) second child, -1 in a leaf


@dataclass(frozen=True, slots=True, eq=False)
class DualSearch:
    """Answers to m queries, and the inner products they took.

    ids (m, K) best first, scores (m, K) float64; `pairs` of a cone and a ball whose bound was
    evaluated, each 1 inner product that the cone's queries share; scored (m,) items of each query.
    """

    ids: Ids
    scores: Floats
    pairs: int
    scored: Ids

    @property
    def cost(self) -> float:
        """Mean inner products a query."""
        return (self.pairs + int(self.scored.sum())) / max(len(self.scored), 1)


def dual_tree_search(tree: BallTree, Q: Matrix, K: int) -> DualSearch:
    """The K items of largest inner product for each of the queries Q (m, d), under strict order.

    K is cut to the number of items. A query of length zero scores every item 0, which takes no
    inner product: its answers are the first items. Raises ParamError when K < 1, DataError when
    the dimensions differ.
    """
    Q = as_matrix(Q, "Q")
    if K < 1:
        raise ParamError(f"K is {K}.", "Ask for one answer or more.")
    if Q.shape[1] != tree.balls.rows.shape[1]:
        d = tree.balls.rows.shape[1]
        raise DataError(f"The queries have {Q.shape[1]} dimensions, the items {d}.")
    m, K = len(Q), min(K, tree.n)
    ids, scores = np.tile(np.arange(K), (m, 1)), np.zeros((m, K))
    scored = np.zeros(m, np.int64)
    directed = np.flatnonzero(row_norms(Q) > 0)
    pairs = 0
    if len(directed):
        cones, members = cone_tree(np.ascontiguousarray(Q[directed]))
        directed = directed[members]
        best, best_ids = np.full((len(directed), K), -np.inf), np.full((len(directed), K), NOBODY)
        pairs, scored[directed] = _search(tree.balls, cones, best, best_ids)
        for at, query in enumerate(directed):
            order = order_of(best[at], best_ids[at])
            ids[query], scores[query] = best_ids[at][order], best[at][order]
    return DualSearch(ids, scores, pairs, scored)


def cone_tree(Q: Matrix) -> tuple[Cones, Ids]:
    """Cones over the queries Q (m, d), none of them zero; (m,) the query each of its rows is.

    On the unit sphere the farthest vector has the least cosine, so the cones are split as balls
    are, and the mean of a ball gives the axis of a cone.
    """
    lengths = row_norms(Q)
    unit = (Q / lengths[:, None]).astype(np.float32)
    balls = ball_tree(unit, CONE_LEAF, rng_for(0, "cone tree"), silent).balls
    rows, lengths = Q[balls.members], lengths[balls.members]
    means = row_norms(balls.centres)
    axes = np.where(means[:, None] > ROUNDING, balls.centres, balls.rows[balls.starts])
    axes = axes.astype(np.float64)
    axes /= row_norms(axes)[:, None]
    cosines = _least_cosines(rows, lengths, axes, balls.starts, balls.stops)
    cones = Cones(rows, lengths, axes, cosines, balls.starts, balls.stops, balls.second)
    return cones, balls.members


@njit(cache=True, nogil=True)
def _least_cosines(rows: Matrix, lengths: Floats, axes: Floats, starts: Ids, stops: Ids) -> Floats:
    """(C,) the least cosine of each axis (C, d) with the queries of its cone."""
    cosines = np.ones(len(axes), np.float64)
    for cone in range(len(axes)):
        for at in range(starts[cone], stops[cone]):
            cosines[cone] = min(cosines[cone], dot(rows[at], axes[cone]) / lengths[at])
    return np.maximum(cosines, -1.0)


@njit(cache=True, nogil=True)
def _search(balls: Balls, cones: Cones, best: Floats, ids: Ids) -> tuple[int, Ids]:
    """Fill the heaps best, ids (m, K) of each query; pairs examined, and (m,) items scored.

    Depth first, the pair of larger bound first. Cones are split before balls until they are narrow:
    the queries of a wide one would all go the way of a few.
    """
    room = len(balls.radii) + len(cones.cosines)
    waiting_cones, waiting_balls = np.zeros(room, np.int64), np.zeros(room, np.int64)
    bounds = np.full(room, np.inf)
    lengths = row_norms(balls.centres)
    scored = np.zeros(len(cones.rows), np.int64)
    size, pairs = 1, 1
    while size > 0:
        size -= 1
        cone, ball = waiting_cones[size], waiting_balls[size]
        if bounds[size] < _least_kth(cones, cone, best):
            continue
        if cones.second[cone] < 0 and balls.second[ball] < 0:
            _score(balls, cones, cone, ball, best, ids)
            scored[cones.starts[cone] : cones.stops[cone]] += balls.stops[ball] - balls.starts[ball]
            continue
        width = lengths[ball] * np.sqrt(2.0 - 2.0 * cones.cosines[cone])  # of the cone, at |c|
        wide = cones.second[cone] >= 0 and width > COARSE * balls.radii[ball]
        if wide or balls.second[ball] < 0:
            next_pairs = ((cones.second[cone], ball), (cone + 1, ball))
        else:
            next_pairs = ((cone, balls.second[ball]), (cone, ball + 1))
        for cone, ball in next_pairs:
            waiting_cones[size], waiting_balls[size] = cone, ball
            bounds[size] = _bound(balls, cones, cone, ball, lengths[ball])
            size += 1
        pairs += 2
        if bounds[size - 2] > bounds[size - 1]:
            for stack in (waiting_cones, waiting_balls):
                stack[size - 2], stack[size - 1] = stack[size - 1], stack[size - 2]
            bounds[size - 2], bounds[size - 1] = bounds[size - 1], bounds[size - 2]
    return pairs, scored


@njit(cache=True, nogil=True)
def _bound(balls: Balls, cones: Cones, cone: int, ball: int, length: float) -> float:
    """No unit query of the cone and item of the ball have a larger inner product.

    |c| cos(max(0, angle of axis and centre - half-angle)) + r, for |c| = length. Near 0 an error e
    of a cosine is one of sqrt(2 e) of its angle: the margin covers both angles.
    """
    if length == 0:
        return balls.radii[ball]
    axis, within = cones.axes[cone], cones.cosines[cone]
    between = min(1.0, max(-1.0, dot(balls.centres[ball], axis) / length))
    cosine = 1.0
    if between < within:
        margin = 3.0 * np.sqrt(2.0 * (len(axis) + 4) * ROUNDING)
        sines = np.sqrt(1.0 - between * between) * np.sqrt(1.0 - within * within)
        cosine = min(1.0, between * within + sines + margin)
    return length * cosine + balls.radii[ball]


@njit(cache=True, nogil=True)
def _least_kth(cones: Cones, cone: int, best: Floats) -> float:
    """The least K-th best score of the cone's queries, were they unit vectors."""
    least = np.inf
    for at in range(cones.starts[cone], cones.stops[cone]):
        least = min(least, best[at, 0] / cones.lengths[at])
    return least


@njit(cache=True, nogil=True)
def _score(balls: Balls, cones: Cones, cone: int, ball: int, best: Floats, ids: Ids) -> None:
    """Score every item of a ball for every query of a cone."""
    for query in range(cones.starts[cone], cones.stops[cone]):
        for at in range(balls.starts[ball], balls.stops[ball]):
            score = dot(balls.rows[at], cones.rows[query])
            keep_best(score, balls.members[at], best[query], ids[query])
