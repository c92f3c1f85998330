"""The notebook of a report: nbformat 4.5, written by hand so that nothing more is needed.

What a person or a file wrote stands in the cells of code as literals only.
https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
from dataclasses import asdict
from typing import Any

from mips_core.base.params import params_of
from mips_core.base.text import UNSEEN
from mips_core.data.readers.choices import Choices, RatingChoices
from mips_core.report.contents import Measured, Origin, Report
from mips_core.report.sentences import finding, made_on

SIGNS = "\\`*_{}[]()<>#+-.!|~$:&"  # that Markdown or HTML would act on
IMPORTS = """
import mips_core
from mips_core.evaluation.evaluate import folds_of
from mips_core.base.params import with_text
"""
CHECK_ITEMS = """
if data.fingerprint != FINGERPRINT:
    raise mips_core.DataError(
        f"These are not the items of the report: their fingerprint is {data.fingerprint}.",
        "Put the same file here, and read it in the same way.",
    )
"""
CHECK_QUERIES = """
if searched.query_fingerprint != QUERY_FINGERPRINT:
    raise mips_core.DataError(
        "These are not the queries of the report: their fingerprint is "
        f"{searched.query_fingerprint}.",
        "Take the file that the report was made from, and not a part of it.",
    )
print(f"Items: {data.n:,}, queries: {searched.m:,}, the same as in the report.")
"""
MEASURING = """
truth = mips_core.truth_of(searched)
scoring = folds_of(truth.m)[1]  # the queries that did not choose
compared = 0
for setting in REPORT:
    index = with_text(mips_core.INDEXES[setting["index"]](), setting["values"])
    searcher = index.searcher(index.build(searched.items, mips_core.rng_for(setting["seed"])))
    curve = mips_core.evaluate(index, searcher, truth, setting["seed"], K=K).curve((K,), scoring)
    for point in setting["points"]:
        at = curve.efforts.tolist().index(point["effort"])
        low, high = curve.interval(K)[at]
        found = {
            "precision": curve.precision(K)[at],
            "low": low,
            "high": high,
            "cost": curve.mean_cost[at],
            "speedup": curve.speedup[at],
        }
        print(
            f"{index.label}, {index.setting(truth.n)}, effort {point['effort']}: "
            f"precision@{K} {found['precision']:.3f} ({low:.3f} to {high:.3f}), "
            f"{found['speedup']:.2f}x"
        )
        for name, value in found.items():
            same = abs(value - point[name]) <= 1e-9 * max(1.0, abs(point[name]))
            assert same, f"{name} is {value!r} here, and {point[name]!r} in the report"
            compared += 1
