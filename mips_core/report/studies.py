"""What was measured beside the curves: methods under noise, and two methods compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from mips_core.base.arrays import Floats
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.precision import mean_precision
from mips_core.report.contents import ComparedMethod, MethodComparison, NoiseResult, NoisyMethod
from mips_core.studies.comparison import Compared, ScoredBuilds
from mips_core.studies.noise import NoisyQueries, ceiling
from mips_core.studies.robustness import RobustMethod


@dataclass(frozen=True, slots=True, eq=False)
class NoiseMeasured:
    """Methods held to `speedup` and asked with noise, as `robustness` gives them."""

    noisy: NoisyQueries
    methods: Sequence[RobustMethod]  # one or more; each with one build or more
    speedup: float


@dataclass(frozen=True, slots=True, eq=False)
class Studies:
    """What was measured beside the curves; None and () where it was not.

    compared: two methods, and where they were: "30×". misses: sentences on what is missed.
    """

    noise: NoiseMeasured | None = None
    compared: tuple[Compared, str] | None = None
    misses: Sequence[str] = ()


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


def comparison_of(compared: Compared, at: str) -> MethodComparison:
    """As plain values, with the sentence on which of the two finds more `at` so much: "30×"."""
    difference = compared.difference
    first, second = (_method(scored, compared.n) for scored in compared.scored)
    return MethodComparison(
        words=difference.in_words(first.method, second.method, at),
        m=difference.m,
        mean=difference.mean,
        low=difference.low,
        high=difference.high,
        sides=(first, second),
    )


def _method(scored: ScoredBuilds, n: int) -> ComparedMethod:
    return ComparedMethod(
        key=scored.setting.index.key,
        method=scored.setting.index.label,
        setting=scored.setting.in_words(n),
        seeds=scored.seeds,
        precision=scored.precisions,
        intervals=tuple((float(low), float(high)) for low, high in scored.intervals),
        speedup=scored.speedups,
    )


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
