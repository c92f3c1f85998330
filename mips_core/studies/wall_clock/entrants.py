"""The searches that are timed: ours, those of other libraries, and exact search in two ways."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.progress import Progress, span
from mips_core.base.threads import limited, map_blocks, n_threads
from mips_core.evaluation.builder import Built, built
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.operating_point import at_precision
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import Truth
from mips_core.methods.exact import exact_top_k_scores, prepare
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.search import block_size
from mips_core.serving.fast_search import retriever_of
from mips_core.serving.other_libraries import Rival
from mips_core.studies.wall_clock.judge import Judge
from mips_core.studies.wall_clock.stopwatch import ALONE, Ask, Limited
from mips_core.studies.wall_clock.timings import Kind

Build = Callable[[Index, int, Progress], Built]  # index, seed -> structure, seconds
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
    began = perf_counter()
    retriever = retriever_of(searcher, X, codes=True)
    seconds = fresh.seconds + perf_counter() - began

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


def rival_entrant(
    cls: type[Rival], seed: int, judge: Judge, target: float, progress: Progress
) -> Entrant:
    """Another library's index at its least effort with the precision `target`, or at its best."""
    began = perf_counter()
    built = cls.build(judge.items, seed, n_threads(), span(progress, 0.0, 0.6))
    seconds = perf_counter() - began
    K = judge.wanted
    efforts = built.efforts(K)
    tried: dict[int, float] = {}
    for at, effort in enumerate(efforts):
        progress(0.6 + 0.4 * at / len(efforts), f"{cls.label}: {built.in_words(effort)}")
        with ALONE, built.limited(n_threads()):
            tried[effort] = judge.precision_to_choose(partial(built.search, K=K, effort=effort))
        if tried[effort] >= target:
            break
    best = max(tried, key=lambda effort: (tried[effort] >= target, tried[effort], -effort))
    return Entrant(
        key=cls.key,
        label=cls.label,
        setting=built.in_words(best),
        kind="rival",
        ask=partial(built.search, K=K, effort=best),
        limited=built.limited,
        cost=partial(built.inner_products, K=K, effort=best),
        build_seconds=seconds,
        reached=tried[best] >= target,
        precision=tried[best],
    )


def exact_searches(judge: Judge) -> list[Entrant]:
    """Exact search as it is done here, and as anybody would write it."""
    X, K = judge.items, judge.wanted
    began = perf_counter()
    prepared = prepare(X)
    seconds = perf_counter() - began

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
