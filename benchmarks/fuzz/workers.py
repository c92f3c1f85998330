"""Processes that judge mutants one after another, watched from outside: a crash costs one worker.

A worker may take ROOM bytes of address space beyond what it had when its seeds were read, and STALL
seconds for a file; what goes beyond is a fault of the file it was at.
"""

import multiprocessing
import re
import resource
import shutil
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.fuzz.judge import Verdict, judge, ways_of
from benchmarks.fuzz.mutants import mutant
from benchmarks.fuzz.seeds import SEEDS, Files

ROOM = 768 * 2**20
"""Address space: mostly reserved and never touched, by thread pools of libraries."""

SWELL = 200
"""MB by which one small file may raise the resident memory of a process.

What looks like a table of 90,000 columns takes 136.
"""

STALL = 40.0
START = 300.0
"""Seconds in which a worker must have read its seeds."""

LARGEST_BATCH = 250
TMPFS = Path("/dev/shm")
SPAWN = multiprocessing.get_context("spawn")
TryOut = Callable[[Sequence[Path], str], Verdict]


@dataclass
class Tally:
    """What came of the mutants of a parser."""

    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0  # seconds
    peak: float = 0.0  # MB by which resident memory grew
    faults: dict[str, list[int]] = field(default_factory=dict)  # kind and place -> numbers

    @property
    def files(self) -> int:
        """Mutants judged."""
        return self.accepted + self.refused + sum(map(len, self.faults.values()))

    def add(self, number: int, verdict: Verdict) -> None:
        """Count one verdict."""
        self.slowest = max(self.slowest, verdict.seconds)
        if verdict.outcome == "fault":
            self.faults.setdefault(verdict.what, []).append(number)
        else:
            setattr(self, verdict.outcome, getattr(self, verdict.outcome) + 1)

    def merge(self, other: "Tally") -> None:
        """Add the counts of another part of the same run."""
        self.accepted += other.accepted
        self.refused += other.refused
        self.slowest, self.peak = max(self.slowest, other.slowest), max(self.peak, other.peak)
        for what, numbers in other.faults.items():
            self.faults.setdefault(what, []).extend(numbers)


def put(files: Files, folder: Path) -> list[Path]:
    """Write `files` into `folder`, emptied before."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in files:
        (folder / name).write_bytes(content)
    return [folder / name for name, _ in files]


def resident() -> float:
    """Most MB of memory this process or one of its children has held so far.

    What the system tells of a process itself starts at the peak of the one that started it, which
    would hide what comes after; the high-water mark of /proc does not.
    """
    status = Path("/proc/self/status")
    marks = re.findall(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else []
    own = int(marks[0]) if marks else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def confine() -> None:
    """Bound the address space of this process to ROOM beyond what it has."""
    status = Path("/proc/self/statm")
    if status.exists():
        now = int(status.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + ROOM, resource.RLIM_INFINITY))


def work(tasks: Connection, at: Any, key: str, start: int, folder: Path, try_out: TryOut) -> None:
    """In a worker: judge the numbers that come in, send a Tally for each batch."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = str(folder)
    given = folder / "given"
    given.mkdir()
    seeds = SEEDS[key]()
    for seed in seeds:
        judge(put(seed.files, given), ways_of(seed.kind)[0])
    confine()
    while (batch := tasks.recv()) is not None:
        tally = Tally()
        for number in batch:
            at.value = number
            files, way = mutant(key, seeds, number, start)
            before = resident()
            verdict = try_out(put(files, given), way)
            grown = resident() - before
            if grown > SWELL and verdict.outcome != "fault":
                verdict = Verdict("fault", f"over {SWELL} MB of memory", verdict.seconds)
            tally.peak = max(tally.peak, grown)
            tally.add(number, verdict)
        tasks.send(tally)


class Worker:
    """A process of ours and what it is at."""

    def __init__(self, key: str, start: int, try_out: TryOut) -> None:
        where = TMPFS if TMPFS.is_dir() else None
        self.folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=where))
        self.tasks, theirs = SPAWN.Pipe()
        self.at = SPAWN.Value("q", -1)
        self.batch: Sequence[int] = ()
        self.last, self.since = -1, monotonic()
        args = (theirs, self.at, key, start, self.folder, try_out)
        self.process = SPAWN.Process(target=work, args=args, daemon=False)
        self.process.start()
        theirs.close()

    def give(self, batch: Sequence[int]) -> None:
        """Have it judge `batch`."""
        self.batch, self.at.value, self.since = batch, -1, monotonic()
        self.tasks.send(batch)

    def stalled(self) -> bool:
        """Whether it has been at one file, or at its seeds, for too long."""
        if self.at.value != self.last:
            self.last, self.since = self.at.value, monotonic()
        return monotonic() - self.since > (STALL if self.last >= 0 else START)

    def end(self, kill: bool = False) -> str:
        """Stop it, and say how it ended."""
        if kill:
            self.process.kill()
        else:
            self.tasks.send(None)
        self.process.join()
        self.tasks.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        code = self.process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


def run(
    key: str,
    count: int,
    start: int = 0,
    jobs: int = 2,
    report: Callable[[Tally], Any] = lambda tally: None,
    try_out: TryOut = judge,
) -> Tally:
    """What `try_out` says of `count` mutants of the seeds of `key`, in `jobs` processes."""
    step = max(1, min(LARGEST_BATCH, count // (4 * jobs)))
    batches = deque(range(i, min(i + step, count)) for i in range(0, count, step))

    def hired() -> Worker:
        return Worker(key, start, try_out)

    total, workers = Tally(), [hired() for _ in range(min(jobs, len(batches)))]
    try:
        for worker in workers:
            worker.give(batches.popleft())
        while workers:
            for worker, tally in _heard(workers):
                workers.remove(worker)
                if tally is None:
                    _note_end(worker, batches, total)
                    worker = hired()
                else:
                    total.merge(tally)
                    report(total)
                if batches:
                    worker.give(batches.popleft())
                    workers.append(worker)
                else:
                    worker.end()
    finally:
        for worker in workers:
            worker.end(kill=True)
    return total


def _heard(workers: Sequence[Worker]) -> Iterator[tuple[Worker, Tally | None]]:
    """Workers that have done their batch, with its Tally, or that have died or hang, with None."""
    ready = wait([worker.tasks for worker in workers], timeout=1)
    for worker in list(workers):
        if worker.tasks in ready:
            try:
                yield worker, worker.tasks.recv()
            except (EOFError, ConnectionResetError):
                yield worker, None
        elif worker.stalled():
            yield worker, None


def _note_end(worker: Worker, batches: deque[range], total: Tally) -> None:
    """The file a worker has died or hung over is a fault; the others of its batch come again."""
    hung = worker.process.is_alive() and worker.stalled()
    culprit, batch = worker.at.value, worker.batch
    how = worker.end(kill=True)
    if culprit < 0:
        raise RuntimeError(f"a worker ended before its first file: {how}")
    total.add(culprit, Verdict("fault", "hang" if hung else f"crash, {how}", STALL * hung))
    batches.extend(r for r in (range(batch[0], culprit), range(culprit + 1, batch[-1] + 1)) if r)
