"""Measure how cost grows, and print it: `python -m benchmarks.growth`, QUICK=1 for small sizes.

Every size has a process of its own, so that memory is that of this size. With --markdown FILE the
page is written, with --json FILE all that was measured.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from benchmarks.growth.axes import Axis, axes
from benchmarks.growth.lines import Axial
from benchmarks.growth.page import axial_lines, page
from benchmarks.growth.points import measure_alone
from benchmarks.machine import machine, versions
from benchmarks.pages import FILE
from benchmarks.tables import as_text


def measured(asked: Sequence[Axis]) -> Iterator[Axial]:
    """Each axis, when all its sizes are measured."""
    for axis in asked:
        points = [point for size in axis.sizes for point in measure_alone(size, axis.works)]
        yield Axial(axis, points)


@click.command(help=__doc__)
@click.option("--markdown", type=FILE, help="Write the page here.")
@click.option("--json", "data", type=FILE, help="Write every point here.")
def main(markdown: Path | None, data: Path | None) -> None:
    """Measure and print."""
    quick = os.environ.get("QUICK") == "1"
    found = []
    for axial in measured(axes(quick)):
        found.append(axial)
        print(f"\n{axial.axis.name}\n{as_text(axial_lines(axial))}", flush=True)
    if data is not None:
        points = [asdict(point) for axial in found for point in axial.points]
        report = {"machine": machine(), "versions": versions(), "points": points}
        data.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if markdown is not None:
        markdown.write_text(page(found, machine(), versions(), quick), encoding="utf-8")


if __name__ == "__main__":
    main()
