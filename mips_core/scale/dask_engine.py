"""The engine of a Dask cluster. `distributed` is imported here alone, once a cluster is named.

Dask computes again what a lost worker did. Ours to add: a scheduler that was lost and came back, a
worker that stands still, silence, and errors in plain words. A scheduler's port is a shell for
whoever reaches it: so TLS beyond this machine, unless plain TCP is allowed by name.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any

from mips_core.base.errors import DataError, MipsError, ParamError
from mips_core.base.progress import Progress, silent
from mips_core.base.threads import limited
from mips_core.scale.engine import Engine, Task, Work
from mips_core.scale.scheduler_address import TLS, check_address

POLL_SECONDS = 0.2
CONNECT_SECONDS = 15
BACK_SECONDS = 120  # that a lost scheduler has to come back
TRIES = 5  # losses of a scheduler in one pass
SILENT_SECONDS = 900  # without a task that ends
RESULT_SECONDS = 10  # to hand over a value that is ready
SLOW, LEAST_SLOW = 4, 2.0  # times the median of tasks, and seconds, after which one is called slow
RETRIES = 2
EXTRA = "Add it: .venv/bin/python -m pip install -r requirements-scale.txt"


@cache
def code_name() -> str:
    """Names the source of what runs on parts: workers with another are refused."""
    digest = blake2b(digest_size=8)
    root = Path(__file__).parents[1]
    for room in ("base", "data", "methods", "evaluation", "scale"):
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def timed(code: str, work: Work, *task: Any) -> tuple[float, Any]:
    """Seconds, and work(*task) on one thread of a worker of the same source. Raises DataError."""
    if code != code_name():
        raise DataError(
            "A worker runs another version of MIPS Explorer.", "Install the same on all machines."
        )
    began = perf_counter()
    with limited(1):
        value = work(*task)
    return perf_counter() - began, value


class LostError(Exception):
    """The scheduler went, and with it all that was handed to it."""


@dataclass(eq=False)
class _Pass:
    """Tasks that were handed in, and what is known of them."""

    work: Work
    tasks: Mapping[int, Task]
    key: str
    futures: dict[int, list[Any]] = field(default_factory=dict)
    ended: SimpleQueue[tuple[int, Any]] = field(default_factory=SimpleQueue)
    seconds: list[float] = field(default_factory=list)
    last: float = field(default_factory=monotonic)  # when one ended

    def submit(self, client: Any, number: int, **where: Any) -> None:
        """Hand in a task, or a second copy of it."""
        copies = self.futures.setdefault(number, [])
        key = f"mips-{self.key}-{number}{'-again' * len(copies)}"
        future = client.submit(timed, code_name(), self.work, *self.tasks[number], key=key,
                               retries=RETRIES, **where)  # fmt: skip
        copies.append(future)
        future.add_done_callback(lambda ended: self.ended.put((number, ended)))


class Dask(Engine):
    """The workers of one scheduler, whose address was chosen when the program started."""

    def __init__(
        self,
        address: str,
        *,
        plain_tcp: bool = False,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        check_address(address, environment, plain_tcp)
        self.address = address
        self._security = {name: environment[v] for name, v in TLS.items() if v in environment}
        self._client = self._connected()

    @property
    def workers(self) -> int:  # type: ignore[override]
        """How many there are now; 1 where there is none."""
        return max(len(self._client.nthreads()), 1)

    def close(self) -> None:
        """Take leave; tasks of this process are dropped."""
        self._client.close()

    def run(
        self, work: Work, tasks: Sequence[Task], key: str, progress: Progress = silent
    ) -> Iterator[tuple[int, Any]]:
        left, tries = dict(enumerate(tasks)), 0
        while left:
            try:
                for number, value in self._attempt(work, left, key, len(tasks), progress):
                    del left[number]
                    yield number, value
            except LostError:
                tries += 1
                if tries > TRIES:
                    raise DataError(
                        f"The scheduler {self.address} was lost {tries} times.",
                        "What is done is kept: start again once it stays.",
                    ) from None
                self._reconnect(progress, 1 - len(left) / len(tasks))

    def _attempt(
        self, work: Work, left: Mapping[int, Task], key: str, total: int, progress: Progress
    ) -> Iterator[tuple[int, Any]]:
        """What is left, until the scheduler is lost. Raises LostError."""
        handed = _Pass(work, dict(left), key)
        try:
            for number in handed.tasks:
                handed.submit(self._client, number)
            while handed.futures:
                done = total - len(handed.futures)
                progress(done / total, f"{done:,} of {total:,} tasks done")
                try:
                    number, future = handed.ended.get(timeout=POLL_SECONDS)
                except Empty:
                    self._watch(handed)
                    continue
                if number in handed.futures:
                    value = self._value(handed, number, future)
                    if value is not None:
                        del handed.futures[number]
                        yield number, value[0]
        finally:  # released, not cancelled: who else asked for the same keys still gets them
            handed.futures.clear()

    def _value(self, handed: _Pass, number: int, future: Any) -> tuple[Any] | None:
        """What a task gave; None where it is done again. Raises what it raised, LostError."""
        if future.status == "error":
            raise _plain(future.exception(timeout=RESULT_SECONDS))
        if future.status != "finished":
            raise LostError
        try:
            seconds, value = future.result(timeout=RESULT_SECONDS)
        except MipsError:
            raise
        except Exception as error:
            if self._client.status != "running" or "Cancelled" in type(error).__name__:
                raise LostError from None
            self._copy(handed, [number])
            return None
        handed.seconds.append(seconds)
        handed.last = monotonic()
        return (value,)

    def _watch(self, handed: _Pass) -> None:
        """Nothing ended just now: is the scheduler there, is a worker slow, is all silent?"""
        if self._client.status != "running":
            raise LostError
        waited, done = monotonic() - handed.last, len(handed.seconds)
        if waited > SILENT_SECONDS:
            raise DataError(
                f"No task of the cluster ended for {SILENT_SECONDS // 60} minutes.",
                "Look after its workers; what is done is kept: start again.",
            )
        slow = max(SLOW * median(handed.seconds), LEAST_SLOW) if handed.seconds else SILENT_SECONDS
        if done >= len(handed.tasks) / 2 and waited > slow:
            self._copy(handed, [n for n, copies in handed.futures.items() if len(copies) == 1])

    def _copy(self, handed: _Pass, numbers: Sequence[int]) -> None:
        """Hand in these tasks once more, to workers that are not at them."""
        if not numbers:
            return
        keys = {future.key for number in numbers for future in handed.futures[number]}
        processing = self._client.processing()
        holding = self._client.has_what()
        others = [
            worker for worker in processing
            if not keys & {*processing[worker], *holding.get(worker, ())}
        ]  # fmt: skip
        for number in numbers if others else ():
            handed.submit(self._client, number, workers=others)

    def _connected(self) -> Any:
        try:
            from distributed import Client, Security
        except ImportError:
            raise ParamError("A cluster needs the package distributed.", EXTRA) from None
        secure = self.address.startswith("tls://")
        security = Security(require_encryption=True, **self._security) if secure else None
        try:
            client = Client(self.address, security=security, timeout=CONNECT_SECONDS,
                            set_as_default=False)  # fmt: skip
        except (OSError, ValueError, TimeoutError) as error:
            raise DataError(
                f"No scheduler answers at {self.address}: {error}.",
                "Start it, or correct --cluster.",
            ) from None
        try:
            client.get_versions(check=True)
        except ValueError as error:
            client.close()
            raise DataError(
                f"The cluster has other versions. {error}", "Install the same."
            ) from None
        return client

    def _reconnect(self, progress: Progress, fraction: float) -> None:
        self._client.close(timeout=1)
        until = monotonic() + BACK_SECONDS
        while True:
            progress(fraction, "waiting for the scheduler to come back")
            try:
                self._client = self._connected()
            except DataError:
                if monotonic() > until:
                    raise
                sleep(POLL_SECONDS)
            else:
                return


def _plain(error: BaseException) -> BaseException:
    """The error of a task, in words where Dask's own say too little."""
    if type(error).__name__ == "KilledWorker":
        return DataError(
            "Workers died over the same task again and again, most likely for want of memory.",
            "Give them more (--memory-limit), or import the vectors in smaller parts (--part-mb).",
        )
    return error
