"""The file of all numbers: a run of some parts replaces these, and keeps what it did not measure.

Numbers of another machine or of other versions are not kept: in one file all can be compared.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Report = Mapping[str, Any]


def write(file: Path, report: Report) -> None:
    """Write `report`, with what `file` holds beside it."""
    text = json.dumps(merged(_read(file), report), indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")


def merged(before: Report, now: Report) -> Report:
    """What was measured now, and those data sets and tables of `before` that were not again."""
    if "sections" not in before or _made_on(before) != _made_on(now):
        return now
    sections = {each["data"]: each for each in before["sections"]}
    for each in now["sections"]:
        old = sections.get(each["data"], {"tables": []})
        sections[each["data"]] = {**each, "tables": _joined(old["tables"], each["tables"])}
    return {**before, **now, "sections": list(sections.values())}


def _joined(before: list[Any], now: list[Any]) -> list[Any]:
    """The tables of both, of equal titles the one of now."""
    return list({table["title"]: table for table in (*before, *now)}.values())


def _made_on(report: Report) -> tuple[Any, Any]:
    """What must be equal for numbers to stand side by side; the load of the machine need not."""
    machine = {name: value for name, value in report["machine"].items() if name != "load"}
    return machine, report["versions"]


def _read(file: Path) -> Report:
    """What the file holds; nothing where there is none or it is no report."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
