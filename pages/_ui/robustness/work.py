"""What the Robustness page needs computed, each piece named by its inputs and kept by results."""

from collections.abc import Hashable
from dataclasses import dataclass

from mips_core import Dataset
from mips_core.base.progress import Progress, span
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.setting import Setting
from mips_core.studies.noise import NoisyQueries, UnderNoise, Unit, noisy_queries, under_noise
from mips_core.studies.robustness import with_seed
from pages._ui.work import jobs, measurement, results
from pages._ui.work.job import Job


@dataclass(frozen=True, eq=False)
class NoiseOnQueries:
    """The queries of a data set with noise, and their true answers."""

    raw: Dataset  # with queries, before the metric
    searched: Dataset
    unit: Unit
    seed: int

    @property
    def key(self) -> Hashable:
        """Names it: items and queries as they were read, metric, unit and seed of the noise."""
        data = (self.raw.fingerprint, self.raw.query_fingerprint, self.raw.logits)
        return ("noisy queries", *data, self.searched.metric, self.unit, self.seed)

    @property
    def known(self) -> NoisyQueries | None:
        """The noisy queries, if they are remembered."""
        found: NoisyQueries | None = results.recall(self.key)
        return found

    @property
    def job(self) -> Job | None:
        """The job that makes them, if there is one."""
        return jobs.find(self.key)

    def start(self, owner: str, wanted: float) -> Job:
        """Make them, as a job."""
        return jobs.start(self.key, "Noisy queries", self.make, owner, wanted)

    def make(self, progress: Progress) -> NoisyQueries:
        """The work of the job."""
        return noisy_queries(
            self.raw, self.searched, unit=self.unit, seed=self.seed, progress=progress
        )


@dataclass(frozen=True, eq=False)
class SettingUnderNoise:
    """A setting, asked for every noisy query of those that settings are scored on."""

    noise: NoiseOnQueries
    setting: Setting
    K: int

    @property
    def key(self) -> Hashable:
        """Names it: the noisy queries, the setting, K."""
        return ("under noise", self.noise.key, self.setting, self.K)

    @property
    def known(self) -> UnderNoise | None:
        """What was found, if it is remembered."""
        found: UnderNoise | None = results.recall(self.key)
        return found

    @property
    def job(self) -> Job | None:
        """The job that measures it, if there is one."""
        return jobs.find(self.key)

    def start(self, owner: str, wanted: float) -> Job:
        """Build the index if need be and ask it, as a job."""
        index, n = self.setting.index, self.noise.raw.n
        label = f"{index.label}, {self.setting.in_words(n)}, under noise"
        return jobs.start(self.key, label, self.measure, owner, wanted)

    def measure(self, progress: Progress) -> UnderNoise:
        """The work of the job; what is remembered of it is not done again."""
        index, seed, searched = self.setting.index, self.setting.seed, self.noise.searched
        asked = measurement.Measurement(searched, index, seed, self.K)
        made = measurement.build(asked, span(progress, 0.0, 0.7))
        noisy = self.noise.known or self.noise.make(span(progress, 0.7, 0.8))
        searcher = index.searcher(made.structure)
        setting = with_seed(self.setting, seed, searcher)
        score = folds_of(noisy.m)[1]
        return under_noise(
            setting, searcher, searched, noisy, self.K, score, span(progress, 0.8, 1.0)
        )
