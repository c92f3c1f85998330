"""Reading damaged files: `python -m benchmarks.fuzz [PARSER …] --count 100000 --seed 0 --jobs 2`.

Every parser gets `count` mutants of its seeds, those that run in a child process a fiftieth of it.
Only vectors that are sound, or a refusal in words, may come out. Each kind of fault is made small
and saved; the exit code is 1 where there is one.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click

from benchmarks.fuzz.judge import judge
from benchmarks.fuzz.minimise import minimised
from benchmarks.fuzz.mutants import mutant
from benchmarks.fuzz.seeds import IN_CHILD, SEEDS, Files
from benchmarks.fuzz.workers import Tally, put, run

CHILD_SHARE = 50
COLUMNS = f"{'parser':22}{'files':>9}{'accepted':>10}{'refused':>9}{'faults':>8}" + (
    f"{'slowest ms':>12}{'peak MB':>9}{'files/s':>9}"
)


@dataclass(frozen=True)
class Run:
    """The outcome for one parser."""

    key: str
    tally: Tally
    seconds: float

    @property
    def row(self) -> str:
        """As it is printed."""
        t, faults = self.tally, sum(map(len, self.tally.faults.values()))
        return (
            f"{self.key:22}{t.files:9,}{t.accepted:10,}{t.refused:9,}{faults:8,}"
            f"{1e3 * t.slowest:12.0f}{t.peak:9.1f}{t.files / self.seconds:9,.0f}"
        )


def fuzz(key: str, count: int, seed: int, jobs: int) -> Run:
    """Judge `count` mutants for one parser."""
    count = max(1, count // CHILD_SHARE) if key in IN_CHILD else count
    began = perf_counter()

    def report(tally: Tally) -> None:
        if sys.stderr.isatty():
            print(f"\r{key}: {tally.files:,} of {count:,}", end="", file=sys.stderr)

    tally = run(key, count, seed, jobs, report)
    return Run(key, tally, perf_counter() - began)


def smallest(key: str, seed: int, what: str, numbers: Sequence[int]) -> tuple[Files, str]:
    """The smallest files found that show a fault, and the way they are read."""
    seeds = SEEDS[key]()
    made = [mutant(key, seeds, number, seed) for number in numbers[:20]]
    files, way = min(made, key=lambda one: sum(len(content) for _, content in one[0]))
    if what.startswith(("crash", "hang", "too slow")) or "memory" in what:
        return files, way  # not to be tried in this process
    with TemporaryDirectory() as folder:
        for i, (name, content) in enumerate(files):

            def fails(content: bytes, i: int = i, name: str = name) -> bool:
                tried = (*files[:i], (name, content), *files[i + 1 :])  # noqa: B023
                return judge(put(tried, Path(folder)), way).what == what

            files = (*files[:i], (name, minimised(content, fails)), *files[i + 1 :])
    return files, way


def save(found: Run, seed: int, folder: Path) -> None:
    """Write a file, or a folder of files, for each kind of fault, and print what it shows."""
    for i, (what, numbers) in enumerate(sorted(found.tally.faults.items())):
        files, way = smallest(found.key, seed, what, sorted(numbers))
        target = folder / found.key / f"fault-{i}"
        target.mkdir(parents=True, exist_ok=True)
        put(files, target)
        print(f"  {len(numbers):6,} x {what}; number {numbers[0]}, read {way}: {target}")


@click.command(help=__doc__)
@click.argument("parsers", nargs=-1, type=click.Choice(list(SEEDS)))
@click.option("--count", default=100_000, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--jobs", default=2, show_default=True)
@click.option("--save", "folder", default=Path("artifacts/fuzz"), type=click.Path(path_type=Path))
def main(parsers: Sequence[str], count: int, seed: int, jobs: int, folder: Path) -> None:
    """Print a line for each parser, and its faults."""
    print(COLUMNS)
    faults = 0
    for key in parsers or SEEDS:
        found = fuzz(key, count, seed, jobs)
        print(found.row, flush=True)
        save(found, seed, folder)
        faults += len(found.tally.faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
