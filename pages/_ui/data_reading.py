"""Uploaded files become a data set: copied to a private folder, read there as a job, removed.

What was read is named by the names and the content of the files: the same name with other content
is other data.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from mips_core import DataError, Dataset, MipsError, read
from mips_core.progress import Progress, span
from pages._ui import data_facts, data_files, jobs, results
from pages._ui.data_files import Upload
from pages._ui.job import Job

PATIENCE = 0.4  # seconds a page waits before it shows progress
_COPIES: dict[Hashable, list[Path]] = {}  # of jobs that have not ended


@dataclass(frozen=True, eq=False)
class Reading:
    """A data set as it was read from uploaded files."""

    dataset: Dataset
    names: tuple[str, ...]
    size: int  # bytes
    seconds: float


@dataclass(frozen=True)
class Refused:
    """Why files were not read."""

    found: str
    remedy: str

    @property
    def error(self) -> MipsError:
        """The same as an error."""
        return DataError(self.found, self.remedy)


def key_of(files: Sequence[Upload]) -> Hashable:
    """Names what is read from `files`: their names and every byte of them."""
    return ("read", *((file.name, data_files.digest(file)) for file in files))


def result(key: Hashable) -> Reading | Refused | None:
    """What came of the files of this key, if that is remembered."""
    found: Reading | Refused | None = results.recall(key)
    return found


def start(files: Sequence[Upload], key: Hashable, owner: str) -> None:
    """Read `files` as a job, unless that is under way, done, or was stopped."""
    job = jobs.find(key)
    if result(key) is not None or (job is not None and job.state != "done"):
        return
    paths = data_files.copied(files)
    size = sum(file.size for file in files)

    def work(progress: Progress) -> Reading | Refused:
        try:
            return _read(paths, size, progress)
        except MipsError as error:
            return Refused(error.found, error.remedy)
        finally:
            _COPIES.pop(key, None)
            data_files.remove(paths)

    # Not under the visitor's own name: a file need not wait until all settings are measured.
    _COPIES[key] = paths
    if jobs.start(key, f"Reading {paths[0].name}", work, f"{owner} reading").work is not work:
        data_files.remove(paths)  # another visitor is reading the same files


def settle(key: Hashable) -> Job | None:
    """The job of this key, after a moment in which most files are read."""
    job = jobs.find(key)
    until = perf_counter() + PATIENCE
    while job is not None and job.active and not job.stop and perf_counter() < until:
        sleep(0.02)
    return job


def cancel(job: Job) -> None:
    """Stop reading: at once while it waits, else before its next step."""
    jobs.cancel(job)
    if not job.active and (paths := _COPIES.pop(job.key, None)):
        data_files.remove(paths)


def _read(paths: Sequence[Path], size: int, progress: Progress) -> Reading:
    began = perf_counter()
    names = tuple(path.name for path in paths)
    progress(0.1, f"Reading {' and '.join(names)}")
    dataset = read(paths)
    data_facts.facts(dataset, span(progress, 0.7, 1.0))
    return Reading(dataset, names, size, perf_counter() - began)
