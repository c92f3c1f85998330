"""Speed, side by side in one run: ours, what nothing can cost less than, and other libraries.

Run as `make bench`, or `make bench QUICK=1` for the shipped words alone. Every work runs on one
thread, in turns with those it is set against, so that a busy machine is busy for all of them.
Processor time is that of the whole process. PART: some parts alone, or `readers`. Other libraries
are those of requirements-peers.txt; rows of one that is absent name the line that installs it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from benchmarks import readers
from benchmarks.machine import machine, versions
from benchmarks.pieces import curves, exact, kmeans, memory, methods, searches
from benchmarks.results import write
from benchmarks.sets import LOADERS, QUICK, Measurable
from benchmarks.tables import Section, as_text, markdown, put_into, target_lines, work_lines
from benchmarks.works import Table, measure

PIECES: dict[str, ModuleType] = {
    "exact": exact,
    "kmeans": kmeans,
    "curves": curves,
    "searches": searches,
    "memory": memory,
    "methods": methods,
}
READERS = "readers"
ROUNDS = {"exact": 5, "kmeans": 3, "curves": 9, "searches": 5, "memory": 1, "methods": 1}
QUICK_ROUNDS = {name: 3 if rounds > 3 else 1 for name, rounds in ROUNDS.items()}
RESULTS = Path(__file__).with_name("results.json")


def tables(data: Measurable, parts: Sequence[str], quick: bool) -> Iterator[Table]:
    """The tables of a data set, each made when it is asked for."""
    rounds = QUICK_ROUNDS if quick else ROUNDS
    for name, piece in PIECES.items():
        if name in parts:
            for comparison in piece.comparisons(data, rounds[name]):
                yield measure(comparison)


def section(name: str, parts: Sequence[str], quick: bool) -> Section | None:
    """Measure a data set, and print each table as it is made; None where it is not at hand."""
    data = LOADERS[name]()
    if data is None:
        print(f"\n{name}: not in ../shared/data, left out")
        return None
    print(f"\n{data.title}")
    made = []
    for table in tables(data, parts, quick):
        print(f"\n{table.title}\n{as_text(work_lines(table.rows))}", flush=True)
        made.append(table)
    return Section(data.title, tuple(made))


def read_files(quick: bool) -> dict[str, Any]:
    """The table of readers, printed."""
    n = readers.ROWS // 20 if quick else readers.ROWS
    rows = readers.table(n, rounds=1 if quick else 5)
    readers.show(readers.title(n), rows)
    return {"data": readers.title(n), "rows": rows}


def report_of(
    names: Sequence[str], parts: Sequence[str], quick: bool
) -> tuple[dict[str, Any], list[Section]]:
    """All that was measured, as plain values for JSON and as tables; printed meanwhile."""
    command = "make bench QUICK=1" if quick else "make bench"
    report: dict[str, Any] = {"command": command, "machine": machine(), "versions": versions()}
    print(", ".join(f"{name} {version}" for name, version in report["versions"].items()))
    found = [section(name, parts, quick) for name in names]
    sections = [each for each in found if each is not None and each.tables]
    for each in sections:
        if each.reached:
            print(f"\n{each.title}\n{as_text(target_lines(each.reached))}")
    report["sections"] = [each.as_dict(command) for each in sections]
    if READERS in parts:
        report["readers"] = read_files(quick)
    return report, sections


@click.command(help=__doc__)
@click.argument("parts", nargs=-1, type=click.Choice([*PIECES, READERS]), metavar="[PART]...")
@click.option("--quick", is_flag=True, help="The shipped words alone, in fewer rounds.")
@click.option(
    "--data", "names", multiple=True, type=click.Choice(list(LOADERS)), help="These alone."
)
@click.option(
    "--markdown", "document", type=click.Path(path_type=Path), help="Page to put the tables into."
)
@click.option(
    *("--json", "out"),
    type=click.Path(path_type=Path),
    default=RESULTS,
    help="File for all numbers, benchmarks/results.json by default; it keeps other parts and data.",
)
def main(
    parts: Sequence[str], quick: bool, names: Sequence[str], document: Path | None, out: Path
) -> None:
    """Print the tables, and write them down."""
    quick = quick or os.environ.get("QUICK") == "1"
    asked = parts or tuple(PIECES)
    report, sections = report_of(names or (QUICK if quick else tuple(LOADERS)), asked, quick)
    write(out, report)
    print(f"\nWritten to {out.name}")
    if document is not None:
        put_into(document, markdown(report, sections))


if __name__ == "__main__":
    main()
