"""Methods under noise: which settings stand for them at each speedup, and what is still to come."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mips_core import Dataset, Index, Setting
from mips_core.base.arrays import Ids
from mips_core.base.progress import Progress, span
from mips_core.evaluation.evaluate import folds_of
from mips_core.figures.styles import METHODS
from mips_core.studies.noise import (
    SPEEDUPS,
    NoisyQueries,
    UnderNoise,
    Unit,
    ceiling,
    noisy_queries,
    under_noise,
)
from mips_core.studies.operating_point import Solved, at_speedups
from mips_core.studies.robustness import RobustMethod, with_seed
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.session import Session
from pages._ui.state.settings import built_of, look_of
from pages._ui.work import results
from pages._ui.work.measurement import Measurement, data_name, structure_key
from pages._ui.work.task import Task, while_same

OTHER_SEEDS = (1, 2)  # added to the seed: how much a curve depends on the draw of its build
LATER, LAST = 1_000.0, 2_000.0  # wanted: after every method's grid; after other speedups


@dataclass(frozen=True, eq=False)
class Study:
    """What is built of all methods compared, and the noise put on what is chosen from it.

    What is known of a method is looked up once, when it is first asked for.
    """

    searched: Dataset
    noise: Task[NoisyQueries]
    unit: Unit  # of the noise
    grids: Mapping[str, Sequence[Measurement]]  # method -> all settings it is tried at
    seed: int
    K: int
    stopped: bool = False  # by Cancel, for just these choices
    looks: Mapping[str, Task[list[Index]]] = field(default_factory=dict)  # that tell more settings
    under_noise: dict[Setting, Task[UnderNoise]] = field(default_factory=dict)  # asked for before
    found: dict[Hashable, Any] = field(default_factory=dict)  # of methods, when first asked for

    @property
    def choices(self) -> Hashable:
        """Names what is asked: another is not stopped where this one was."""
        return (self.noise.key, tuple(self.grids), self.seed, self.K)

    def methods(self, at: int) -> dict[str, RobustMethod]:
        """What is known of each method at SPEEDUPS[at]; by_seed is empty before it is measured."""
        if at not in self.found:
            solved = {key: steps[at] for key in self.grids if (steps := self.solved(key))}
            known = {key: RobustMethod(one, self._measured(one)) for key, one in solved.items()}
            self.found[at] = known
        methods: dict[str, RobustMethod] = self.found[at]
        return methods

    def _measured(self, solved: Solved) -> tuple[UnderNoise, ...]:
        if solved.setting not in self.found:
            self.found[solved.setting] = self._by_seed(solved)
        by_seed: tuple[UnderNoise, ...] = self.found[solved.setting]
        return by_seed

    def _by_seed(self, solved: Solved) -> tuple[UnderNoise, ...]:
        first = self.under(solved).result
        if first is None:
            return ()
        others = (task.result for task in self.others(solved))
        return (first, *(under for under in others if under is not None))

    def solved(self, key: str) -> list[Solved]:
        """The best known setting of a method at each of SPEEDUPS; [] before any is known."""
        if key not in self.found:
            self.found[key] = self._solve(key)
        solved: list[Solved] = self.found[key]
        return solved

    def _solve(self, key: str) -> list[Solved]:
        every = [measurement.evaluation for measurement in self.grids[key]]
        evaluations = [evaluation for evaluation in every if evaluation is not None]
        name = ("solved", self.noise.key, self.seed, self.K, key)
        chosen_from = tuple(evaluation.index for evaluation in evaluations)
        if not evaluations:
            return []
        return while_same(name, chosen_from, lambda: at_speedups(evaluations, self.K, SPEEDUPS))

    def under(self, solved: Solved) -> Task[UnderNoise]:
        """The noise put on what was chosen."""
        return self._under(solved.setting)

    def others(self, solved: Solved) -> list[Task[UnderNoise]]:
        """The same, built with other seeds."""
        seeds = (self.seed + more for more in OTHER_SEEDS)
        return [self._under(replace(solved.setting, seed=seed)) for seed in seeds]

    def _under(self, setting: Setting) -> Task[UnderNoise]:
        if setting not in self.under_noise:
            made = setting_under_noise(self.noise, self.searched, setting, self.K)
            self.under_noise[setting] = made
        return self.under_noise[setting]

    def ceiling(self) -> Ids | None:
        """(S, K'+1) what exact search finds of the answers before noise, once known."""
        noisy = self.noise.result
        name = ("ceiling", self.noise.key, self.K)
        counts: Ids | None = results.recall(name)
        if counts is None and noisy is not None:
            counts = ceiling(noisy, self.K, folds_of(noisy.m)[1])
            results.remember(name, counts)
        return counts

    def settled(self, key: str) -> bool:
        """Whether all settings of a method are known, or never will be."""
        look = self.looks.get(key)
        coming = look is not None and look.unsettled
        return not coming and not any(one.unsettled for one in self.grids[key])

    def tasks(self, at: int) -> Iterator[tuple[float, Task[Any]]]:
        """All that is wanted with the slider at SPEEDUPS[at], lowest first.

        A method after the other; what stands for it at the slider as soon as something is known.
        Then the other speedups, nearest first, with what is asked of one build together; then the
        other seeds of what stands at the slider.
        """
        yield -1.0, self.noise
        for number, (key, grid) in enumerate(self.grids.items()):
            for step, measurement in enumerate(grid):
                yield number + step / 1_000, measurement
            solved = self.solved(key) if self.noise.result else []
            if solved:
                yield number - 0.001, self.under(solved[at])
            if not solved or not self.settled(key):
                continue
            away = _distances(solved, at)
            for one in {one.setting: one for one in solved}.values():
                if one.setting != solved[at].setting:
                    yield LATER + away[_structure(one)] + number / 1_000, self.under(one)
            for more, other in enumerate(self.others(solved[at])):
                yield LAST + more + number / 1_000, other


def _structure(solved: Solved) -> Hashable:
    return structure_key(solved.setting.index)


def _distances(solved: Sequence[Solved], at: int) -> dict[Hashable, int]:
    """How far from the slider each build is first needed, in its steps."""
    away: dict[Hashable, int] = {}
    for step in sorted(range(len(solved)), key=lambda step: abs(step - at)):
        away.setdefault(_structure(solved[step]), abs(step - at))
    return away


def study_of(session: Session) -> Study:
    """What the Robustness page shows of this session's data, methods, K and seed."""
    raw = searched(session.source, session.recipe)
    unit = session.states["robustness"].unit
    noise = noise_on_queries(raw, session.dataset, unit, session.seed)
    keys = [key for key in METHODS if key in session.methods]
    grids = {key: [session.measurement_of(one) for one in built_of(session, key)] for key in keys}
    looks = {key: look for key in keys if (look := look_of(session, key)) is not None}
    name, asked = ("tasks under noise", session.owner), (noise.key, session.moment)
    under: dict[Setting, Task[UnderNoise]] = while_same(name, asked, dict)
    study = Study(session.dataset, noise, unit, grids, session.seed, session.K, False, looks, under)
    return replace(study, stopped=session.stopped.get("robustness") == study.choices)


def noise_on_queries(raw: Dataset, searched: Dataset, unit: Unit, seed: int) -> Task[NoisyQueries]:
    """The queries of a data set with noise, and their true answers; `raw` is before the metric."""

    def make(progress: Progress) -> NoisyQueries:
        return noisy_queries(raw, searched, unit=unit, seed=seed, progress=progress)

    key = ("noisy queries", *data_name(raw), raw.logits, searched.metric, unit, seed)
    return Task(key, "Noisy queries", make)


def setting_under_noise(
    noise: Task[NoisyQueries], searched: Dataset, setting: Setting, K: int
) -> Task[UnderNoise]:
    """A setting, asked for every noisy query of those that settings are scored on."""
    measurement = Measurement(searched, setting.index, setting.seed, K)

    def make(progress: Progress) -> UnderNoise:
        searcher = measurement.searcher(span(progress, 0.0, 0.7))
        noisy = noise.result or noise.make(span(progress, 0.7, 0.8))
        fixed = with_seed(setting, setting.seed, searcher)
        score, rest = folds_of(noisy.m)[1], span(progress, 0.8, 1.0)
        return under_noise(fixed, searcher, searched, noisy, K, score, rest)

    label = f"{setting.index.label}, {setting.in_words(searched.n)}, under noise"
    return Task(("under noise", noise.key, setting, K), label, make)
