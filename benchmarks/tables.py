"""Tables of what was measured: on the terminal, and as Markdown for docs/performance.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.works import Measured, Reached, Table

SECONDS = ((1.0, "s"), (1e-3, "ms"), (0.0, "µs"))
NONE = "–"
BEGIN, END = "<!-- tables of make bench -->", "<!-- end of the tables -->"


@dataclass(frozen=True)
class Section:
    """The tables of one data set."""

    title: str
    tables: tuple[Table, ...]

    @property
    def reached(self) -> list[Reached]:
        """All targets of the data set."""
        return [each for table in self.tables for each in table.reached]

    def as_dict(self, command: str) -> dict[str, Any]:
        """Plain values for JSON; `command` is what measured them."""
        tables = [{**asdict(table), "command": command} for table in self.tables]
        return {"data": self.title, "tables": tables}


def as_text(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells in columns: the first to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    """The same as a Markdown table."""
    head, *rest = lines
    rule = [":--", *("--:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rest))


def target_lines(reached: Iterable[Reached]) -> list[list[str]]:
    """What was to be reached, what was, and by how much: 1 and above is met."""
    lines = [["work", "target", "reached", "ratio"]]
    for each in reached:
        if each.absent is not None:
            lines.append([each.target, each.limit, each.absent, NONE])
        else:
            lines.append([each.target, each.limit, number(each.reached), number(each.ratio)])
    return lines


def work_lines(rows: Iterable[Measured]) -> list[list[str]]:
    """Times of every work, and what else is known of its result."""
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row.told))
    lines = [["", "processor", "clock", *names]]
    for row in rows:
        name = f"{row.work} ({row.setting})" if row.setting else row.work
        if row.absent is not None:
            lines.append(
                [f"{name}: not installed, {row.absent}", NONE, NONE, *([NONE] * len(names))]
            )
        else:
            cells = [_fine(row.told.get(told)) for told in names]
            lines.append([name, duration(row.cpu_s), duration(row.wall_s), *cells])
    return lines


def duration(seconds: float | None) -> str:
    """Three digits of seconds, milliseconds or microseconds."""
    if seconds is None:
        return NONE
    unit, name = next((unit, name) for unit, name in SECONDS if seconds >= unit)
    return f"{number(seconds / (unit or 1e-6))} {name}"


def number(value: float | None) -> str:
    """Three digits, without an exponent; four after the point where it is small."""
    if value is None:
        return NONE
    if abs(value) < 0.1:
        return f"{round(value, 4) + 0.0:.4f}"  # no -0
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}"


def _fine(value: float | None) -> str:
    """As `number`, with four digits of what is below 1: recall, cosines, precision."""
    return f"{value:.4f}" if value is not None and abs(value) < 1 else number(value)


def markdown(report: Mapping[str, Any], sections: Sequence[Section]) -> str:
    """The whole report: the machine, then targets and times of every data set."""
    parts = [_made_on(report)]
    for section in sections:
        parts.append(f"### {section.title}")
        if section.reached:
            parts.append(as_markdown(target_lines(section.reached)))
        for table in section.tables:
            parts += [f"**{table.title}**", as_markdown(work_lines(table.rows))]
    return "\n\n".join(parts) + "\n"


def put_into(page: Path, text: str) -> None:
    """Write `text` between the two marks of `page`, or as all of it where it is new.

    Raises ValueError for a page without the marks.
    """
    if not page.exists():
        page.write_text(text, encoding="utf-8")
        return
    before, begun, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (begun and ended):
        raise ValueError(f"{page.name} has no lines {BEGIN} and {END} to write between.")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def _made_on(report: Mapping[str, Any]) -> str:
    made, caches = report["machine"], report["machine"]["caches"]
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    told = ", ".join(f"{name} {size}" for name, size in caches.items())
    return (
        f"Measured with `{report['command']}` on {made['processor']}, {made['cores']} cores"
        f"{f' ({told})' if told else ''}, {made['system']}. {versions[0].upper()}{versions[1:]}."
    )
