"""The libraries measured beside ours. Each may be absent; then its rows name the line that adds it.

requirements-peers.txt has the versions that are known to work here.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.works import Told, Work, nothing_told
from mips_core.base.arrays import Ids, Matrix
from mips_core.methods.reductions import PadToSphere

FAISS_ROUNDS = 10  # of k-means, as its inverted lists are trained; also what ours takes at most


@dataclass(frozen=True)
class Peer:
    """A library: what is imported, and what is installed."""

    module: str
    distribution: str

    @property
    def pip(self) -> str:
        """The line that installs it."""
        return f"pip install {self.distribution}"

    @property
    def absent(self) -> str | None:
        """None where it is installed, else the line that installs it."""
        return None if find_spec(self.module) else self.pip


FAISS = Peer("faiss", "faiss-cpu")
HNSWLIB = Peer("hnswlib", "hnswlib")
SCANN = Peer("scann", "scann")
SKLEARN = Peer("sklearn", "scikit-learn")
PEERS = (FAISS, HNSWLIB, SCANN, SKLEARN)


@contextmanager
def all_limited(threads: int) -> Iterator[None]:
    """Every pool of threads of C libraries, OpenMP's among them, held to so many."""
    with threadpool_limits(threads):
        yield


def work_of(
    peer: Peer,
    name: str,
    prepare: Callable[[], Callable[[], Any]],
    told: Callable[[Any], Told] = nothing_told,
) -> Work:
    """The work that `prepare` makes ready, or its absence."""
    if peer.absent is not None:
        return Work(name, absent=peer.absent)
    return Work(name, prepare(), told, limited=all_limited)


def faiss() -> Any:
    """faiss, imported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of SWIG's types, Python 3.12 on
        import faiss

    return faiss


def faiss_flat(X: Matrix, Q: Matrix, K: int) -> Callable[[], Ids]:
    """Exact search by faiss."""
    index = faiss().IndexFlatIP(X.shape[1])
    index.add(X)
    return lambda: index.search(Q, K)[1]


def sklearn_brute(X: Matrix, Q: Matrix, K: int) -> Callable[[], Ids]:
    """Exact search by scikit-learn, which knows no inner product: on items padded to one length.

    Then the nearest item is the one of largest inner product (Bachrach et al., RecSys 2014).
    """
    from sklearn.neighbors import NearestNeighbors

    lift = PadToSphere().fit(X)
    rows, queries = lift.items(X), lift.queries(Q)

    model = NearestNeighbors(algorithm="brute").fit(rows)
    return lambda: model.kneighbors(queries, K, return_distance=False)


def faiss_kmeans(rows: Matrix, k: int, most_per_centroid: int | None) -> Callable[[], Matrix]:
    """Spherical k-means by faiss on all rows, or on so many a centroid; gives the centroids."""
    library = faiss()

    def train() -> Matrix:
        trained = library.Kmeans(
            rows.shape[1],
            k,
            niter=FAISS_ROUNDS,
            spherical=True,
            seed=1,
            max_points_per_centroid=most_per_centroid or len(rows),
            min_points_per_centroid=1,
        )
        trained.train(rows)
        return trained.centroids

    return train


def sklearn_kmeans(rows: Matrix, k: int) -> Callable[[], Matrix]:
    """k-means by scikit-learn (not spherical), as many rounds; gives the centroids."""
    from sklearn.cluster import KMeans

    def fit() -> Matrix:
        model = KMeans(k, init="random", n_init=1, max_iter=FAISS_ROUNDS, tol=0, random_state=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it did not converge
            return model.fit(rows).cluster_centers_

    return fit
