"""What evaluations say, read off once: curves, targets and the operating point.

Settings are chosen on one half of the queries and scored on the other, as on Trade-off; with too
few queries on the same ones (`evaluate.folds_of`).
"""

from collections.abc import Sequence
from typing import Any

from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_K
from mips_core.base.params import flat_values, format_value
from mips_core.evaluation.curve import Curve
from mips_core.evaluation.evaluate import Evaluation, folds_of
from mips_core.evaluation.setting import Setting, index_in_words
from mips_core.figures.styles import METHODS
from mips_core.methods.indexes import Index
from mips_core.report.contents import (
    Goal,
    Measured,
    MethodCurve,
    MethodSetting,
    OperatingPoint,
    TargetRow,
)
from mips_core.report.recommendation import Recommendation
from mips_core.studies import operating_point
from mips_core.studies.best_of_method import MeanPoint, best_of_method
from mips_core.studies.operating_point import Solved

USUAL_KS = (1, 10, 100)
PRECISIONS = (0.8, 0.9, 0.95, 0.99)
SPEEDUPS = (3.0, 10.0, 30.0, 100.0)


class PointReader:
    """Reads points off `evaluations`, and remembers the settings they are of."""

    def __init__(self, evaluations: Sequence[Evaluation], K: int) -> None:
        """Raises ParamError for a K out of range."""
        evaluations[0].truth.answers(K)
        self.evaluations, self.K = evaluations, K
        self._settings: dict[tuple[object, int], int] = {}
        self._read: list[MethodSetting] = []

    @property
    def settings(self) -> tuple[MethodSetting, ...]:
        """Those that points were read off of."""
        return tuple(self._read)

    def curves(self) -> tuple[MethodCurve, ...]:
        """The best of each method, at K and then at the other usual K that were measured."""
        most = min(self.evaluations[0].truth.available, MAX_K)
        others = [K for K in USUAL_KS if K != self.K and K in range(most + 1)]
        return tuple(
            self._curve(key, group, K)
            for K in (self.K, *others)
            for key, group in self._methods(K).items()
        )

    def targets(self) -> tuple[TargetRow, ...]:
        """Every method at every usual precision, then at every usual speedup."""
        methods = self._methods(self.K)
        wanted: list[tuple[Goal, float]] = [
            *(("precision", value) for value in PRECISIONS),
            *(("speedup", value) for value in SPEEDUPS),
        ]
        return tuple(
            self._target(goal, value, key, group)
            for goal, value in wanted
            for key, group in methods.items()
        )  # fmt: skip

    def operating(self, recommended: Recommendation) -> OperatingPoint:
        """What the chosen setting reaches and spends. Raises ParamError where it was not tried."""
        setting = recommended.setting
        evaluation = self._evaluation(setting)
        curve = _scored(evaluation, self.K)
        places = [at for at, effort in enumerate(curve.efforts) if effort == setting.effort]
        if not places:
            raise ParamError(
                f"{setting.index.label} was not asked at effort {setting.effort}.",
                f"Its efforts go from {curve.efforts[0]} to {curve.efforts[-1]}.",
            )
        (at,) = places
        parts = {part: float(cost[at]) for part, cost in curve.costs.items()}
        certain = setting.index.misses_nothing and at == len(curve.efforts) - 1
        measured = self._measured(curve, at, self.K)
        words, target = recommended.words, recommended.target
        return OperatingPoint(measured, certain, parts, words, target, recommended.provisional)

    def _methods(self, K: int) -> dict[str, list[Evaluation]]:
        """Key -> evaluations that can be read off at K, methods in the order of pictures."""
        by_method: dict[str, list[Evaluation]] = {key: [] for key in METHODS}
        for evaluation in self.evaluations:
            if evaluation.K in (None, K):
                by_method[evaluation.index.key].append(evaluation)
        return {key: group for key, group in by_method.items() if group}

    def _curve(self, key: str, group: Sequence[Evaluation], K: int) -> MethodCurve:
        return MethodCurve(
            K, key, METHODS[key].label, tuple(map(self._mean, best_of_method(group, K)))
        )

    def _target(self, goal: Goal, value: float, key: str, group: Sequence[Evaluation]) -> TargetRow:
        solve = operating_point.at_precision if goal == "precision" else operating_point.at_speedup
        solved: Solved = solve(group, self.K, value)
        curve = _scored(self._evaluation(solved.setting), self.K)
        at = curve.efforts.tolist().index(solved.setting.effort)
        measured = self._measured(curve, at, self.K)
        return TargetRow(goal, value, key, METHODS[key].label, measured, solved.reached)

    def _evaluation(self, setting: Setting) -> Evaluation:
        named = (setting.index, setting.seed)
        for evaluation in self.evaluations:
            if (evaluation.index, evaluation.seed) == named:
                return evaluation
        raise ParamError(
            f"{setting.index.label}, {index_in_words(setting.index, self.evaluations[0].truth.n)} "
            f"was not measured with seed {setting.seed}.",
            "Choose a setting that was.",
        )

    def _mean(self, point: MeanPoint) -> Measured:
        first, *others = (
            (self._position(setting.index, setting.seed), setting.effort)
            for setting in point.settings
        )
        numbers = (point.precision, point.low, point.high, point.cost, point.speedup)
        return Measured(*first, *numbers, tuple(others))

    def _measured(self, curve: Curve, at: int, K: int) -> Measured:
        low, high = curve.interval(K)[at]
        return Measured(
            setting=self._position(curve.index, curve.seed),
            effort=int(curve.efforts[at]),
            precision=float(curve.precision(K)[at]),
            low=float(low),
            high=float(high),
            cost=float(curve.mean_cost[at]),
            speedup=float(curve.speedup[at]),
        )

    def _position(self, index: Index, seed: int) -> int:
        """Of the setting among those read off; new where it was not."""
        name, n = (index, seed), self.evaluations[0].truth.n
        if name not in self._settings:
            self._settings[name] = len(self._read)
            words, values = index_in_words(index, n), exact_values(index.explicit(n))
            self._read.append(
                MethodSetting(index.key, index.label, words, values, seed, index.effort_nouns)
            )
        return self._settings[name]


def _scored(evaluation: Evaluation, K: int) -> Curve:
    """The curve on the queries that score."""
    return evaluation.curve((K,), folds_of(evaluation.truth.m)[1])


def exact_values(spec: Any) -> dict[str, str]:
    """Every parameter of `spec` by its flat name, to the last digit, as --set reads it."""
    return {
        name: repr(float(v)).removesuffix(".0") if isinstance(v, float) else format_value(v)
        for name, v in flat_values(spec).items()
    }
