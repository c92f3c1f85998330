"""The job that measures how the answer of Tune grows with the data."""

from collections.abc import Hashable
from dataclasses import dataclass
from math import floor

from mips_core import Dataset
from mips_core.base.progress import Progress
from mips_core.evaluation.setting import Setting
from mips_core.studies.growth import Scaling, measure_scaling
from mips_core.studies.tuning import Trial, Tuned, Within
from pages._ui.state import wishes
from pages._ui.state.session import Session
from pages._ui.work import jobs, results
from pages._ui.work.job import Job

NEXT = -2000.0  # before all else that this visitor asked for: a button was pressed for it


@dataclass(frozen=True, eq=False)
class Growing:
    """A setting to be sized for more items, held to a precision: everything that counts."""

    dataset: Dataset
    setting: Setting
    K: int
    precision: float

    @property
    def key(self) -> Hashable:
        """Names the Scaling; the effort is not part of it, it is chosen anew at every size."""
        data = (self.dataset.fingerprint, self.dataset.query_fingerprint)
        return ("scaling", *data, self.setting.index, self.setting.seed, self.K, self.precision)

    @property
    def result(self) -> Scaling | None:
        """What was measured, if it is remembered."""
        found: Scaling | None = results.recall(self.key)
        return found

    @property
    def job(self) -> Job | None:
        """The job that measures it, if there is one."""
        return jobs.find(self.key)

    def start(self, session: Session) -> None:
        """Measure it, as a job; what was cancelled or failed is started anew."""
        if self.job is not None:
            jobs.forget(self.job)
        wishes.want(session, "scaling", [self.key])
        jobs.start(self.key, "Measuring how it scales", self._measure, session.owner, NEXT)

    def _measure(self, progress: Progress) -> Scaling:
        found, wanted = self.setting, self.precision
        return measure_scaling(self.dataset, found, self.K, wanted, progress=progress)


def growing_of(session: Session, answer: Tuned | Within, trial: Trial) -> Growing:
    """The answer, held to the precision asked for, or to what it has within the budget."""
    wanted = answer.need.precision if isinstance(answer, Tuned) else _held(trial)
    return Growing(session.dataset, trial.setting, answer.K, wanted)


def _held(trial: Trial) -> float:
    """In round numbers, what both halves of the queries found."""
    return max(floor(100 * min(trial.precision, trial.tuned_precision)) / 100, 0.01)


def under_way(session: Session) -> bool:
    """Whether this visitor waits for such a job."""
    return any(isinstance(job.key, tuple) and job.key[0] == "scaling"
               for job in jobs.of(session.owner))  # fmt: skip
