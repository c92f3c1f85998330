"""What a report says, as plain values: numbers as the pages show them, text as people wrote it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Goal = Literal["precision", "speedup"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the data came from, as a command line names it; no folders.

    shipped: its key in the catalog; or files, the names of what was read, with `reading` the
    choices made there, "name=value"; or stem, where no more is known of a file than its name
    without the ending. queries_file: a file of queries, where they have their own.
    own_queries: whether the data came with queries, which are then asked unless others are drawn.
    """

    shipped: str = ""
    files: tuple[str, ...] = ()
    stem: str = ""
    queries_file: str = ""
    kind: str = "auto"
    reading: tuple[str, ...] = ()
    rank: int | None = None
    own_queries: bool = False


@dataclass(frozen=True, slots=True)
class DataSummary:
    """The items and queries; norms: the least, 5%, the median, 95% and the most.

    fingerprint: of the items as they were read; query_fingerprint: of the queries as they are
    asked. findings: pairs of a fact and what it means; notes: what was left out or repaired.
    """

    name: str
    origin: str
    licence: str
    n: int
    d: int
    m: int
    dropped: int
    metric: str
    score: str
    simulated: bool
    queries: str
    norms: tuple[float, float, float, float, float]
    findings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    fingerprint: str
    query_fingerprint: str


@dataclass(frozen=True, slots=True)
class MethodSetting:
    """An index and the seed it was built with; values: every parameter, as --set takes it."""

    key: str
    method: str
    words: str
    values: Mapping[str, str]
    seed: int
    efforts: tuple[str, str]  # one and many of what an effort counts


@dataclass(frozen=True, slots=True)
class Measured:
    """A setting at one effort, on the queries that score; its 95% interval is over queries.

    setting: position in Report.settings. cost in inner products a query; speedup = n / cost.
    others: setting and effort of each that the numbers are a mean with (`MeanPoint`).
    """

    setting: int
    effort: int
    precision: float
    low: float
    high: float
    cost: float
    speedup: float
    others: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """The setting that the report recommends, what it spends by part, and how it was chosen.

    certain: whether it misses nothing by the nature of the search, which needs no interval.
    provisional: whether settings were still to come when it was chosen.
    """

    measured: Measured
    certain: bool
    parts: Mapping[str, float]
    chosen: str  # in sentences
    target: float | None  # the precision asked for, where one was
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class MethodCurve:
    """The best of a method's settings at K, by rising speedup."""

    K: int
    key: str
    method: str
    points: tuple[Measured, ...]


@dataclass(frozen=True, slots=True)
class TargetRow:
    """The best setting of a method for a precision, or for a speedup, chosen on other queries.

    reached: whether it had what was asked for where it was chosen; else it is the nearest.
    """

    asked: Goal
    value: float
    key: str
    method: str
    measured: Measured
    reached: bool


@dataclass(frozen=True, slots=True)
class NoisyMethod:
    """One method at S amounts of noise: means over its builds, half intervals over queries."""

    key: str
    method: str
    setting: str
    reached: bool
    seeds: tuple[int, ...]
    precision: tuple[float, ...]
    half: tuple[float, ...]
    clean: tuple[float, ...]  # against the answers before noise
    speedup: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NoiseResult:
    """Methods held to one speedup without noise, then asked with it; ceiling: exact search."""

    speedup: float
    m: int
    rms: float
    sigmas: tuple[float, ...]  # absolute
    relative: tuple[float, ...]  # in rms entries of the items
    ceiling: tuple[float, ...]
    methods: tuple[NoisyMethod, ...]


@dataclass(frozen=True, slots=True)
class ComparedMethod:
    """One of two methods that were compared, build by build."""

    key: str
    method: str
    setting: str
    seeds: tuple[int, ...]
    precision: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    speedup: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MethodComparison:
    """Two methods on the same m queries; the difference is of the first less the second."""

    words: str
    m: int
    mean: float
    low: float
    high: float
    sides: tuple[ComparedMethod, ComparedMethod]


@dataclass(frozen=True, slots=True)
class Machine:
    """What measured: versions by name, the processor, and threads used."""

    versions: Mapping[str, str]
    system: str
    processor: str
    threads: int


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. What was not measured is None or empty, and the report says so.

    m_choosing queries chose settings and m_scoring scored them: others, where `split`. K as asked,
    answers as many as there are. commands: lines that measure the same again. sampled: which
    settings were measured of many items, in sentences; "" where samples left none out.
    """

    title: str
    note: str
    made: str  # ISO 8601, UTC
    K: int
    answers: int
    m_choosing: int
    m_scoring: int
    split: bool
    data: DataSummary
    settings: tuple[MethodSetting, ...]
    point: OperatingPoint
    curves: tuple[MethodCurve, ...]
    targets: tuple[TargetRow, ...]
    noise: NoiseResult | None
    comparison: MethodComparison | None
    misses: tuple[str, ...]  # sentences on what is missed
    machine: Machine
    origin: Origin
    recipe: Mapping[str, Any] | None  # of the queries; None where they are a file of their own
    commands: tuple[str, ...]
    sampled: str = ""

    def as_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return asdict(self)
