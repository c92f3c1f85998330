"""Searchers that open lists as they were drawn, for tests of what answers from lists."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from mips_core.methods.indexes import ListSearcher
from mips_core.serving.fast_search.retriever import FEW


@dataclass(frozen=True)
class Drawn(ListSearcher):
    """Opens what was drawn: `chosen` (m, p) lists, -1 for none, of query q[0] in its row."""

    labels: np.ndarray
    chosen: np.ndarray
    Q: np.ndarray

    @property
    def n(self):
        return len(self.labels)

    def efforts(self):
        return [1]

    def groups(self):
        return [self.labels]

    def trace(self, q, effort, K):
        raise NotImplementedError

    def lists(self):
        sizes = np.bincount(self.labels, minlength=self.chosen.max(initial=0) + 1)
        return np.concatenate([[0], np.cumsum(sizes)]), np.argsort(self.labels, kind="stable")

    def opened(self, Q, effort):
        rows = [np.flatnonzero((q == self.Q).all(axis=1))[0] for q in Q]
        return self.chosen[rows], {"centroids": np.zeros(len(Q), np.int64)}

    def among(self, i):
        """The items that query i may get."""
        return np.flatnonzero(np.isin(self.labels, self.chosen[i]))


@st.composite
def problems(draw, most_queries=FEW + 3):
    """Items on a coarse grid, of very different lengths, in lists; queries and what they open."""
    n, d, m = (draw(st.integers(1, most)) for most in (60, 5, most_queries))
    lists, p = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    levels = draw(st.sampled_from([1, 2, 50]))
    X, Q = (rng.integers(-levels, levels + 1, size=(rows, d)) / levels for rows in (n, m))
    X[rng.integers(0, n, n // 4)] = X[0]
    X *= 10.0 ** rng.integers(-draw(st.sampled_from([0, 0, 3, 12])), 1, size=(n, 1))
    X[rng.integers(0, n)] *= draw(st.sampled_from([1, 1, 1e9]))
    X *= draw(st.sampled_from([1e-38, 1e-30, 1, 1e5]))
    Q *= 10.0 ** rng.integers(-3, 4, size=(m, 1))
    labels = rng.integers(0, lists, n)
    orders = np.argsort(rng.random((m, lists)), axis=1)[:, :p]
    chosen = np.where(rng.random(orders.shape) < 0.2, -1, orders)
    Q = Q.astype(np.float32)
    same = [np.flatnonzero((q == Q).all(axis=1))[0] for q in Q]  # equal queries open equal lists
    return X.astype(np.float32), Q, Drawn(labels, chosen[same], Q), draw(st.integers(1, n + 3))
