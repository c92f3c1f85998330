"""The job behind the Drift page: an index, changes of its items, and three ways to keep up."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mips_core import Dataset, Setting
from mips_core.base.progress import Progress, span
from mips_core.data.open_files import open_files
from mips_core.studies.drift import Decay, KeptFresh, Recipe, compare_versions, decay, kept_fresh
from pages._ui.state import wishes
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.drift_state import Change, DriftState
from pages._ui.state.session import DEFAULT_EFFORT, Session
from pages._ui.work import jobs, results
from pages._ui.work.data_file import File
from pages._ui.work.job import Job

NEXT = -2000.0  # before all else that this visitor asked for: a button was pressed for it
READ = 0.1  # of the bar, where a new version is read first


@dataclass(frozen=True, eq=False)
class Study:
    """Everything that counts: data before any metric and by it, the setting, the changes."""

    raw: Dataset
    dataset: Dataset
    setting: Setting
    K: int
    change: Change
    rounds: int
    files: Sequence[File] = ()  # of a new version

    @property
    def key(self) -> Hashable:
        """Names the result."""
        data = (self.raw.fingerprint, self.raw.query_fingerprint, self.dataset.metric)
        rows = self.dataset.query_fingerprint
        files = tuple(file.key for file in self.files)
        return ("drift", *data, rows, self.setting, self.K, self.change, self.rounds, *files)

    @property
    def job(self) -> Job | None:
        """The job that measures it, if there is one."""
        return jobs.find(self.key)

    @property
    def result(self) -> Decay | KeptFresh | None:
        """What was measured: all of it, or what a job knows so far."""
        found: Any = results.recall(self.key)
        if found is None and self.job is not None:
            found = self.job.partial
        return found if isinstance(found, Decay | KeptFresh) else None

    def other(self, session: Session) -> Hashable:
        """Names what this visitor has started last, if that is no result yet and not this."""
        started = view_of(session).started
        return None if started == self.key or results.recall(started) is not None else started

    @property
    def whole(self) -> bool:
        """Whether nothing is left to measure."""
        return results.recall(self.key) is not None

    def start(self, session: Session) -> None:
        """Measure it, as a job; what was cancelled or failed is started anew."""
        if self.job is not None:
            jobs.forget(self.job)
        change(session, started=self.key)
        wishes.want(session, "drift", [self.key])
        jobs.start(self.key, "Measuring drift", self.measure, session.owner, NEXT)

    def measure(self, progress: Progress) -> Decay | KeptFresh:
        """The work of the job."""
        if self.change == "version":
            paths = [file.path() for file in self.files]
            new = open_files(paths, progress=span(progress, 0.0, READ)).dataset
            versions = compare_versions(self.raw, new)
            rest = span(progress, READ, 1.0)
            return kept_fresh(
                versions, self.dataset, self.setting, self.K, self.rounds, progress=rest
            )
        recipe = Recipe(kind=self.change, rounds=self.rounds, seed=self.setting.seed)
        return decay(self.raw, self.dataset, self.setting, self.K, recipe, progress)


def view_of(session: Session) -> DriftState:
    """What this visitor asks of Drift."""
    view: DriftState = session.states["drift"]
    return view


def change(session: Session, **values: object) -> None:
    """Put other values into what is asked."""
    session.states["drift"] = replace(view_of(session), **values)  # type: ignore[arg-type]


def effort_of(session: Session) -> int:
    """How hard the index under the slider is asked."""
    return session.effort or DEFAULT_EFFORT


def study_of(session: Session) -> Study:
    """What this visitor would measure now."""
    view = view_of(session)
    files = tuple(view.upload or ()) if view.change == "version" else ()
    return Study(
        searched(session.source, session.recipe),
        session.dataset,
        Setting(session.index, session.seed, effort_of(session)),
        session.K,
        view.change,
        view.rounds,
        files,
    )
