"""A run: one measured evaluation kept under a name, with all that it takes to compare it later."""

import platform
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_RUN_HITS
from mips_core.base.text import in_one_line
from mips_core.data.dataset import Dataset, Metric
from mips_core.data.queries import QueryRecipe
from mips_core.evaluation.curve import Curve
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.setting import index_in_words
from mips_core.methods.indexes import Index, Searcher

Hits = NDArray[np.uint8]  # (p, m): answers found at each effort by each query

MAX_NAME = 80
MAX_NOTE = 2_000
LIBRARIES = ("numpy", "scipy", "numba")


@dataclass(frozen=True, slots=True)
class RunData:
    """What a run was measured on: n items of d dimensions, and the m queries that count.

    The fingerprints are those of what was searched, by `metric`. source: the name of a shipped
    data set, or the fingerprint of the vectors as they were read; "" where that is not known.
    queries: how they were made, None where that is not known.
    """

    name: str
    n: int
    d: int
    m: int
    metric: Metric
    fingerprint: str
    query_fingerprint: str
    simulated: bool = False
    source: str = ""
    queries: QueryRecipe | None = None

    @staticmethod
    def of(dataset: Dataset, m: int, source: str, queries: QueryRecipe | None) -> "RunData":
        """`dataset` as it is searched, of whose queries `m` are long enough to count."""
        own = ("name", "n", "d", "metric", "fingerprint", "query_fingerprint", "simulated")
        shared = {name: getattr(dataset, name) for name in own}
        return RunData(m=m, source=source, queries=queries, **shared)


@dataclass(frozen=True, slots=True)
class Groups:
    """The finest groups of an index: how many hold items, how many are empty, and their sizes."""

    one: str
    many: str
    count: int
    empty: int
    smallest: int
    median: float
    largest: int


@dataclass(frozen=True, eq=False)
class Run:
    """One index, built with one seed and asked at p efforts, as it was measured.

    kept: when, in UTC, as 2026-11-28T22:44:57Z. hits {K: (p, m) uint8}: what each query found, {}
    where that would be too many numbers. seconds: what building took, by the clock; bytes: of what
    was built, without the items. What is not known is None.
    """

    name: str
    note: str
    kept: str
    data: RunData
    curve: Curve
    hits: Mapping[int, Hits] = field(default_factory=dict)
    seconds: float | None = None
    bytes: int | None = None
    groups: Groups | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_texts(self.name, self.note)

    @classmethod
    def of(
        cls,
        evaluation: Evaluation,
        dataset: Dataset,
        ks: Sequence[int],
        *,
        name: str = "",
        note: str = "",
        when: datetime | None = None,
        seconds: float | None = None,
        bytes: int | None = None,
        groups: Groups | None = None,
        source: str = "",
        queries: QueryRecipe | None = None,
    ) -> "Run":
        """`evaluation`, measured on `dataset` as it was searched, read off at each K of `ks`.

        Named after its setting and kept now, unless it is said otherwise. Raises ParamError for a
        K at which it cannot be read off, and for a name or note that cannot be.
        """
        index, seed = evaluation.index, evaluation.seed
        when = datetime.now(UTC) if when is None else when.astimezone(UTC)
        return cls(
            name or proposed_name(index, dataset.n, seed),
            note,
            when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            RunData.of(dataset, evaluation.truth.m, source, queries),
            evaluation.curve(tuple(ks)),
            _hits(evaluation, ks),
            seconds,
            bytes,
            groups,
            versions(),
        )

    @property
    def index(self) -> Index:
        """What was built."""
        return self.curve.index

    @property
    def seed(self) -> int:
        """What it was built with."""
        return self.curve.seed

    @property
    def ks(self) -> tuple[int, ...]:
        """Every K it was measured at."""
        return tuple(self.curve.histograms)


def check_texts(name: str, note: str) -> None:
    """Raise ParamError unless these can be the name and the note of a run."""
    if not name.strip():
        raise ParamError("The run has no name.", f"Give it one, of {MAX_NAME} characters or fewer.")
    for what, text, most in (("name", name, MAX_NAME), ("note", note, MAX_NOTE)):
        if len(text) > most:
            raise ParamError(
                f"The {what} of the run has {len(text):,} characters; {most:,} are allowed.",
                "Make it shorter.",
            )


def proposed_name(index: Index, n: int, seed: int) -> str:
    """What a run of this setting is called until someone calls it otherwise."""
    with_seed = f", seed {seed}" if seed else ""
    words = in_one_line(f"{index.label}, {index_in_words(index, n)}", MAX_NAME - len(with_seed))
    return words + with_seed


def unique_name(name: str, taken: Collection[str]) -> str:
    """`name`, or with the first number that is not among the names `taken`: "name (2)"."""
    number, unique = 1, name
    while unique in taken:
        number += 1
        ending = f" ({number})"
        unique = name[: MAX_NAME - len(ending)] + ending
    return unique


def versions() -> dict[str, str]:
    """What measures here, and its version."""
    from mips_core.base.text import MADE_BY

    product, _, own = MADE_BY.rpartition(" ")
    libraries = {library: version(library) for library in LIBRARIES}
    return {product: own, "Python": platform.python_version(), **libraries}


def groups_of(index: Index, searcher: Searcher) -> Groups:
    """The finest groups of `searcher`, which `index` built."""
    sizes = np.bincount(searcher.groups()[-1])
    live = sizes[sizes > 0]
    one, many = index.group_nouns
    return Groups(
        one,
        many.partition(" of one ")[0],  # of levels side by side: "buckets of one table"
        len(live),
        len(sizes) - len(live),
        int(live.min()),
        float(np.median(live)),
        int(live.max()),
    )


def _hits(evaluation: Evaluation, ks: Sequence[int]) -> dict[int, Hits]:
    """What each query finds at every effort and K, or {} where there are too many numbers."""
    p, m = len(evaluation.efforts), evaluation.truth.m
    if p * m * len(ks) > MAX_RUN_HITS:
        return {}
    return {K: np.stack([evaluation.hits(K, at) for at in range(p)]).astype(np.uint8) for K in ks}
