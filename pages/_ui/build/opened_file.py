"""An index file that a visitor opens: kept on disk, read as a job, and put in use.

What is opened belongs to who opened it. Its structure is remembered by a name of its own, so that
others with the same data and settings still get what is built here.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter, sleep
from weakref import ref

from mips_core import DataError, MipsError, StoredIndex, load
from mips_core.base.errors import Cancelled
from mips_core.base.progress import Progress
from mips_core.data.dataset import Metric
from mips_core.serving.store.stored import held_data
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.session import Session
from pages._ui.work import data_files, jobs, results
from pages._ui.work.data_files import File, Upload
from pages._ui.work.job import Job
from pages._ui.work.measurement import BuiltIndex, structure_name

PATIENCE = 0.4  # seconds a page waits before it shows progress


@dataclass(eq=False)
class OpenedFile:
    """What the Build page opens: nothing, a file, or one that is in use."""

    file: File | None = None
    problem: str = ""  # why the last press of a button, or upload, led to nothing, in Markdown
    used: StoredIndex | None = None  # without its items
    round: int = 0  # a new one empties the uploader

    @property
    def key(self) -> Hashable:
        """Names what is read of the file."""
        return ("open index", None if self.file is None else self.file.key)

    @property
    def digest(self) -> str:
        """Names the file, of all that were opened."""
        return str(self.file.key) if self.file else ""

    @property
    def job(self) -> Job | None:
        """What reads the file."""
        return jobs.find(self.key)

    @property
    def found(self) -> StoredIndex | MipsError | None:
        """The index that the file holds, or why it holds none; None while it is read."""
        content: StoredIndex | MipsError | None = results.recall(self.key)
        return content


def of(session: Session) -> OpenedFile:
    """What this visitor opens."""
    if session.opening is None:
        session.opening = OpenedFile()
    opening: OpenedFile = session.opening
    return opening


def take(session: Session, upload: Upload) -> None:
    """Open this file in the place of the one before. Raises DataError where it cannot be kept."""
    opening = of(session)
    drop(session)
    (opening.file,) = data_files.store([upload])
    if opening.job is not None:
        jobs.forget(opening.job)  # one that failed may do better now


def drop(session: Session) -> None:
    """Nobody needs the file any more; what is in use stays."""
    opening = of(session)
    if opening.job is not None and opening.job.active:
        jobs.forget(jobs.cancel(opening.job, session.owner))
    if opening.file is not None:
        data_files.remove([opening.file])
    opening.file, opening.used, opening.problem = None, None, ""
    opening.round += 1


def read(opening: OpenedFile, owner: str) -> None:
    """Read the file as a job, and wait a moment: most take no longer. Read, it is not kept."""
    file = opening.file
    if file is None:
        return
    if opening.found is None and (opening.job is None or opening.job.state == "done"):
        jobs.start(opening.key, f"Opening {file.name}", _reading(file), owner, lane="read")
    until = perf_counter() + PATIENCE
    while opening.job is not None and opening.job.active and perf_counter() < until:
        sleep(0.02)
    if opening.found is not None:
        data_files.remove([file])


def _reading(file: File) -> Callable[[Progress], StoredIndex | MipsError]:
    """The work of a job that reads `file` and keeps no copy that nobody else needs."""
    weak = ref(file)

    def work(progress: Progress) -> StoredIndex | MipsError:
        here = weak()
        if here is None:
            raise Cancelled
        progress(0.0, f"Checking {here.name}")
        try:
            _refuse_faiss(here)
            return load(here.path())
        except MipsError as error:
            error.__traceback__ = error.__cause__ = error.__context__ = None  # hold the arrays
            return error

    return work


def _refuse_faiss(file: File) -> None:
    """Raise DataError for a file of faiss, which begin with a type such as IwFl or IxF2."""
    with file.path().open("rb") as opened:
        begins = opened.read(4)
    if file.name.lower().endswith(".faiss") or re.fullmatch(rb"I[A-Za-z0-9]{3}", begins):
        raise DataError(
            f"{file.name} is a file of faiss.",
            "Those are never read here: faiss does not check them, and a damaged or crafted one "
            "could end this program. Open the .mips file of the index.",
        )


def metric_of_use(session: Session, stored: StoredIndex) -> Metric | None:
    """What must rank the data in use so that `stored` is an index of them; None: nothing does."""
    if session.dataset.fingerprint == stored.fingerprint:
        return session.metric
    source = session.source
    if (source.n, source.d) != (stored.n, stored.d) or stored.metric == session.metric:
        return None
    try:
        other = searched(source, session.recipe, stored.metric)
    except MipsError:
        return None
    return stored.metric if other.fingerprint == stored.fingerprint else None


def use(session: Session, stored: StoredIndex, metric: Metric) -> None:
    """Put the index under the slider, with its seed and effort, on the data in use by `metric`.

    Raises MipsError where the session cannot have it so; nothing is changed then.
    """
    opening, index = of(session), stored.index.explicit(stored.n)
    recipe = replace(session.recipe, seed=stored.seed)
    if (recipe, metric) != (session.recipe, session.metric):
        session.use(session.source, session.data, recipe, metric)
    name = structure_name(session.dataset, index, stored.seed)
    session.opened[name] = opening.digest
    session.keep(index)
    if stored.effort is not None:
        session.effort = stored.effort
    measurement = session.measurement_of(index)
    file = opening.file.name if opening.file else ""
    built = BuiltIndex(index, stored.seed, stored.structure, inf, file)
    results.remember(measurement.building.key, built)
    measurement.ask_again(session.owner)
    opening.used = replace(stored, items=None, labels=None)
    if stored.has_items:  # one copy of them is enough
        results.remember(opening.key, replace(stored, items=session.dataset.float32().items))


def use_with_data(session: Session, stored: StoredIndex) -> None:
    """Search the vectors that the file holds, with its index. Raises MipsError as `use` does."""
    source, metric = held_data(stored)
    file = of(session).file
    source = replace(source, private=file.private if file else "")
    recipe = replace(
        session.recipe,
        source="rows" if session.recipe.source == "own" else session.recipe.source,
        exclude_self=session.recipe.exclude_self and source.n > 1,
        seed=stored.seed,
    )
    if searched(source, recipe, metric).fingerprint != stored.fingerprint:
        raise DataError(
            "The vectors in the file are not those that its index searches.", "Save it anew."
        )
    session.use(source, source.fingerprint, recipe, metric)
    use(session, stored, metric)
