"""The searches that are timed: ours, those of other libraries, and exact search in two ways."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.progress import Progress, span
from mips_core.base.threads import (
    between_blocks,
    limited,
    map_blocks,
    n_threads,
    working_clock,
)
from mips_core.evaluation.builder import Built, built
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import Truth
from mips_core.methods.exact import exact_top_k_scores, prepare
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.search import block_size
from mips_core.serving.fast_search import retriever_of
from mips_core.serving.other_libraries import Rival
from mips_core.studies.operating_point import at_precision
from mips_core.studies.wall_clock.judge import Judge
from mips_core.studies.wall_clock.stopwatch import ALONE, Ask, Limited
from mips_core.studies.wall_clock.timings import Kind

Build = Callable[[Index, int, Progress], Built]  # index, seed -> structure, seconds
Made = TypeVar("Made")
Methods = Mapping[str, Sequence[Evaluation]] | Sequence[Setting]


@dataclass(frozen=True, slots=True, eq=False)
class Entrant:
    """A search that is ready: how it is asked, and what is known of it beforehand."""

    key: str
    label: str
    setting: str
    kind: Kind
    ask: Ask
    limited: Limited
    cost: Callable[[Matrix], float | None]  # queries (m, d) -> mean inner products
    build_seconds: float | None
    reached: bool
    precision: float  # on the queries it was chosen on


def settings_of(methods: Methods, K: int, precision: float) -> list[Setting]:
    """The setting of each method that is cheapest at `precision`, or those that were given.

    Exact search is left out: it takes part anyway. So is a method without evaluations.
    """
    if isinstance(methods, Mapping):
        groups = [tried for tried in methods.values() if tried]
        settings = [at_precision(tried, K, precision).setting for tried in groups]
    else:
        settings = list(methods)
    return [setting for setting in settings if setting.index.key != "exact"]


def truth_among(methods: Methods) -> Truth | None:
    """The truth that evaluations were held against, where there are some."""
    if not isinstance(methods, Mapping):
        return None
    return next((tried.truth for group in methods.values() for tried in group), None)


def method_entrant(
    setting: Setting, judge: Judge, target: float, build: Build, progress: Progress
) -> Entrant:
    """One of our methods, built, laid out to answer, and asked as `setting` says."""
    index, X, K = setting.index, judge.items, judge.wanted
    fresh = build(index, setting.seed, progress)
    searcher = index.searcher(fresh.structure)
    began = working_clock()
    retriever = retriever_of(searcher, X, codes=True)
    seconds = fresh.seconds + working_clock() - began

    def ask(Q: Matrix) -> Ids:
        return retriever.search_checked(Q, K, setting.effort)[0]

    precision = judge.precision_to_choose(ask)
    return Entrant(
        key=index.key,
        label=index.label,
        setting=setting.in_words(len(X)),
        kind="method",
        ask=ask,
        limited=limited,
        cost=lambda Q: _mean_cost(searcher, Q, setting.effort, K),
        build_seconds=seconds,
        reached=precision >= target,
        precision=precision,
    )


def build_anew(X: Matrix) -> Build:
    """Builds on the items X (n, d), where nobody keeps what was built."""
    return lambda index, seed, progress: built(index, X, seed, progress)


def _mean_cost(searcher: Searcher, Q: Matrix, effort: int, K: int) -> float:
    def work(start: int, stop: int) -> float:
        return float(searcher.candidates(Q[start:stop], effort, K).cost.sum())

    return sum(map_blocks(work, len(Q), block_size(searcher.n))) / len(Q)


@dataclass(frozen=True, slots=True, eq=False)
class BuiltRival:
    """Another library's index, how precise it was at the efforts asked so far, and its seconds."""

    index: Rival
    judge: Judge
    build_seconds: float
    tried: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, rival: type[Rival], seed: int, judge: Judge, progress: Progress) -> "BuiltRival":
        """Built on all threads."""
        began = working_clock()
        index = rival.build(judge.items, seed, n_threads(), progress)
        return cls(index, judge, working_clock() - began)

    def entrant(self, target: float, progress: Progress) -> Entrant:
        """It at its least effort with the precision `target`, or at its best."""
        index, K = self.index, self.judge.wanted
        best = self._least(target, progress)
        return Entrant(
            key=index.key,
            label=index.label,
            setting=index.in_words(best),
            kind="rival",
            ask=partial(index.search, K=K, effort=best),
            limited=index.limited,
            cost=partial(index.inner_products, K=K, effort=best),
            build_seconds=self.build_seconds,
            reached=self.tried[best] >= target,
            precision=self.tried[best],
        )

    def _least(self, target: float, progress: Progress) -> int:
        index, K = self.index, self.judge.wanted
        efforts = index.efforts(K)
        for at, effort in enumerate(efforts):
            if effort not in self.tried:
                progress(at / len(efforts), f"{index.label}: {index.in_words(effort)}")
                with ALONE, between_blocks(int), index.limited(n_threads()):
                    ask = partial(index.search, K=K, effort=effort)
                    self.tried[effort] = self.judge.precision_to_choose(ask)
            if self.tried[effort] >= target:
                return effort
        return max(efforts, key=lambda effort: (self.tried[effort], -effort))


def built_rivals(
    rivals: Sequence[type[Rival]], seed: int, judge: Judge, progress: Progress
) -> list[BuiltRival]:
    """Each of these libraries' indexes, built."""
    return in_steps([partial(BuiltRival.of, rival, seed, judge) for rival in rivals], progress)


def in_steps(steps: Sequence[Callable[[Progress], Made]], progress: Progress) -> list[Made]:
    """What all of them make, each with its share of the bar."""
    count = len(steps)
    return [make(span(progress, at / count, (at + 1) / count)) for at, make in enumerate(steps)]


def exact_searches(judge: Judge, progress: Progress) -> list[Entrant]:
    """Exact search as it is done here, and as anybody would write it."""
    progress(0.0, "Exact search")
    X, K = judge.items, judge.wanted
    began = working_clock()
    prepared = prepare(X)
    seconds = working_clock() - began

    def exact(Q: Matrix) -> Ids:
        return exact_top_k_scores(X, Q, K, prepared=prepared)[0]

    ways: list[tuple[str, str, str, Ask, float | None]] = [
        ("exact", "Exact search", "all items", exact, seconds),
        ("product", "Matrix product", "numpy, float32", lambda Q: product_top_k(X, Q, K), None),
    ]
    return [
        Entrant(
            key=key,
            label=label,
            setting=setting,
            kind="exact",
            ask=ask,
            limited=limited,
            cost=lambda Q: float(len(X)),
            build_seconds=build_seconds,
            reached=True,
            precision=judge.precision_to_choose(ask),
        )
        for key, label, setting, ask, build_seconds in ways
    ]


def product_top_k(X: Matrix, Q: Matrix, K: int) -> Ids:
    """(m, K) items of largest float32 product for Q (m, d), best first; ties in any order."""
    n = len(X)

    def work(start: int, stop: int) -> Ids:
        scores = Q[start:stop] @ X.T
        near = np.argpartition(scores, n - K, axis=1)[:, n - K :]
        order = np.argsort(-np.take_along_axis(scores, near, axis=1), axis=1)
        return np.take_along_axis(near, order, axis=1)

    return np.concatenate(map_blocks(work, len(Q), block_size(n)))
