"""What was measured beside the curves: methods under noise, and two methods compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mips_core.base.arrays import Floats
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.precision import mean_precision
from mips_core.report.contents import Comparison, NoiseResult, NoisyMethod, Side
from mips_core.studies.comparison import Compared, Scored
from mips_core.studies.noise import NoisyQueries, ceiling
from mips_core.studies.robustness import RobustMethod


@dataclass(frozen=True, slots=True, eq=False)
class NoiseMeasured:
    """Methods held to `speedup` and asked with noise, as `robustness` gives them."""

    noisy: NoisyQueries
    methods: Sequence[RobustMethod]  # one or more; each with one build or more
    speedup: float


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """What was measured beside the curves; None and () where it was not.

    compared: two methods, and where they were: "30×". misses: sentences on what is missed.
    """

    noise: NoiseMeasured | None = None
    compared: tuple[Compared, str] | None = None
    misses: Sequence[str] = ()

    def told(self, K: int) -> dict[str, Any]:
        """Fields of a Report."""
        return {
            "noise": None if self.noise is None else noise_result(self.noise, K),
            "comparison": None if self.compared is None else comparison_of(*self.compared),
            "misses": tuple(self.misses),
        }


def noise_result(measured: NoiseMeasured, K: int) -> NoiseResult:
    """As plain values; the ceiling is what exact search finds of the answers before noise."""
    noisy = measured.noisy
    best = mean_precision(ceiling(noisy, K, folds_of(noisy.m)[1]))
    return NoiseResult(
        speedup=float(measured.speedup),
        m=measured.methods[0].by_seed[0].m,
        rms=float(noisy.rms),
        sigmas=_floats(noisy.absolute),
        relative=_floats(noisy.relative),
        ceiling=_floats(best),
        methods=tuple(_noisy(method, noisy.n) for method in measured.methods),
    )


def _noisy(method: RobustMethod, n: int) -> NoisyMethod:
    setting = method.solved.setting
    return NoisyMethod(
        key=setting.index.key,
        method=setting.index.label,
        setting=setting.in_words(n),
        reached=method.solved.reached,
        seeds=tuple(under.setting.seed for under in method.by_seed),
        precision=_floats(method.precision("noisy")),
        half=_floats(method.half_interval("noisy")),
        clean=_floats(method.precision("clean")),
        speedup=_floats(method.speedup()),
    )


def comparison_of(found: Compared, at: str) -> Comparison:
    """As plain values, with the sentence on which of the two finds more `at` so much: "30×"."""
    apart = found.difference
    first, second = (_side(one, found.n) for one in found.scored)
    return Comparison(
        words=apart.in_words(first.method, second.method, at),
        m=apart.m,
        mean=apart.mean,
        low=apart.low,
        high=apart.high,
        sides=(first, second),
    )


def _side(one: Scored, n: int) -> Side:
    index = one.setting.index
    intervals = [(float(low), float(high)) for low, high in one.intervals]
    return Side(
        index.key,
        index.label,
        one.setting.in_words(n),
        one.seeds,
        one.precisions,
        tuple(intervals),
        one.speedups,
    )


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
