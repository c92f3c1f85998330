"""Reading files, beside the obvious library call: `python -m benchmarks.readers --rows 100000`.

Each figure is the median of rounds; ours and theirs take turns, each time in a new process that has
read a small file of the format before, so that imports are not counted. Time is that of the process
and its children; the peak is by how much their resident memory grew, in sizes of the float32 array
(or of 20 bytes a rating). Library calls do less: they neither check the numbers nor name a fault.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import click
import numpy as np

from benchmarks.memory import SPAWN, forget_peak, usage
from benchmarks.reader_formats import FORMATS, Format
from mips_core import rng_for
from mips_core.base.arrays import Matrix
from mips_core.data.ratings import read_ratings
from mips_core.data.readers import read

ROWS, D = 100_000, 100
SMALL = 50
RATING_BYTES = 20
BY_NAME = {f.name: f for f in FORMATS}


@dataclass(frozen=True)
class Cost:
    """What reading a file once has cost."""

    wall: float  # seconds
    cpu: float  # seconds
    grown: float  # bytes


def vectors(n: int) -> Matrix:
    """Rows like those of GloVe: a common direction, and lengths that differ."""
    rng = rng_for(0, "readers")
    X = rng.normal(size=(n, D)) * rng.gamma(9.0, 1 / 9, size=(n, 1)) + rng.normal(size=D) / 2
    return X.astype(np.float32)


def call_of(form: Format, ours: bool) -> Callable[[Path], Any]:
    """Our call or that of the library."""
    if ours:
        return read_ratings if form.ratings else read
    assert form.load is not None  # asked for where there is one
    return form.load


def once(name: str, ours: bool, small: Path, path: Path, answers: Any) -> None:
    """In a process of its own: read `small`, then measure the reading of `path`."""
    call = call_of(BY_NAME[name], ours)
    call(small)
    forget_peak()
    cpu, peak = usage()
    wall = perf_counter()
    kept = call(path)  # noqa: F841  (freed only after the measurement)
    wall = perf_counter() - wall
    now = usage()
    answers.send(Cost(wall, now[0] - cpu, now[1] - peak))


def cost(form: Format, ours: bool, small: Path, path: Path) -> Cost:
    """The cost of one reading in a new process."""
    mine, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=once, args=(form.name, ours, small, path, theirs))
    process.start()
    theirs.close()
    try:
        return mine.recv()
    except EOFError:
        raise RuntimeError(f"{form.name}: the process that reads it has ended") from None
    finally:
        process.join()


def measured(form: Format, rows: int, rounds: int, folder: Path) -> list[dict[str, Any]]:
    """A line for the library call, where there is one, and a line for ours."""
    paths = []
    for name, n in (("small", SMALL), ("large", max(SMALL, int(rows * form.share)))):
        (folder / name).mkdir()
        paths.append(folder / name / form.file)
        form.write(paths[-1], vectors(n))
    sides = [False, True] if form.load is not None else [True]
    costs: dict[bool, list[Cost]] = {ours: [] for ours in sides}
    for _ in range(rounds):
        for ours in sides:
            costs[ours].append(cost(form, ours, *paths))
    size = n * D * (RATING_BYTES if form.ratings else 4)
    lines = []
    for ours in sides:
        cpu = median(c.cpu for c in costs[ours])
        known = ours and form.load is not None
        lines.append(
            {
                "work": form.name if ours else f"{form.name}: {form.library}",
                "cpu_s": cpu,
                "wall_s": median(c.wall for c in costs[ours]),
                "ratio": cpu / median(c.cpu for c in costs[False]) if known else None,
                "to": f"{form.name}: {form.library}" if known else None,
                "mb_s": paths[1].stat().st_size / 1e6 / median(c.wall for c in costs[ours]),
                "peak": median(c.grown for c in costs[ours]) / size,
            }
        )
    return lines


def table(rows: int, rounds: int, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The lines of all formats, or of those named."""
    lines = []
    for form in FORMATS:
        if not names or form.name in names:
            with TemporaryDirectory() as folder:
                lines += measured(form, rows, rounds, Path(folder))
    return lines


def show(title: str, lines: Sequence[dict[str, Any]]) -> None:
    """Print the lines."""
    print(f"\n{title}\n{'':40}{'CPU ms':>10}{'wall ms':>10}{'MB/s':>9}{'peak':>8}{'ratio':>8}")
    for line in lines:
        ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}"
        print(
            f"{line['work']:40}{1e3 * line['cpu_s']:10.1f}{1e3 * line['wall_s']:10.1f}"
            f"{line['mb_s']:9.1f}{line['peak']:7.2f}x{ratio:>8}"
        )


def title(rows: int) -> str:
    """What the table is about."""
    return f"Reading {rows:,} x {D} float32 (a fifth of it as text), beside the library call"


@click.command(help=__doc__)
@click.argument("formats", nargs=-1, type=click.Choice([f.name for f in FORMATS]))
@click.option("--rows", default=ROWS, show_default=True)
@click.option("--rounds", default=5, show_default=True)
def main(formats: Sequence[str], rows: int, rounds: int) -> None:
    """Print the table."""
    show(title(rows), table(rows, rounds, formats))


if __name__ == "__main__":
    main()
