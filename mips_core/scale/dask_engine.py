"""The engine of a Dask cluster.

Dask computes again what a lost worker did. Ours to add: a scheduler that was lost and came back, a
worker that stands still, silence, and errors in plain words. A scheduler's port is a shell for
whoever reaches it: so TLS beyond this machine, unless plain TCP is allowed by name.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty
from statistics import median
from time import monotonic, sleep
from typing import Any

from mips_core.base.errors import DataError, MipsError
from mips_core.base.progress import Progress, silent
from mips_core.scale.cluster_client import ANSWER_SECONDS, connected
from mips_core.scale.engine import Engine, Task, Work
from mips_core.scale.handed_tasks import HandedTasks, plain_error
from mips_core.scale.scheduler_address import TLS, AbsentError, check_address

POLL_SECONDS = 0.2
BACK_SECONDS = 120  # that a lost scheduler has to come back
TRIES = 5  # losses of a scheduler in one pass
SILENT_SECONDS = 900  # without a task that ends, nor a word of a worker that is at one
RESULT_SECONDS = 1  # to hand over a value that is ready; twice as long for each further copy or …
MOST_RESULT_SECONDS = 60  # … time that it was late, and at most
STILL_SECONDS = 10  # without a word of a worker, who else tells that it lives twice a second
SLOW, LEAST_SLOW = 4, 2.0  # times the median of tasks, and seconds, after which one is called slow
ASIDE_SECONDS = 60  # that a worker gets no task after others did its own


class LostError(Exception):
    """The scheduler went, and with it all that was handed to it."""


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
        self._security = {name: environment[v] for name, v in TLS.items() if environment.get(v)}
        self._client = connected(address, self._security)
        self._count = 1
        self._limit: int | None = None
        self._aside: dict[str, float] = {}  # workers that stood still -> until when

    @property
    def workers(self) -> int:  # type: ignore[override]
        """How many there are now, or were last known to be; 1 where there is none."""
        with suppress(LostError):
            self._count = max(len(self._ask("ncores")), 1)
        return self._count

    @property
    def memory(self) -> int | None:  # type: ignore[override]
        """Bytes that each may take, by the least limit now, or last known; None where none has."""
        with suppress(LostError):
            known = self._ask("identity")["workers"].values()
            limits = [worker["memory_limit"] for worker in known]
            self._limit = min(filter(None, limits), default=None) if limits else self._limit
        return self._limit

    def close(self) -> None:
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
        handed = HandedTasks(work, dict(left), key)
        try:
            where = self._where()
            for number in handed.tasks:
                self._submit(handed, number, where)
            while handed.futures:
                progress(1 - len(handed.futures) / total, handed.in_words(total))
                try:
                    number, future = handed.ended.get(timeout=POLL_SECONDS)
                except Empty:
                    self._watch(handed)
                    continue
                if future is handed.latest(number):
                    value = self._value(handed, number, future)
                    if value is not None:
                        handed.let_go([number])
                        yield number, value[0]
        finally:
            handed.let_go(list(handed.futures))

    def _value(self, handed: HandedTasks, number: int, future: Any) -> tuple[Any] | None:
        """What a task gave; None where it is done again. Raises what it raised, LostError."""
        if future.status == "error":
            raise plain_error(future.exception(timeout=ANSWER_SECONDS))
        if future.status == "cancelled":
            raise LostError
        if future.status != "finished":  # its worker was lost since: Dask does it again
            self._later(handed, number, future)
            return None
        try:
            patience = RESULT_SECONDS * 2 ** (len(handed.futures[number]) + handed.late)
            seconds, value = future.result(timeout=min(patience, MOST_RESULT_SECONDS))
        except MipsError:
            raise
        except Exception as error:
            if self._client.status != "running" or "Cancelled" in type(error).__name__:
                raise LostError from None
            self._copy(handed, [number])
            if future is handed.latest(number):  # there is no other worker: it is asked for again
                handed.late += 1
                self._later(handed, number, future)
            return None
        handed.seconds.append(seconds)
        handed.last, handed.unattended = monotonic(), False
        return (value,)

    def _later(self, handed: HandedTasks, number: int, future: Any) -> None:
        """Let this end be heard again, and look after the workers until then."""
        sleep(POLL_SECONDS)
        handed.hear(number, future)
        self._watch(handed)

    def _watch(self, handed: HandedTasks) -> None:
        """Nothing ended just now: is the scheduler there, is a worker slow, is all silent?"""
        if self._client.status != "running":
            raise LostError
        waited, done = monotonic() - handed.last, len(handed.seconds)
        slow = max(SLOW * median(handed.seconds), LEAST_SLOW) if handed.seconds else SILENT_SECONDS
        single = [number for number, copies in handed.futures.items() if len(copies) == 1]
        if single and done >= len(handed.tasks) / 2 and waited > slow:
            self._copy(handed, single)
        if monotonic() - handed.looked > STILL_SECONDS:
            handed.looked = monotonic()
            stuck, there = self._stuck(handed), set(self._ask("ncores"))
            handed.unattended = not there
            self._copy(handed, [n for n in handed.futures if handed.latest(n).key in stuck])
            for number in handed.futures:
                meant_for = handed.meant_for[number]
                if meant_for and not meant_for & there:  # they went, and nobody else may do it
                    self._submit(handed, number, self._where())
        if min(waited, monotonic() - handed.heard) > SILENT_SECONDS:
            raise DataError(
                f"No task of the cluster ended for {SILENT_SECONDS // 60} minutes, and no worker "
                "that is at one was heard of.",
                "Look after its workers; what is done is kept: start again.",
            )

    def _stuck(self, handed: HandedTasks) -> set[str]:
        """The tasks at workers that have said nothing for a while, others having spoken."""
        told, processing = self._ask("identity")["workers"], self._ask("processing")
        seen = {worker: about["last_seen"] for worker, about in told.items()}
        handed.note_words(seen, processing)
        since = max(seen.values(), default=0) - STILL_SECONDS
        still = (worker for worker in seen if seen[worker] < since)
        return set().union(*(processing.get(worker, ()) for worker in still))

    def _copy(self, handed: HandedTasks, numbers: Sequence[int]) -> None:
        """Hand in these tasks once more, and all others of the workers that are at them.

        Those workers get nothing new for a while.
        """
        keys = {handed.latest(number).key for number in numbers}
        processing, holding = self._ask("processing"), self._ask("has_what")
        theirs = {w: {*processing[w], *holding.get(w, ())} for w in processing}
        others = [worker for worker, own in theirs.items() if not keys & own]
        if not (numbers and others):
            return
        until = monotonic() + ASIDE_SECONDS
        self._aside.update((worker, until) for worker in theirs if worker not in others)
        stuck = set().union(*(own for worker, own in theirs.items() if worker not in others))
        for number, copies in handed.futures.items():
            if number in numbers or (copies[-1].key in stuck and len(copies) == 1):
                self._submit(handed, number, others)

    def _submit(self, handed: HandedTasks, number: int, workers: list[str] | None) -> None:
        """Raises LostError where the client was closed meanwhile, as it is with its scheduler."""
        try:
            handed.submit(self._client, number, workers)
        except Exception:
            if self._client.status == "running":
                raise
            raise LostError from None

    def _where(self) -> list[str] | None:
        """The workers that new tasks are to go to; None for all."""
        now = monotonic()
        self._aside = {worker: until for worker, until in self._aside.items() if until > now}
        if not self._aside:
            return None
        return [worker for worker in self._ask("ncores") if worker not in self._aside] or None

    def _ask(self, what: str) -> dict[str, Any]:
        """What the scheduler says of its workers. Raises LostError for silence."""
        try:
            question = getattr(self._client.scheduler, what)
            answer: dict[str, Any] = self._client.sync(question, callback_timeout=ANSWER_SECONDS)
        except (OSError, TimeoutError, RuntimeError, AttributeError):  # the last: it was closed
            raise LostError from None
        return answer

    def _reconnect(self, progress: Progress, fraction: float) -> None:
        self._client.close(timeout=1)
        until = monotonic() + BACK_SECONDS
        while True:
            progress(fraction, "waiting for the scheduler to come back")
            try:
                self._client = connected(self.address, self._security)
            except AbsentError:
                if monotonic() > until:
                    raise
                sleep(POLL_SECONDS)
            else:
                return
