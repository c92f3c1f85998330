"""What was timed, as numbers."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Way = Literal["one by one", "batch", "batch, all threads"]
WAYS: tuple[Way, ...] = ("one by one", "batch", "batch, all threads")
Kind = Literal["method", "rival", "exact"]


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds a query took.

    One by one: median and 95th percentile over queries of each query's median; in a batch: the
    median over rounds of the seconds of a batch by its queries, and no percentile. mean: of all
    calls, by the clock; processor: the same in processor time, of all threads; calls: how many.
    """

    seconds: float
    p95: float | None
    mean: float
    processor: float
    threads: int
    calls: int


@dataclass(frozen=True, slots=True)
class Timed:
    """One search: its setting, how good it is on the queries it was timed on, and how long it took.

    reached: whether it had the precision asked for on the queries its setting was chosen on; where
    it had not, it is the most precise there is. inner_products: mean a query, and speedup: n by
    that, None where a library does not tell. build_seconds: None where there is nothing to build.
    """

    key: str
    label: str
    setting: str
    kind: Kind
    reached: bool
    chosen_precision: float
    precision: float
    interval: tuple[float, float]
    inner_products: float | None
    speedup: float | None
    build_seconds: float | None
    took: Mapping[Way, Took]


@dataclass(frozen=True, slots=True)
class Clock:
    """Searches timed in one run on n items of d dimensions, for K answers.

    target: the precision asked for. m_chosen queries settings were chosen on, m_scored others they
    were scored and timed on (the same where `split` is False). batch: queries of a batch, which
    holds the scored ones over and over. threads: of a batch on all threads. rounds: how often each
    search had its turn. versions {library: version}; absent: (library, line that adds it).
    """

    rows: tuple[Timed, ...]
    data: str
    simulated: bool
    metric: str
    n: int
    d: int
    K: int
    target: float
    m_chosen: int
    m_scored: int
    split: bool
    batch: int
    rounds: int
    threads: int
    processors: int
    versions: Mapping[str, str]
    absent: tuple[tuple[str, str], ...]

    def exact(self, way: Way) -> Timed:
        """The exact search that takes least time: what others are held against."""
        exact = [row for row in self.rows if row.kind == "exact"]
        return min(exact, key=lambda row: row.took[way].seconds)

    def by_clock(self, row: Timed, way: Way) -> float:
        """Speedup by the clock: seconds of the quickest exact search by those of `row`."""
        return self.exact(way).took[way].seconds / row.took[way].seconds

    @property
    def waiting(self) -> float:
        """Clock by processor time on one thread: above 1 where others used the machine."""
        took = [row.took["one by one"] for row in self.rows]
        processor = sum(each.processor for each in took)
        return sum(each.mean for each in took) / processor if processor else 1.0

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON, with the speedups by the clock."""
        rows = [
            {**asdict(row), "speedup_by_clock": {way: self.by_clock(row, way) for way in WAYS}}
            for row in self.rows
        ]
        return {**asdict(self), "rows": rows, "interval": "95%, over queries"}

    def table(self) -> list[dict[str, Any]]:
        """A flat row for each search and way of asking, for tables and CSV."""
        return [
            {
                "target": self.target,
                "search": row.label,
                "setting": row.setting,
                "asked": way,
                "threads": row.took[way].threads,
                "seconds": row.took[way].seconds,
                "p95_seconds": row.took[way].p95,
                "processor_seconds": row.took[way].processor,
                "speedup_by_clock": self.by_clock(row, way),
                "speedup": row.speedup,
                "inner_products": row.inner_products,
                f"precision@{self.K}": row.precision,
                "low_95": row.interval[0],
                "high_95": row.interval[1],
                "reached": row.reached,
                "queries": self.m_scored,
                "data": self.data,
                "metric": self.metric,
                "simulated": self.simulated,
            }
            for row in self.rows
            for way in WAYS
        ]
