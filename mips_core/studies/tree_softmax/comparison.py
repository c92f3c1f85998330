"""How near a tree softmax comes to the flat softmax it was fitted to, in plain numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import score_rows
from mips_core.base.progress import Progress, silent, span
from mips_core.methods.exact import exact_top_k_scores
from mips_core.studies.tree_softmax.fit import log_softmax
from mips_core.studies.tree_softmax.model import TreeSoftmax

QUERY_BLOCK = 128


@dataclass(frozen=True, slots=True)
class BeamPrecision:
    """One way to ask the tree for its likeliest items."""

    width: int  # of the beam
    precision: tuple[float, ...]  # at each of `ks`: mean share of the flat top K that is found
    inner_products: float  # mean a query


@dataclass(frozen=True, slots=True)
class FlatComparison:
    """A tree softmax against the flat softmax over the same n items, on m queries."""

    n: int
    m: int
    scale: float  # t of the flat softmax
    ks: tuple[int, ...]  # as asked for, n at most
    flat_entropy: float  # nats: what the flat softmax needs to tell which item it drew
    cross_entropy: float  # nats: what the tree needs for the same items
    every_leaf: BeamPrecision  # the tree's own top K: all n - 1 inner products
    beams: tuple[BeamPrecision, ...]  # narrow to wide
    best_first: tuple[float, ...]  # mean inner products of a best-first search for the same top K

    @property
    def flat_perplexity(self) -> float:
        """Of the flat softmax: equally likely items that are as hard to tell apart."""
        return float(np.exp(self.flat_entropy))

    @property
    def tree_perplexity(self) -> float:
        """The same of the tree on items drawn by the flat softmax: never less."""
        return float(np.exp(self.cross_entropy))


def compare_with_flat(
    model: TreeSoftmax,
    X: Matrix,
    Q: Matrix,
    ks: Sequence[int] = (1, 10, 100),
    widths: Sequence[int] = (1, 4, 16, 64, 256),
    progress: Progress = silent,
) -> FlatComparison:
    """Ask the tree and the flat softmax over X (n, d) the queries Q (m, d), best not those fitted.

    Raises DataError when X is not what the tree was fitted to, ParamError for a K or width below 1.
    """
    X, Q = as_matrix(X, "X"), as_matrix(Q, "Q")
    if len(X) != model.n or len(Q) == 0:
        raise DataError(
            f"The tree holds {model.n:,} items, X {len(X):,}; there are {len(Q):,} queries.",
            "Give the items it was fitted to, and one query or more.",
        )
    if not ks or not widths or min(ks) < 1 or min(widths) < 1:
        raise ParamError(f"ks are {tuple(ks)}, widths {tuple(widths)}.", "Give 1 or more in each.")
    ks = sorted({min(k, model.n) for k in ks})
    truth, _ = exact_top_k_scores(X, Q, ks[-1], progress=span(progress, 0.0, 0.1))
    rows = []
    for start in range(0, len(Q), QUERY_BLOCK):
        progress(0.1 + 0.5 * start / len(Q), "comparing probabilities")
        rows.append(_compared(model, X, Q[start : start + QUERY_BLOCK], ks))
    entropy, cross, *best_first = np.concatenate(rows).mean(axis=0).tolist()
    *narrow, every_leaf = _beams(model, Q, truth, ks, widths, span(progress, 0.6, 1.0))
    progress(1.0, "compared")
    return FlatComparison(
        n=model.n,
        m=len(Q),
        scale=model.scale,
        ks=tuple(ks),
        flat_entropy=entropy,
        cross_entropy=cross,
        every_leaf=every_leaf,
        beams=tuple(narrow),
        best_first=tuple(best_first),
    )


def _beams(
    model: TreeSoftmax,
    Q: Matrix,
    truth: Ids,
    ks: Sequence[int],
    widths: Sequence[int],
    progress: Progress,
) -> list[BeamPrecision]:
    """Beams from narrow to wide, the last as wide as the tree."""
    precisions = []
    beams = sorted(set(widths))
    for number, width in enumerate((*beams, model.n)):
        progress(number / (len(beams) + 1), f"a beam of {width:,}")
        ids, cost = model.search(Q, ks[-1], width)
        hits = (ids[:, :k, None] == truth[:, None, :k] for k in ks)
        precision = tuple(float(hit.any(axis=1).mean()) for hit in hits)
        precisions.append(BeamPrecision(width, precision, float(cost.mean())))
    return precisions


def _compared(model: TreeSoftmax, X: Matrix, Q: Matrix, ks: Sequence[int]) -> Floats:
    """(b, 2 + len(ks)): flat entropy, the tree's cross-entropy, nodes a best-first search opens.

    Best-first search opens what is as likely as the K-th leaf or likelier, and nothing else.
    """
    every = np.arange(model.n)
    flat = log_softmax(model.scale * np.stack([score_rows(X, q, every) for q in Q]))
    logs = model.log_masses(Q)
    nodes, leaves = logs[:, : model.n - 1], logs[:, model.n - 1 :]
    ranked = np.sort(leaves, axis=1)[:, ::-1]
    opened = [np.count_nonzero(nodes >= ranked[:, k - 1 : k], axis=1) for k in ks]
    masses = np.exp(flat)
    return np.column_stack([-(masses * flat).sum(axis=1), -(masses * leaves).sum(axis=1), *opened])
