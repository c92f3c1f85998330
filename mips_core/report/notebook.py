"""The notebook of a report: nbformat 4.5, written by hand so that nothing more is needed.

https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
from typing import Any

from mips_core.base.text import UNSEEN
from mips_core.report.contents import Report
from mips_core.report.notebook_code import data, imports, measuring, numbers, running
from mips_core.report.sentences import finding, made_on

SIGNS = "\\`*_{}[]()<>#+-.!|~$:&"  # that Markdown or HTML would act on


def notebook(report: Report) -> str:
    """JSON text; ASCII, so that any text in it can be written."""
    cells = [
        _words(_opening(report)),
        _code(imports(report)),
        _words(
            "## The data",
            "The fingerprints tell whether these are the items and the queries of the report.",
        ),
        _code(data(report)),
        _words(
            "## What the report says",
            "Every setting of its tables: parameters, seed, and the numbers at each effort.",
        ),
        _code(numbers(report)),
        _words(
            "## The same, measured again",
            "Each index is built and asked at every effort. Large data take their time.",
        ),
        _code(measuring()),
        _words("## The setting to run"),
        _code(running(report)),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    told = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(told, indent=1) + "\n"


def _opening(report: Report) -> list[str]:
    """Title, note, finding, and what is needed."""
    made_by, version = next(iter(report.machine.versions.items()))
    return [
        f"# {_plain(report.title)}",
        *(_plain(line) for line in report.note.splitlines() if line.strip()),
        f"Measured with {made_by} {version}, {made_on(report)}.",
        f"**{_plain(finding(report))}**",
        f"This notebook measures that again. It needs {made_by}: a Python that has what its "
        "`requirements.txt` names, and its folder in `PYTHONPATH`.",
    ]


def _words(*paragraphs: str | list[str]) -> dict[str, Any]:
    texts = [text for one in paragraphs for text in ([one] if isinstance(one, str) else one)]
    return {"cell_type": "markdown", "metadata": {}, "source": "\n\n".join(texts)}


def _code(source: str) -> dict[str, Any]:
    told: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None}
    return {**told, "outputs": [], "source": source.strip()}


def _plain(text: str) -> str:
    """`text` with every sign made harmless that Markdown or HTML would act on."""
    line = text.encode(errors="replace").decode().translate(UNSEEN)
    return "".join(f"\\{sign}" if sign in SIGNS else sign for sign in line)
