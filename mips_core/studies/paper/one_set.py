"""All that is measured on one data set, a unit after the other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np

from mips_core.base.progress import Progress, span
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder, Built
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import Truth, truth_of
from mips_core.methods.indexes import Index, Searcher
from mips_core.studies.noise import NoisyQueries
from mips_core.studies.paper import drift, noise, norms
from mips_core.studies.paper.facts import PaperFacts, facts_of
from mips_core.studies.paper.methods import plan, seeds_of
from mips_core.studies.paper.noise import METHODS, noise_name
from mips_core.studies.paper.sums import Sums, check_queries, group_sizes, measured
from mips_core.studies.paper.units import Arrays, UnitFolder

KS = (1, 10, 100)
BUILDS = 3
KEPT = ("flat", "hierarchical")  # methods whose builds are kept until noise was asked of them
WEIGHTS = {"noise": 10.0, "flat": 5.0, "hierarchical": 7.0, "ip-tree": 3.0, "drift": 20.0,
           "norms": 8.0}  # fmt: skip


def named(progress: Progress, words: str) -> Progress:
    """How far a part is, called by these words whatever it says of itself."""
    return lambda fraction, message, partial=None: progress(fraction, words)


@dataclass(frozen=True, slots=True, eq=False)
class PaperData:
    """Data as they are searched, and what they stand for in the paper; "" for its own.

    own_queries: users came with the items. Figure 1 is of such, Figures 2 and 3 of others.
    """

    searched: Dataset
    stands_for: str
    own_queries: bool


@dataclass(frozen=True, slots=True, eq=False)
class SetResult:
    """What was measured of one data set so far: sums by name; rounds of k-means to its end."""

    facts: PaperFacts
    sums: Mapping[str, Sums]
    rounds: tuple[int, ...] = ()
    sigma: float = 1.0  # what the paper's σ is multiplied with


@dataclass(eq=False)
class OneSet:
    """Measures one data set; what the shelf holds is taken from there."""

    data: PaperData
    shelf: UnitFolder
    quick: bool
    builds: int = BUILDS
    rounds: list[int] = field(default_factory=list)
    sums: dict[str, Sums] = field(default_factory=dict)
    built: dict[str, dict[tuple[Index, int], Built]] = field(default_factory=dict)

    @cached_property
    def ks(self) -> tuple[int, ...]:
        """The K of the paper that there are so many items for."""
        available = self.data.searched.available
        return tuple(K for K in KS if available >= K) or (1,)

    @cached_property
    def truth(self) -> Truth:
        """Looked for when something is measured first."""
        truth = truth_of(self.data.searched)
        check_queries(truth)
        return truth

    @cached_property
    def noisy(self) -> NoisyQueries:
        return noise.noisy(self.data.searched, self.data.own_queries)

    @cached_property
    def plan(self) -> dict[str, Sequence[Index]]:
        searched = self.data.searched
        return plan(searched.n, searched.d, self.quick)

    @cached_property
    def builder(self) -> Builder:
        return Builder(self.data.searched.items, self.truth, self.ks[-1])

    def unit(self, names: Sequence[object], make: Callable[[], Arrays]) -> Arrays:
        """What is on the shelf of this data set under these names, or made now."""
        searched = self.data.searched
        return self.shelf.get((searched.fingerprint, searched.query_fingerprint, *names), make)

    @cached_property
    def facts(self) -> PaperFacts:
        """Of the data; they need the true answers once."""
        data = self.data

        def make() -> Arrays:
            facts = facts_of(data.searched, self.truth, data.stands_for, self.ks, data.own_queries)
            return {"m": facts.m, "best_self": facts.best_self, "uneven": facts.uneven}

        told = self.unit(["facts"], make)
        return PaperFacts(
            data.searched.name, data.stands_for, data.searched.n, data.searched.d, int(told["m"]),
            self.ks, data.own_queries, data.searched.simulated, float(told["best_self"]),
            bool(told["uneven"]),
        )  # fmt: skip

    def run(self, progress: Progress) -> Iterator[SetResult]:
        """What is known after each method, and after each study, in the order of need."""
        works = [*self._works()]
        total, done = sum(weight for _, weight, _ in works), 0.0
        for work, weight, words in works:
            report = span(progress, done / total, (done + weight) / total)
            self.sums |= work(named(report, f"{self.data.searched.name} · {words}"))
            done += weight
            yield SetResult(self.facts, dict(self.sums), tuple(self.rounds), self._sigma())

    def _sigma(self) -> float:
        told = self.unit(["sigma"], lambda: {"sigma": self.noisy.absolute[-1] / noise.SIGMAS[-1]})
        return float(told["sigma"])

    def _works(self) -> Iterator[tuple[Callable[[Progress], dict[str, Sums]], float, str]]:
        """What is to be measured, about how long it takes beside the others, and in words."""
        for name, indexes in self.plan.items():
            weight = WEIGHTS.get(name, 1.0) * len(indexes) * len(seeds_of(name, self.builds))
            yield partial(self.method, name), weight, indexes[0].label
        for name in METHODS:
            words = f"{self.plan[name][0].label}, noise"
            yield partial(self.under_noise, name), WEIGHTS["noise"], words
        yield self.norms, WEIGHTS["norms"], "the mapping P"
        yield self.drift, WEIGHTS["drift"], "moving vectors"

    def method(self, name: str, progress: Progress) -> dict[str, Sums]:
        """A method at all its settings, with all its seeds."""
        indexes, seeds = self.plan[name], seeds_of(name, self.builds)
        told: list[list[Arrays]] = [[] for _ in seeds]
        count = len(indexes) * len(seeds)
        for at, (index, seed) in enumerate(product(indexes, seeds)):
            report = span(progress, at / count, (at + 1) / count)
            told[seed].append(self._asked(name, index, seed, report))
        if name == "flat":
            self.rounds = [int(one["rounds"]) for by_index in told for one in by_index]
        hits, costs = (
            np.stack([np.concatenate([one[what] for one in by_index], axis=1) for by_index in told])
            for what in ("hits", "costs")
        )
        settings = tuple(
            (number, int(effort)) for number, one in enumerate(told[0]) for effort in one["efforts"]
        )
        facts, most = self.facts, np.array(self._answers, np.float64)
        labels = tuple(index.setting(facts.n) for index in indexes)
        sums = Sums(facts.n, group_sizes(facts.m), most, hits, costs, settings, labels)
        return {name: sums}

    @property
    def _answers(self) -> list[int]:
        """Hits a query can have, for each K."""
        return [min(K, self.data.searched.available) for K in self.ks]

    def _asked(self, name: str, index: Index, seed: int, progress: Progress) -> Arrays:
        def make() -> Arrays:
            searcher, structure = self._searcher(name, index, seed, span(progress, 0.0, 0.7))
            told = measured(index, searcher, self.truth, self.ks, span(progress, 0.7, 1.0))
            histories: Sequence[Any] = getattr(structure, "histories", ())
            rounds = len(histories[-1].rounds) if len(histories) else 0
            return {**told, "rounds": rounds}

        return self.unit((self.ks, index, seed), make)

    def _searcher(
        self, name: str, index: Index, seed: int, progress: Progress
    ) -> tuple[Searcher, Any]:
        kept, key = self.built.setdefault(name, {}), (index, seed)
        build = kept.get(key) or self.builder.build(index, seed, progress)
        if name in KEPT:
            kept[key] = build
        return index.searcher(build.structure), build.structure

    def under_noise(self, name: str, progress: Progress) -> dict[str, Sums]:
        """A method at its setting for 30× at each K, and exact search once, with noise."""
        parts: dict[str, Sums] = {}
        seeds = seeds_of(name, self.builds)
        count = len(self.ks) * len(seeds)
        for column, K in enumerate(self.ks):
            number, effort = noise.setting_at(self.sums[name], column)
            told = []
            for seed in seeds:
                at = column * len(seeds) + seed
                setting = Setting(self.plan[name][number], seed, effort)
                report = span(progress, at / count, (at + 1) / count)
                told.append(self._noisy_unit(name, setting, K, report))
            parts[noise_name(name, K)] = self._noise_sums(told)
            if name == METHODS[-1]:
                exact = self.unit(("noise", "exact", K), partial(self._exact, K))
                parts[noise_name("exact", K)] = self._noise_sums([exact])
        self.built.pop(name, None)
        return parts

    def _exact(self, K: int) -> Arrays:
        return noise.exact(self.noisy, K)

    def _noisy_unit(self, name: str, setting: Setting, K: int, progress: Progress) -> Arrays:
        def make() -> Arrays:
            searcher, _ = self._searcher(name, setting.index, setting.seed, progress)
            searched = self.data.searched
            return noise.measured(setting, searcher, searched, self.noisy, K, progress)

        return self.unit(("noise", setting, K), make)

    def _noise_sums(self, told: Sequence[Arrays]) -> Sums:
        hits, costs = (np.stack([one[what] for one in told]) for what in ("hits", "costs"))
        most = np.full(hits.shape[-1], float(told[0]["most"]))
        return Sums(self.data.searched.n, told[0]["queries"], most, hits, costs)

    def norms(self, progress: Progress) -> dict[str, Sums]:
        """What P does to norms and answers."""
        searched = self.data.searched

        def make() -> Arrays:
            return norms.measured(searched, self.truth, self.ks, progress)

        told = self.unit(("norms", self.ks), make)
        most, hits, costs = np.array([*self._answers, 1.0]), told["hits"], told["costs"]
        return {"norms": Sums(searched.n, told["queries"], most, hits[None], costs[None])}

    def drift(self, progress: Progress) -> dict[str, Sums]:
        """Clusters while vectors change."""
        searched = self.data.searched

        def make() -> Arrays:
            return drift.measured(searched, self.builds, progress)

        told = self.unit(("drift", self.builds), make)
        most = np.array([float(min(drift.K, searched.available))])
        return {"drift": Sums(searched.n, told["queries"], most, told["hits"], told["costs"])}
