"""Files become a data set, as a job. What was read is named by their content and by what was asked:
the same name with other content is other data, and so is the same file understood otherwise.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter, sleep
from weakref import ref

from mips_core import MipsError
from mips_core.base.errors import Cancelled
from mips_core.base.progress import Progress, span
from mips_core.data.open_files import Kind, Opened, open_files
from mips_core.data.ratings import RANK, RatingChoices
from mips_core.data.readers import Choices
from pages._ui.data.result import Reading, Refused
from pages._ui.parts import data_facts
from pages._ui.work import jobs, results
from pages._ui.work.data_file import File
from pages._ui.work.job import Job

PATIENCE = 0.4  # seconds a page waits before it shows progress


@dataclass(frozen=True)
class Asked:
    """How files are to be understood."""

    choices: Choices = field(default_factory=Choices)
    ratings: RatingChoices = field(default_factory=RatingChoices)
    kind: Kind = "auto"
    rank: int = RANK  # dimensions that ratings become


def key_of(files: Sequence[File], asked: Asked) -> Hashable:
    """Names what is read from `files`: every byte of them, and how they are understood."""
    return ("read", asked, *(file.key for file in files))


def result(key: Hashable) -> Reading | Refused | None:
    """What came of the files of this key, if that is remembered."""
    found: Reading | Refused | None = results.recall(key)
    return found


def can_be_read(files: Sequence[File], asked: Asked) -> bool:
    """Whether the files are still here, or are not needed for what is asked."""
    known = result(key_of(files, asked)) is not None or _truncated(files, asked) is not None
    return known or all(file.here for file in files)


def start(files: Sequence[File], asked: Asked, owner: str) -> Hashable:
    """Read `files` as a job, unless that is under way, done, or was stopped; returns its key.

    The job does not keep files: it ends where nobody else needs them any more.
    """
    key = key_of(files, asked)
    job = jobs.find(key)
    if result(key) is None and (job is None or job.state == "done"):
        known = [ref(file) for file in files]

        def work(progress: Progress) -> Reading | Refused:
            here = [file for file in (weak() for weak in known) if file is not None]
            if len(here) < len(known):
                raise Cancelled
            try:
                return _read(here, asked, progress)
            except MipsError as error:
                error.__traceback__ = error.__cause__ = error.__context__ = None  # hold the arrays
                return Refused(error)

        # Not under the visitor's own name: a file need not wait until all settings are measured.
        jobs.start(key, f"Reading {files[0].name}", work, f"{owner} reading")
    return key


def settle(key: Hashable) -> Job | None:
    """The job of this key, after a moment in which most files are read."""
    job = jobs.find(key)
    until = perf_counter() + PATIENCE
    while job is not None and job.active and not job.stop and perf_counter() < until:
        sleep(0.02)
    return job


def _read(files: Sequence[File], asked: Asked, progress: Progress) -> Reading:
    began = perf_counter()
    opened = _truncated(files, asked)
    if opened is None:
        paths = [file.path() for file in files]
        share = span(progress, 0.0, 0.9)
        opened = open_files(
            paths, asked.choices, asked.ratings, kind=asked.kind, rank=asked.rank, progress=share
        )
        if opened.factors is not None:
            results.remember(_factors_key(files, asked), opened)
    data_facts.facts(opened.dataset, span(progress, 0.9, 1.0))
    return Reading(opened, sum(file.size for file in files), perf_counter() - began)


def _truncated(files: Sequence[File], asked: Asked) -> Opened | None:
    """Ratings that were factored already, at the rank asked for."""
    opened: Opened | None = results.recall(_factors_key(files, asked))
    if opened is None or opened.factors is None or asked.rank > len(opened.factors.singular):
        return None
    return opened.truncated(asked.rank)


def _factors_key(files: Sequence[File], asked: Asked) -> Hashable:
    return ("factors", key_of(files, replace(asked, rank=RANK)))
