"""What commands write: progress on a terminal, files, and reports as JSON."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from mips_core.base.atomic_write import check_replaceable, replacing
from mips_core.data.dataset import Dataset


def described(dataset: Dataset) -> dict[str, Any]:
    """What a report says of the data it is about, as plain values."""
    return dataset.as_dict() | {"notes": list(dataset.notes)}


def show_progress(fraction: float, message: str, partial: Any = None) -> None:
    """A Progress: one line of a terminal, rewritten; nothing where there is none."""
    if sys.stderr.isatty():
        click.echo(f"\r{fraction:4.0%} {message:<70.70}", nl=False, err=True)


def end_progress() -> None:
    """Leave the line of `show_progress`."""
    if sys.stderr.isatty():
        click.echo(err=True)


def check_writable(out: Path | None) -> None:
    """Raise DataError before any work where the report could not be written after it."""
    if out is not None:
        check_replaceable(out)


def write_file(out: Path, content: str | bytes) -> None:
    """`content` as the file `out`, which is the old one or the new one whatever happens.

    Raises DataError where it cannot be written.
    """
    with replacing(out) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def say(lines: Iterable[str], out: Path | None, report: dict[str, Any]) -> None:
    """Print `lines`, and write the `report` too where there is an `out`."""
    for line in lines:
        click.echo(line)
    if out is not None:
        write_report(out, report)


def write_report(out: Path | None, data: Any) -> None:
    """`data`, plain values, as JSON to the file `out`, or printed where that is None."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    if out is None:
        click.echo(text)
    else:
        write_file(out, text + "\n")
