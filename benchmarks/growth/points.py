"""What is timed at one size, in a process of its own: seconds on one thread, and memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, TypeVar

import numpy as np

from benchmarks.memory import SPAWN, forget_peak, usage
from mips_core import Dataset, Index, Searcher, Truth, evaluate, rng_for, truth_of
from mips_core.base.arrays import Matrix
from mips_core.base.threads import limited
from mips_core.data.simulated_vectors import simulated_vectors
from mips_core.evaluation.curve import Curve
from mips_core.methods.exact import exact_top_k_scores, prepare
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.serving.fast_search import retriever_of

EXACT, EXACT_ONE = "exact search, all queries", "exact search, one query"
TRUTH = "truth"
FULL, GROWING = "k-means, all items in every round", "k-means, growing"
GROUPED, TREE_GROUPED = "k-means, grouped", "hierarchical k-means, grouped"
DISK = "k-means, growing, float16 on disk"
CURVE, BATCH, ONE = "whole curve", "search, all queries", "search, one query"
TREE, TREE_CURVE = "hierarchical k-means, growing", "whole hierarchical curve"
TREE_BATCH, TREE_ONE = "hierarchical search, all queries", "hierarchical search, one query"
FLAT = (GROWING, CURVE, BATCH, ONE)
HIERARCHICAL = (TREE, TREE_CURVE, TREE_BATCH, TREE_ONE)
ALL = (EXACT, EXACT_ONE, TRUTH, FULL, GROUPED, DISK, *FLAT, TREE_GROUPED, *HIERARCHICAL)

K = 10
KS = (1, 10, 100)
ENOUGH = 0.9  # precision@K that a search is to have
ASKED_ALONE = 50  # queries that are asked one by one
LONG = 1.0  # seconds after which a work is not repeated
REPEATS = 5
T = TypeVar("T")


@dataclass(frozen=True)
class Size:
    """n items and m queries of d dimensions, in k clusters."""

    n: int
    d: int
    k: int
    m: int


@dataclass(frozen=True)
class Point:
    """What a work took at a size: processor seconds on one thread, bytes it grew by, and more."""

    size: Size
    work: str
    seconds: float
    grown: float
    told: Mapping[str, float] = field(default_factory=dict)


def measure_alone(size: Size, works: Sequence[str]) -> list[Point]:
    """`measure` in a new process. Raises RuntimeError where that ends without an answer."""
    mine, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=_answer, args=(size, works, theirs))
    process.start()
    theirs.close()
    try:
        return mine.recv()
    except EOFError:
        raise RuntimeError(f"The process that measured {size} has ended.") from None
    finally:
        process.join()


def _answer(size: Size, works: Sequence[str], answers: Any) -> None:
    measure(Size(n=2000, d=size.d, k=40, m=min(size.m, 20)), works)  # loads what is compiled
    answers.send(measure(size, works))


def measure(size: Size, works: Sequence[str]) -> list[Point]:
    """Each of `works` at this size, on one thread."""
    with limited(1):
        bench = _Bench(size, frozenset(works), simulated_vectors(size.n, size.m, size.d))
        bench.run()
    return bench.points


@dataclass
class _Bench:
    size: Size
    wanted: frozenset[str]
    data: Dataset
    points: list[Point] = field(default_factory=list)

    def run(self) -> None:
        X, Q = self.data.items, self.data.queries
        if {EXACT, EXACT_ONE} & self.wanted:
            ready = prepare(X)
            self.time(EXACT, lambda: exact_top_k_scores(X, Q, K, prepared=ready))
            self.time_alone(EXACT_ONE, lambda q: exact_top_k_scores(X, q, K, prepared=ready))
            del ready
        truth = self.time(TRUTH, lambda: truth_of(self.data))
        if FULL in self.wanted:
            exact = FlatKMeans(n_clusters=self.size.k, fit="exact")
            self.ask(exact, truth, (FULL, "", "", ""))
        if GROUPED in self.wanted:
            grouped = FlatKMeans(n_clusters=self.size.k, fit="grouped")
            self.ask(grouped, truth, (GROUPED, "", "", ""))
        growing = FlatKMeans(n_clusters=self.size.k, fit="growing")
        if DISK in self.wanted:
            with _on_disk(X) as mapped:
                self.time(DISK, lambda: growing.build(mapped, rng_for(0)))
        if self.wanted & set(FLAT):
            self.ask(growing, truth, FLAT)
        if TREE_GROUPED in self.wanted:
            self.ask(HierarchicalKMeans(fit="grouped"), truth, (TREE_GROUPED, "", "", ""))
        if self.wanted & set(HIERARCHICAL):
            self.ask(HierarchicalKMeans(fit="growing"), truth, HIERARCHICAL)

    def ask(self, index: Index, truth: Truth, names: tuple[str, str, str, str]) -> None:
        """Build, draw the curve, and search with the effort of ENOUGH precision."""
        build, curve, batch, one = names
        X, Q = self.data.items, self.data.queries
        searcher = index.searcher(self.time(build, lambda: index.build(X, rng_for(0))))
        found = self.time(curve, lambda: _curve(index, searcher, truth))
        told, effort = _at_precision(found, truth)
        self.tell(build, told)
        if {batch, one} & self.wanted:
            retriever = retriever_of(searcher, X)
            self.time(batch, lambda: retriever.search_checked(Q, K, effort), told)
            self.time_alone(one, lambda q: retriever.search_checked(q, K, effort), told)

    def time(self, work: str, call: Callable[[], T], told: Mapping[str, float] | None = None) -> T:
        """The result; the median time of a few calls is noted, of long ones the first alone."""
        forget_peak()
        before = usage()[1]
        began = process_time()
        result = call()
        taken = [process_time() - began]
        grown = usage()[1] - before
        while sum(taken) < LONG and len(taken) < REPEATS:
            began = process_time()
            call()
            taken.append(process_time() - began)
        self.note(work, median(taken), grown, told)
        return result

    def time_alone(
        self, work: str, call: Callable[[Any], Any], told: Mapping[str, float] | None = None
    ) -> None:
        """The mean time of a call with one query."""
        asked = self.data.queries[:ASKED_ALONE]
        call(asked[:1])
        began = process_time()
        for at in range(len(asked)):
            call(asked[at : at + 1])
        self.note(work, (process_time() - began) / len(asked), 0.0, told)

    def note(self, work: str, seconds: float, grown: float, told: Any) -> None:
        if work in self.wanted:
            self.points.append(Point(self.size, work, max(seconds, 1e-9), grown, told or {}))

    def tell(self, work: str, told: Mapping[str, float]) -> None:
        """Add to what is known of a work that was noted."""
        self.points = [
            replace(point, told=told) if point.work == work else point for point in self.points
        ]


@contextmanager
def _on_disk(X: Matrix) -> Iterator[Any]:
    """X (n, d) as float16, mapped into memory from a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "items.npy"
        np.save(path, X.astype(np.float16))
        yield np.load(path, mmap_mode="r")


def _curve(index: Index, searcher: Searcher, truth: Truth) -> Curve:
    return evaluate(index, searcher, truth, 0).curve(KS)


def _at_precision(curve: Curve, truth: Truth) -> tuple[dict[str, float], int]:
    """What a search of ENOUGH precision costs, else the most precise; and its effort."""
    precision = curve.precision(K)
    enough = np.flatnonzero(precision >= ENOUGH)
    at = int(enough[0]) if len(enough) else int(precision.argmax())
    low, high = curve.interval(K)[at]
    told = {
        "precision": float(precision[at]),
        "half": float(high - low) / 2,
        "speedup": float(curve.speedup[at]),
    }
    return told, int(curve.efforts[at])
