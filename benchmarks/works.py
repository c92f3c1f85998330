"""What is measured: works that take turns, and what ours are to reach beside the others."""

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter, process_time
from typing import Any

from mips_core.base.threads import limited, one_blas_thread

Told = Mapping[str, float]  # what is known of a result beside its time: recall, objective, bytes
Limited = Callable[[int], AbstractContextManager[None]]  # to so many threads


def nothing_told(result: Any) -> Told:
    """Nothing but its time is told of a result."""
    return {}


def _absent() -> None:
    """What a work without a library does: it is never called."""


@dataclass(frozen=True)
class Work:
    """Something that takes time: ours, another library's, or a floor that none can go below.

    told: what is known of the last result. setting: how it was set, in words. count: how many
    things a call does, queries, say: times are of one. absent: the line that installs the library
    it needs, where that is missing.
    """

    name: str
    call: Callable[[], Any] = _absent
    told: Callable[[Any], Told] = nothing_told
    setting: str = ""
    count: int = 1
    threads: int = 1
    limited: Limited = limited
    absent: str | None = None


@dataclass(frozen=True)
class Measured:
    """Medians over rounds, in seconds of one of `count`: processor time of the process, and clock.

    Both are None where the library is absent.
    """

    work: str
    cpu_s: float | None
    wall_s: float | None
    threads: int
    rounds: int
    told: Told
    setting: str = ""
    absent: str | None = None


@dataclass(frozen=True)
class Yardstick:
    """How a target is measured: a number of our work and of the one beside it (None: of ours)."""

    sign: str  # "≤" or "≥"
    unit: str
    number: Callable[[Measured, Measured | None], float | None]

    def in_words(self, value: float, beside: str | None) -> str:
        """The limit: "≤ 1.4 × the product"."""
        unit = self.unit.format(beside=beside)
        return f"{self.sign} {value:g} {unit}"


def _cpu_ratio(ours: Measured, beside: Measured | None) -> float | None:
    if beside is None or beside.cpu_s is None or ours.cpu_s is None:
        return None
    return ours.cpu_s / beside.cpu_s


def _cpu_gain(ours: Measured, beside: Measured | None) -> float | None:
    ratio = _cpu_ratio(ours, beside)
    return None if ratio is None else 1 / ratio


TIMES_THE_COST = Yardstick("≤", "× {beside}", _cpu_ratio)
TIMES_FASTER = Yardstick("≥", "× faster than {beside}", _cpu_gain)
MILLISECONDS = Yardstick("≤", "ms", lambda ours, _: _scaled(ours.cpu_s, 1e3))
CLOCK_MILLISECONDS = Yardstick("≤", "ms by the clock", lambda ours, _: _scaled(ours.wall_s, 1e3))


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else factor * value


def told(name: str, sign: str, unit: str) -> Yardstick:
    """What our work tells under `name`."""
    return Yardstick(sign, unit, lambda ours, _: ours.told.get(name))


@dataclass(frozen=True)
class Target:
    """What one of our works is to reach, beside another work or by itself."""

    name: str
    work: str
    yardstick: Yardstick
    limit: float
    beside: str | None = None


@dataclass(frozen=True)
class Reached:
    """A target with what was reached. ratio: by how much it is met, below 1 where it is not.

    Both are None where a library is absent; ratio also where nothing at all was lost.
    """

    target: str
    limit: str
    reached: float | None
    ratio: float | None
    work: str
    beside: str | None
    met: bool
    absent: str | None  # the line that installs what is missing


@dataclass(frozen=True)
class Comparison:
    """Works that take turns, `rounds` each after one that is not counted (where warm)."""

    title: str
    works: Sequence[Work]
    targets: Sequence[Target] = ()
    rounds: int = 5
    warm: bool = True


@dataclass(frozen=True)
class Table:
    """A comparison, measured."""

    title: str
    rows: tuple[Measured, ...]
    reached: tuple[Reached, ...]


@dataclass
class _Times:
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    result: Any = None


def measure(comparison: Comparison) -> Table:
    """Every work in turn, round after round, so that a busy machine is busy for all of them."""
    times = {work.name: _Times() for work in comparison.works}
    for number in range(comparison.rounds + comparison.warm):
        for work in comparison.works:
            if work.absent is None:
                _take(work, times[work.name], counted=number >= comparison.warm)
    rows = tuple(_measured(work, times[work.name]) for work in comparison.works)
    by_name = {row.work: row for row in rows}
    return Table(comparison.title, rows, tuple(_reached(t, by_name) for t in comparison.targets))


def _take(work: Work, times: _Times, *, counted: bool) -> None:
    times.result = None  # that of the round before
    with work.limited(work.threads), _undisturbed():
        wall, cpu = perf_counter(), process_time()
        times.result = work.call()
        cpu, wall = process_time() - cpu, perf_counter() - wall
    if counted:
        times.cpu.append(cpu / work.count)
        times.wall.append(wall / work.count)


@contextmanager
def _undisturbed() -> Any:
    """Without garbage collection, and with BLAS on one thread."""
    one_blas_thread()
    with ExitStack() as stack:
        if gc.isenabled():
            gc.disable()
            stack.callback(gc.enable)
        yield


def _measured(work: Work, times: _Times) -> Measured:
    if work.absent is not None:
        return Measured(work.name, None, None, work.threads, 0, {}, absent=work.absent)
    return Measured(
        work=work.name,
        cpu_s=median(times.cpu),
        wall_s=median(times.wall),
        threads=work.threads,
        rounds=len(times.cpu),
        told=dict(work.told(times.result)),
        setting=work.setting,
    )


def _reached(target: Target, rows: Mapping[str, Measured]) -> Reached:
    ours = rows[target.work]
    beside = None if target.beside is None else rows[target.beside]
    number = target.yardstick.number(ours, beside)
    return Reached(
        target=target.name,
        limit=target.yardstick.in_words(target.limit, target.beside),
        reached=number,
        ratio=_standing(target, number),
        met=number is not None and _is_met(target, number),
        work=target.work,
        beside=target.beside,
        absent=ours.absent or (beside and beside.absent),
    )


def _standing(target: Target, number: float | None) -> float | None:
    if number is None or number <= 0:
        return None
    share = number / target.limit
    return share if target.yardstick.sign == "≥" else 1 / share


def _is_met(target: Target, number: float) -> bool:
    return number >= target.limit if target.yardstick.sign == "≥" else number <= target.limit
