"""What the Robustness page needs computed, each piece named by its inputs and kept by results."""

from mips_core import Dataset
from mips_core.base.progress import Progress, span
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.setting import Setting
from mips_core.studies.noise import NoisyQueries, UnderNoise, Unit, noisy_queries, under_noise
from mips_core.studies.robustness import with_seed
from pages._ui.work.measurement import Measurement, data_name
from pages._ui.work.task import Task


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
