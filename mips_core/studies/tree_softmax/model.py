"""The tree softmax itself: the probability of every leaf, and the likeliest leaves of a query."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import dot, order_of
from mips_core.base.threads import map_blocks

QUERY_BLOCK = 32


@dataclass(frozen=True, slots=True, eq=False)
class TreeSoftmax:
    """A balanced tree over n items; p(left|q) = sigmoid(w.q + b) at each of its n - 1 inner nodes.

    Places are numbered level by level, parents first: inner nodes 0 to n-2; n-1+i is item i.
    children (n-1, 2) places left and right; weights (n-1, d), biases (n-1,) float64; scale: t of
    the flat softmax it was fitted to; losses (r,) nats: mean cross-entropy and ridge on the
    training queries, at the start and after each round.
    """

    children: Ids
    weights: Floats
    biases: Floats
    scale: float
    losses: Floats

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.children) + 1

    def log_masses(self, Q: Matrix) -> Floats:
        """(m, 2n-1) log probability of passing each place, for Q (m, d); the root's is 0."""
        self.check(Q)
        logs = np.zeros((len(Q), 2 * self.n - 1))

        def work(start: int, stop: int) -> None:
            _descend(Q[start:stop], self.children, self.weights, self.biases, logs[start:stop])

        map_blocks(work, len(Q), QUERY_BLOCK)
        return logs

    def search(self, Q: Matrix, K: int, width: int) -> tuple[Ids, Ids]:
        """ids (m, K) of the likeliest items a beam reaches, best first, -1 for none; (m,) cost.

        The `width` likeliest nodes of each level are opened, for an inner product each. No level
        has more than n / 2 nodes to open: from there on the answer is exact, and costs n - 1.
        """
        if K < 1 or width < 1:
            raise ParamError(f"K is {K}, the beam's width {width}.", "Give 1 or more for each.")
        self.check(Q)
        ids = np.full((len(Q), K), -1, np.int64)
        cost = np.zeros(len(Q), np.int64)

        def work(start: int, stop: int) -> None:
            units = self.children, self.weights, self.biases
            for i in range(start, stop):
                cost[i] = _beam(Q[i], *units, width, ids[i])

        map_blocks(work, len(Q), QUERY_BLOCK)
        return ids, cost

    def check(self, Q: Matrix) -> None:
        """Raise DataError unless the queries have the tree's dimensions."""
        d = self.weights.shape[1]
        if Q.shape[1] != d:
            raise DataError(f"The queries have {Q.shape[1]} dimensions, the tree has {d}.")


@njit(cache=True, nogil=True)
def _log_sigmoid(z: float) -> float:
    return -np.log1p(np.exp(-z)) if z > 0 else z - np.log1p(np.exp(z))


@njit(cache=True, nogil=True)
def _descend(Q: Matrix, children: Ids, weights: Floats, biases: Floats, logs: Floats) -> None:
    """Fill logs (b, 2n-1), whose root is 0, from parents to children."""
    for i in range(len(Q)):
        for node in range(len(children)):
            z = dot(weights[node], Q[i]) + biases[node]
            logs[i, children[node, 0]] = logs[i, node] + _log_sigmoid(z)
            logs[i, children[node, 1]] = logs[i, node] + _log_sigmoid(-z)


@njit(cache=True, nogil=True)
def _beam(q: Matrix, children: Ids, weights: Floats, biases: Floats, width: int, ids: Ids) -> int:
    """Write the likeliest leaves found into ids (K,); returns how many nodes were opened."""
    inner = len(children)
    nodes, logs = np.zeros(1, np.int64), np.zeros(1)
    leaves, leaf_logs = np.empty(inner + 1, np.int64), np.empty(inner + 1)
    reached = opened = 0
    while len(nodes):
        beam = order_of(logs, nodes)[:width]
        below, below_logs = np.empty(2 * len(beam), np.int64), np.empty(2 * len(beam))
        size = 0
        for at in beam:
            z = dot(weights[nodes[at]], q) + biases[nodes[at]]
            opened += 1
            for side in range(2):
                place = children[nodes[at], side]
                log = logs[at] + _log_sigmoid(z if side == 0 else -z)
                if place >= inner:
                    leaves[reached], leaf_logs[reached] = place - inner, log
                    reached += 1
                else:
                    below[size], below_logs[size] = place, log
                    size += 1
        nodes, logs = below[:size], below_logs[:size]
    best = order_of(leaf_logs[:reached], leaves[:reached])[: len(ids)]
    for j in range(len(best)):
        ids[j] = leaves[best[j]]
    return opened
