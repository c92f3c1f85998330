"""Every index at its defaults: building it, and its whole curve, beside the product alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.pieces.curves import curves_of
from benchmarks.pieces.exact import PRODUCT, product
from benchmarks.sets import MANY_USERS, Measurable
from benchmarks.works import Comparison, Work
from mips_core import INDEXES, Truth, rng_for

WARMED = 8  # queries that each curve is drawn of beforehand


def comparisons(data: Measurable, rounds: int) -> list[Comparison]:
    """One table; none where there are so many queries that all curves would take minutes."""
    if data.dataset.m == MANY_USERS:
        return []
    X, Q, n = data.dataset.items, data.truth.queries, data.dataset.n
    works: list[Work] = [Work(PRODUCT, product(X, Q))]
    for cls in INDEXES.values():
        index = cls().explicit(n)
        built: Callable[[], Any] = partial(index.build, X)
        searcher = index.searcher(built(rng_for(0)))
        curves_of(index, searcher, _first(data.truth, WARMED))  # kernels are compiled meanwhile
        works += [
            Work(f"{index.label}: build", lambda b=built: b(rng_for(0)), setting=index.setting(n)),
            Work(f"{index.label}: curve", partial(curves_of, index, searcher, data.truth)),
        ]
    return [Comparison("All methods at their defaults", works, rounds=rounds, warm=False)]


def _first(truth: Truth, m: int) -> Truth:
    """The truth of the first m queries."""
    queries, ids, scores, zero = truth.queries, truth.ids, truth.scores, truth.origins
    return replace(truth, queries=queries[:m], ids=ids[:m], scores=scores[:m], origins=zero[:m])
