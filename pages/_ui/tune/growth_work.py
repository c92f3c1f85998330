"""The job that measures how the answer of Tune grows with the data."""

from math import floor

from mips_core.base.progress import Progress
from mips_core.studies.growth import Scaling, measure_scaling
from mips_core.studies.tuning import Trial, Tuned, Within
from pages._ui.state import wishes
from pages._ui.state.session import Session
from pages._ui.work import jobs
from pages._ui.work.measurement import data_name
from pages._ui.work.task import Task


def growth_of(session: Session, answer: Tuned | Within, trial: Trial) -> Task[Scaling]:
    """The answer on more items; its effort is no part of the key, it is chosen at every size."""
    dataset, setting, K = session.dataset, trial.setting, answer.K
    precision = precision_of(answer, trial)

    def make(progress: Progress) -> Scaling:
        return measure_scaling(dataset, setting, K, precision, progress=progress)

    key = ("scaling", *data_name(dataset), setting.index, setting.seed, K, precision)
    return Task(key, "Measuring how it scales", make)


def precision_of(answer: Tuned | Within, trial: Trial) -> float:
    """What every size is held to: what was asked for, or what the answer has within the budget.

    The latter in round numbers, and as both halves of the queries found it.
    """
    if isinstance(answer, Tuned):
        return answer.need.precision
    return max(floor(100 * min(trial.precision, trial.tuned_precision)) / 100, 0.01)


def start(session: Session, growth: Task[Scaling]) -> None:
    """Measure it, as a job; what was cancelled or failed is started anew."""
    wishes.want(session, "scaling", [growth.key])
    growth.start_now(session.owner)


def under_way(session: Session) -> bool:
    """Whether this visitor waits for such a job."""
    return any(isinstance(job.key, tuple) and job.key[0] == "scaling"
               for job in jobs.of(session.owner))  # fmt: skip