print(f"All {compared} numbers are those of the report.")
"""


def notebook_of(report: Report) -> str:
    """JSON text; ASCII, so that any text in it can be written."""
    cells = [
        _words(*_opening(report)),
        _code(_imports(report)),
        _words(
            "## The data",
            "The fingerprints tell whether these are the items and the queries of the report.",
        ),
        _code(_data(report)),
        _words(
            "## What the report says",
            "Every setting of its tables: parameters, seed, and the numbers at each effort.",
        ),
        _code(_numbers(report)),
        _words(
            "## The same, measured again",
            "Each index is built and asked at every effort. Large data take their time.",
        ),
        _code(MEASURING),
        _words("## The setting to run"),
        _code(_running(report)),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1) + "\n"


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


def _words(*paragraphs: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": "\n\n".join(paragraphs)}


def _code(source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None}
    return {**cell, "outputs": [], "source": source.strip()}


def _plain(text: str) -> str:
    """`text` with every sign made harmless that Markdown or HTML would act on."""
    line = text.encode(errors="replace").decode().translate(UNSEEN)
    return "".join(f"\\{sign}" if sign in SIGNS else sign for sign in line)


def _imports(report: Report) -> str:
    """What the cells below use, and no more."""
    lines = [IMPORTS.strip()]
    if report.recipe is not None:
        lines.append("from mips_core import QueryRecipe, with_queries")
    else:
        lines += [
            "from dataclasses import replace",
            "from mips_core.data.readers import read_queries",
        ]
    if report.origin.stem:
        lines += ["from glob import escape", "from pathlib import Path"]
    if report.origin.reading:
        lines += [
            "from mips_core.data.ratings import RatingChoices",
            "from mips_core.data.readers import Choices",
        ]
    return "\n".join(lines)


def _data(report: Report) -> str:
    """Reads or makes the same items and queries, and says where they are others."""
    data = report.data
    lines = [
        f"FINGERPRINT = {data.fingerprint!r}  # of the items as they were read",
        f"QUERY_FINGERPRINT = {data.query_fingerprint!r}  # of the queries as they are asked",
        f"K = {report.K}",
        "",
        *_reading(report.origin),
        CHECK_ITEMS.strip(),
        "",
        *_asking(report),
        f"searched = mips_core.searched_by(raw, {data.metric!r})",
        CHECK_QUERIES.strip(),
    ]
    return "\n".join(lines)


def _reading(origin: Origin) -> list[str]:
    if origin.shipped:
        return [f"data = mips_core.shipped({origin.shipped!r}).float32()"]
    arguments = ["FILES"]
    if origin.reading:
        texts = dict(choice.split("=", 1) for choice in origin.reading)
        for spec in (Choices, RatingChoices):
            own = {name: text for name, text in texts.items() if name in params_of(spec())}
            arguments.append(f"with_text({spec.__name__}(), {own!r})")
    arguments += [f"kind={origin.kind!r}"] if origin.kind != "auto" else []
    arguments += [f"rank={origin.rank}"] if origin.rank is not None else []
    return [
        "# Put what was read beside this notebook, or write here where it is.",
        *_files(origin),
        f"data = mips_core.open_files({', '.join(arguments)}).dataset.float32()",
    ]


def _files(origin: Origin) -> list[str]:
    """Names of files; where their endings are not known, whatever lies there."""
    if not origin.stem:
        return [f"FILES = {list(origin.files)!r}"]
    return [
        f"STEM = {origin.stem!r}",
        'FILES = [str(file) for file in sorted(Path().glob(f"{escape(STEM)}.*"))]',
        'FILES = [file for file in FILES if not file.endswith((".html", ".ipynb"))]',
        "if not FILES:",
        "    raise mips_core.DataError(",
        '        f"There is no file {STEM}.* here.", "Write the names of your files into FILES."',
        "    )",
    ]


def _asking(report: Report) -> list[str]:
    if report.recipe is not None:
        values = ", ".join(f"{name}={value!r}" for name, value in report.recipe.items())
        return [f"raw = with_queries(data, QueryRecipe({values}))"]
    return [
        f"queries = read_queries({report.origin.queries_file!r})",
        "raw = replace(data, queries=queries, query_rows=None, query_labels=None)",
    ]


def _numbers(report: Report) -> str:
    """The settings of the tables, and what they reach, to the last digit."""
    points: dict[int, dict[int, Measured]] = {}
    for measured in (report.point.measured, *(row.measured for row in report.targets)):
        points.setdefault(measured.setting, {})[measured.effort] = measured
    lines = []
    for at, by_effort in sorted(points.items()):
        setting = report.settings[at]
        named = f"'index': {setting.key!r}, 'values': {dict(setting.values)!r}"
        lines.append(f"    {{{named}, 'seed': {setting.seed}, 'points': [")
        lines += [f"        {_point(by_effort[effort])}," for effort in sorted(by_effort)]
        lines.append("    ]},")
    return "\n".join(["REPORT = [", *lines, "]"])


def _point(measured: Measured) -> dict[str, Any]:
    return {name: value for name, value in asdict(measured).items() if name != "setting"}


def _running(report: Report) -> str:
    """The recommended setting, ready for queries."""
    measured = report.point.measured
    setting = report.settings[measured.setting]
    return "\n".join(
        [
            f"index = with_text(mips_core.INDEXES[{setting.key!r}](), {dict(setting.values)!r})",
            f"structure = index.build(searched.items, mips_core.rng_for({setting.seed}))",
            "retriever = mips_core.retriever_of(index.searcher(structure), searched.items)",
            "ids, scores = retriever.search("
            f"searched.queries[:5], {report.answers}, effort={measured.effort})",
            "ids",
        ]
    )
