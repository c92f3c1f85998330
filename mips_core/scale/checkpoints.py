"""What a clustering of parts leaves after each pass, so that another process goes on from there."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.atomic_write import remove_left_over, replacing
from mips_core.base.threads import working_clock
from mips_core.methods.clustering.rounds import Round
from mips_core.scale.part_work import labels_path, pass_path

KEPT = 2  # passes whose labels stay: a task of the last may still look at those before it


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """A clustering after its rounds: centroids (k, d') of the last, sums (k, d'), counts (k,).

    seconds: of the work that led to it, whoever did it; inf where it is not known.
    """

    centroids: Matrix
    totals: Ids
    counts: Ids
    rounds: tuple[Round, ...]
    seconds: float


@dataclass(slots=True, eq=False)
class BuildClock:
    """Seconds of work on a build: `before` by others, whose files it goes on with, and since."""

    before: float = 0.0
    began: float = field(default_factory=lambda: working_clock())

    @property
    def seconds(self) -> float:
        """Until now."""
        return self.before + working_clock() - self.began

    def goes_on_after(self, seconds: float) -> None:
        """Count what others had spent, by a checkpoint of theirs."""
        self.before = max(self.before, seconds)


def seconds_of(held: Any) -> float:
    """Those written beside arrays; inf where these were written by a version without."""
    return float(held["seconds"]) if "seconds" in held else inf


def _state_path(folder: Path, number: int) -> Path:
    return folder / f"state-{number:04}.npz"


def from_rounds(rounds: Sequence[Round]) -> Floats:
    """(r, 4) as float64, which holds whole numbers up to 2^53."""
    return np.array([(r.objective, r.moved, r.live, r.n) for r in rounds], np.float64)


def as_rounds(values: Floats) -> tuple[Round, ...]:
    """What `from_rounds` made (r, 4)."""
    return tuple(Round(float(value), *map(int, counts)) for value, *counts in values)


def write_pass(folder: Path, number: int, centroids: Matrix, renumbered: Ids) -> None:
    """The centroids that pass `number` takes rows to, for all tasks of it."""
    with replacing(pass_path(folder, number)) as file:
        np.savez(file, centroids=centroids, renumbered=renumbered)


def write_checkpoint(folder: Path, state: Checkpoint, n_parts: int) -> None:
    """`state`, all parts of which have their labels; what is older than the one before it goes."""
    number = len(state.rounds)
    with replacing(_state_path(folder, number)) as file:
        np.savez(
            file,
            centroids=state.centroids,
            totals=state.totals,
            counts=state.counts,
            rounds=from_rounds(state.rounds),
            seconds=state.seconds,
        )
    old = number - KEPT
    paths = [labels_path(folder, old, at) for at in range(n_parts)]
    for path in (*paths, pass_path(folder, old), _state_path(folder, old)):
        with suppress(OSError):
            path.unlink(missing_ok=True)


def last_checkpoint(folder: Path, parts: Sequence[int]) -> Checkpoint | None:
    """The last one that is whole, with the labels of `parts`; None where there is none."""
    remove_left_over(folder)
    for path in sorted(folder.glob("state-*.npz"), reverse=True):
        number = int(path.stem.partition("-")[2])
        if all(labels_path(folder, number, at).is_file() for at in parts):
            with (
                suppress(OSError, ValueError, KeyError, BadZipFile),
                np.load(path, allow_pickle=False) as held,
            ):
                rounds, seconds = as_rounds(held["rounds"]), seconds_of(held)
                sums = held["totals"], held["counts"]
                return Checkpoint(held["centroids"], *sums, rounds, seconds)
    return None
