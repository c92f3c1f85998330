"""The job behind the Drift page: an index, changes of its items, and three ways to keep up."""

from collections.abc import Hashable
from dataclasses import replace

from mips_core import Setting
from mips_core.base.progress import Progress, span
from mips_core.data.open_files import open_files
from mips_core.studies.drift import Decay, KeptFresh, Recipe, compare_versions, decay, kept_fresh
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.page_states import DriftState
from pages._ui.state.session import DEFAULT_EFFORT, Session, shipped
from pages._ui.work import results
from pages._ui.work.data_files import File
from pages._ui.work.measurement import data_name
from pages._ui.work.task import Task

READ = 0.1  # of the bar, where a new version is read first
Drift = Decay | KeptFresh  # of simulated changes, or of a new version


def state_of(session: Session) -> DriftState:
    """What this visitor asks of Drift."""
    state: DriftState = session.states["drift"]
    return state


def change(session: Session, **values: object) -> None:
    """Put other values into what is asked."""
    session.states["drift"] = replace(state_of(session), **values)  # type: ignore[arg-type]


def effort_of(session: Session) -> int:
    """How hard the index under the slider is asked."""
    return session.effort or DEFAULT_EFFORT


def files_of(session: Session) -> tuple[File | str, ...]:
    """Those of a new version, or its key in the catalog, where that is what changes."""
    state = state_of(session)
    return tuple(state.upload or ()) if state.change == "version" else ()


def drift_of(session: Session) -> Task[Drift]:
    """What this visitor would measure now, of the data before any metric and by it."""
    raw, dataset, K = searched(session.source, session.recipe), session.dataset, session.K
    setting = Setting(session.index, session.seed, effort_of(session))
    state, files = state_of(session), files_of(session)
    kind, rounds = state.change, state.rounds

    def make(progress: Progress) -> Drift:
        if kind != "version":
            recipe = Recipe(kind=kind, rounds=rounds, seed=setting.seed)
            return decay(raw, dataset, setting, K, recipe, progress)
        paths = [file.path() for file in files if not isinstance(file, str)]
        read, rest = span(progress, 0.0, READ), span(progress, READ, 1.0)
        new = open_files(paths, progress=read).dataset if paths else shipped(str(files[0]))
        versions = compare_versions(raw, new)
        return kept_fresh(versions, dataset, setting, K, rounds, progress=rest)

    data = (*data_name(raw), dataset.metric, dataset.query_fingerprint)
    names = (file if isinstance(file, str) else file.key for file in files)
    key = ("drift", *data, setting, K, kind, rounds, *names)
    return Task(key, "Measuring drift", make)


def start(session: Session, drift: Task[Drift]) -> None:
    """Measure it, as a job; what was cancelled or failed is started anew."""
    change(session, started=drift.key)
    session.want("drift", [drift.key])
    drift.start_now(session.owner)


def other_than(session: Session, drift: Task[Drift]) -> Hashable:
    """Names what this visitor has started last, if that is no result yet and not this."""
    started = state_of(session).started
    return None if started == drift.key or results.recall(started) is not None else started
