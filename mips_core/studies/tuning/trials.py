"""What is asked of tuning, and one setting judged on queries it was not chosen on."""

from dataclasses import dataclass
from math import ceil, isfinite, log
from typing import Any, Literal

from mips_core.base.errors import DataError, ParamError
from mips_core.base.params import plain_values
from mips_core.base.text import counted
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.setting import Setting, index_in_words

Verdict = Literal["holds", "does not hold", "cannot tell", "not tested"]
BOTH_ENDS = 0.975  # confidence of each end of an interval of 95%


@dataclass(frozen=True, slots=True)
class Need:
    """A precision to hold on queries not seen, and how sure of it one wants to be."""

    precision: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.precision <= 1:
            raise ParamError(
                f"The precision asked for is {self.precision:g}.",
                "Give a share above 0 and up to 1, such as 0.95.",
            )
        if not 0.5 <= self.confidence < 1:
            raise ParamError(
                f"The confidence asked for is {self.confidence:g}.",
                "Give 0.5 or more, below 1, such as 0.95.",
            )

    @property
    def fewest(self) -> int | None:
        """Held-out queries that can carry the promise; None where none can, for a precision of 1.

        Of fewer, none may show a fault that fails whole queries and breaks the promise: of m, none
        does with probability precision^m, or about e^(-m (1 - precision)) (the rule of three).
        """
        if self.precision == 1:
            return None
        return ceil(-log(1 - self.confidence) / (1 - self.precision) - 1e-9)

    def too_few(self, m: int) -> bool:
        """Whether m held-out queries cannot carry the promise."""
        return m < (self.fewest or 0)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a setting may cost at most; None sets no limit."""

    inner_products: float | None = None  # mean a query
    bytes: float | None = None  # of the structure, without the items
    seconds: float | None = None  # to build, wall

    def __post_init__(self) -> None:
        for name, limit in self.limits.items():
            if not (isfinite(limit) and limit > 0):
                raise ParamError(
                    f"The limit of {name} is {limit:g}.", "Give a number above 0, or none."
                )

    @property
    def limits(self) -> dict[str, float]:
        """The limits that are set, by what they limit."""
        named = {
            "inner products": self.inner_products,
            "bytes": self.bytes,
            "seconds": self.seconds,
        }
        return {name: limit for name, limit in named.items() if limit is not None}


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A setting on the tuning queries, and on the held-out ones that judge it.

    tuned_precision and tuned_cost are of the tuning queries; precision, cost (inner products a
    query) and speedup of the held-out ones. Both ends of `interval` are one-sided at the
    confidence asked for (each at 97.5% for a budget): the lower is what can be promised. verdict:
    "not tested" where the interval clears the target, but no test of the fixed order says so.
    """

    tried: Tried
    setting: Setting
    tuned_precision: float
    tuned_cost: float
    precision: float
    interval: tuple[float, float]
    cost: float
    speedup: float
    verdict: Verdict

    @property
    def lower(self) -> float:
        """The lower end: what can be promised of the setting."""
        return self.interval[0]

    def setting_in_words(self) -> str:
        """Flat k-means, 566 clusters, 24 probes."""
        return f"{self.setting.index.label}, {self.setting.in_words(self.n)}"

    def built_in_words(self) -> str:
        """The same without the effort: the method and its build parameters."""
        return f"{self.setting.index.label}, {index_in_words(self.setting.index, self.n)}"

    @property
    def n(self) -> int:
        """Items searched."""
        return self.tried.evaluation.truth.n

    def as_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        setting = self.setting
        return {
            "index": {"key": setting.index.key, **plain_values(setting.index)},
            "seed": setting.seed,
            "effort": setting.effort,
            "words": self.setting_in_words(),
            "tuning": {"precision": self.tuned_precision, "inner_products": self.tuned_cost},
            "held_out": {
                "precision": self.precision,
                "interval": list(self.interval),
                "inner_products": self.cost,
                "speedup": self.speedup,
            },
            "build": {
                "seconds": self.tried.seconds if isfinite(self.tried.seconds) else None,
                "bytes": self.tried.bytes,
            },
            "verdict": self.verdict,
        }


def check_count(m: int) -> None:
    """Raise DataError where m queries are too few to hold half of them out."""
    if m < FEWEST_TO_SPLIT:
        raise DataError(
            f"There {'is' if m == 1 else 'are'} {counted(m, 'query', 'queries')}.",
            f"Tuning needs {FEWEST_TO_SPLIT} queries or more: half of them are held out.",
        )
