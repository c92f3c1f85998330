"""What was measured at each size, and what it says of more items."""

from dataclasses import dataclass
from typing import Any

from mips_core.base.errors import DataError, ParamError
from mips_core.base.params import plain_values
from mips_core.base.text import percent
from mips_core.evaluation.setting import Setting
from mips_core.methods.indexes import Index
from mips_core.studies.growth.power_law import PowerLaw, Range, index_for

FEWEST_SIZES = 3
LARGEST = 10**12
STRAIGHT = 0.15  # standard error of an exponent up to which sizes are said to lie on a line


@dataclass(frozen=True, slots=True)
class ScalePoint:
    """What was measured on n items.

    cost: mean inner products a query; precision@K with its 95% interval; both on the m queries
    that did not choose the effort of `setting`. seconds, wall_seconds: of the build, of all
    processors together and by the clock. bytes: of what was built. reached: whether the queries
    that chose reached the precision asked for; else the setting is the most precise there is.
    """

    n: int
    setting: Setting
    m: int
    cost: float
    precision: float
    interval: tuple[float, float]
    seconds: float
    wall_seconds: float
    bytes: int
    reached: bool

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "n": self.n,
            "index": {"key": self.setting.index.key, **plain_values(self.setting.index)},
            "setting": self.setting.in_words(self.n),
            "effort": self.setting.effort,
            "queries": self.m,
            "inner_products": self.cost,
            "speedup": self.n / self.cost,
            "precision": self.precision,
            "interval": list(self.interval),
            "processor_seconds": self.seconds,
            "wall_seconds": self.wall_seconds,
            "bytes": self.bytes,
            "reached": self.reached,
        }


@dataclass(frozen=True, slots=True)
class Expectation:
    """What to expect of `index` on n items, with 95% prediction intervals.

    seconds are of processors, to build it: those of the clock say more of what else was running.
    """

    scaling: "Scaling"
    n: int
    index: Index
    inner_products: Range
    speedup: Range
    seconds: Range
    bytes: Range

    @property
    def exponents(self) -> dict[str, tuple[float, float]]:
        """Exponent of n, and its standard error, of "cost", "seconds" and "bytes"."""
        return self.scaling.exponents


@dataclass(frozen=True, slots=True)
class Scaling:
    """One index on samples of the items, one build a size; `sizes` from few items to all.

    Prediction intervals cover the scatter of the sizes about their line; not that the line bends,
    nor that more data may be of another kind.
    """

    data: str
    simulated: bool
    d: int
    K: int
    precision: float
    sizes: tuple[ScalePoint, ...]

    @property
    def points(self) -> tuple[ScalePoint, ...]:
        """The sizes at which the precision was reached: those that are drawn on."""
        return tuple(point for point in self.sizes if point.reached)

    @property
    def left_out(self) -> tuple[ScalePoint, ...]:
        """The other sizes."""
        return tuple(point for point in self.sizes if not point.reached)

    def growth(self, what: str) -> PowerLaw:
        """How "cost", "seconds" or "bytes" grow with n.

        Raises DataError where too few sizes reached the precision.
        """
        points = self.points
        if len(points) < FEWEST_SIZES:
            best = max(self.sizes, key=lambda point: point.precision)
            raise DataError(
                f"{100 * self.precision:g}% was reached at {len(points)} of the "
                f"{len(self.sizes)} sizes measured, and a line needs {FEWEST_SIZES}. The best was "
                f"{percent(best.precision)}, at {best.n:,} items.",
                "Ask for a lower precision, or take another method.",
            )
        return PowerLaw.of([p.n for p in points], [getattr(p, what) for p in points])

    @property
    def exponents(self) -> dict[str, tuple[float, float]]:
        """Exponent of n, and its standard error, of "cost", "seconds" and "bytes"."""
        lines = {what: self.growth(what) for what in ("cost", "seconds", "bytes")}
        return {what: (line.exponent, line.error) for what, line in lines.items()}

    @property
    def straight(self) -> bool:
        """Whether the inner products measured grow like a power of n."""
        return self.growth("cost").error <= STRAIGHT

    def at(self, n: int) -> Expectation:
        """What to expect on n items of the same kind.

        Raises ParamError for n out of range, DataError where too few sizes reached the precision.
        """
        line = self.growth("cost")
        first, last = self.points[0], self.points[-1]
        if not first.n <= n <= LARGEST:
            raise ParamError(
                f"{n:,} items is outside what can be told.", f"Ask for {first.n:,} to {LARGEST:,}."
            )
        cost = line.at(n)
        return Expectation(
            self,
            n,
            index_for(last.setting.index, last.n, n, self.d),
            inner_products=cost,
            speedup=Range(n / cost.value, n / cost.high, n / cost.low),
            seconds=self.growth("seconds").at(n),
            bytes=self.growth("bytes").at(n),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        enough = len(self.points) >= FEWEST_SIZES
        return {
            "data": self.data,
            "simulated": self.simulated,
            "K": self.K,
            "precision_asked": self.precision,
            "exponents": {k: list(v) for k, v in self.exponents.items()} if enough else None,
            "sizes": [point.as_dict() for point in self.sizes],
        }
