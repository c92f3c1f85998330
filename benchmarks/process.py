"""What a running process holds and has used, read from outside, on Linux."""

import asyncio
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from benchmarks.app_speed import processor_seconds

OFTEN = 0.2  # seconds from one look at threads to the next
MAPPING = re.compile(r"[0-9a-f]+-[0-9a-f]+ ")  # the first line of one in /proc/PID/smaps


@dataclass(frozen=True)
class Holding:
    """Memory in MiB, that of children apart, and open files and sockets."""

    memory: float
    children: float
    descriptors: int


def mebibytes(process: int) -> float:
    """Memory that a running process has now; NaN where it is not told."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def held_together(processes: Sequence[int]) -> float:
    """MiB that these processes hold, where a file that several have in memory counts once.

    As if no other process had it: unlike PSS, it is the same on a machine of their own.
    """
    own, shared = 0, dict[str, int]()
    for process in processes:
        place = ""
        held: dict[str, int] = {}
        for line in _lines(Path(f"/proc/{process}/smaps")):
            if MAPPING.match(line):
                address, _, offset, device, inode = line.split()[:5]
                place = f"{device} {inode} {offset}" if inode != "0" else address
                held = {}
            elif line.startswith(("Rss:", "Anonymous:")):
                name, kilobytes = line.split()[:2]
                held[name] = int(kilobytes)
                if len(held) == 2:
                    own += held["Anonymous:"]
                    files = held["Rss:"] - held["Anonymous:"]
                    shared[place] = max(shared.get(place, 0), files)
    return (own + sum(shared.values())) / 1024


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:  # it has ended
        return []


def holding(process: int) -> Holding:
    """What `process`, and the processes that it has started, hold now."""
    try:
        descriptors = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    except OSError:
        descriptors = 0
    return Holding(mebibytes(process), sum(map(mebibytes, children_of(process))), descriptors)


def children_of(process: int) -> list[int]:
    """Processes that this one has started, and those that they have."""
    own: list[int] = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            own += map(int, file.read_text().split())
    return [*own, *(below for child in own for below in children_of(child))]


class PageTime:
    """Processor time of all but the threads that measure, which let others go first.

    Such a thread ends with its job, and its time counts among all by then. So look often: what it
    took was known at the last look that saw it.
    """

    def __init__(self, process: int) -> None:
        self._process = process
        self._niced: dict[str, float] = {}  # a thread's number -> seconds

    def look(self) -> float:
        """Seconds by now."""
        tasks = Path(f"/proc/{self._process}/task")
        own = _used(tasks.parent)[1]
        for task in tasks.iterdir() if tasks.is_dir() else ():
            seconds, nice = _used(task)
            if nice > own:
                self._niced[task.name] = seconds
        return processor_seconds(self._process) - sum(self._niced.values())

    async def watch(self, seconds: float) -> float:
        """Look for so long; seconds of processor time by then."""
        ends = monotonic() + seconds
        while monotonic() < ends:
            await asyncio.sleep(min(OFTEN, max(ends - monotonic(), 0)))
            self.look()
        return self.look()


def _used(task: Path) -> tuple[float, int]:
    """Processor time of a process or thread, and how far it lets others go first."""
    try:
        fields = (task / "stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0, 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[16])
