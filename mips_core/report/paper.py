"""The files of a run: pictures as SVG and PNG, their numbers as CSV, verdicts, one HTML page."""

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from markupsafe import Markup

from mips_core.data.labels import in_cell
from mips_core.figures.drawing import Drawing
from mips_core.figures.paper import WAYS, drawings, each_once
from mips_core.report.page import style_sheet
from mips_core.report.paper_pictures import as_png, as_svg
from mips_core.report.templates import render
from mips_core.studies.paper import wording
from mips_core.studies.paper.run import PaperResult

CLAIMS, TABLE, PAGE = "claims.json", "claims.csv", "report.html"


def pictures(result: PaperResult) -> list[Drawing]:
    """Every picture once: those of both ways."""
    return each_once(drawing for way in WAYS for drawing in drawings(result, way))


def picture_files(drawn: Sequence[Drawing], png: bool = True) -> Iterator[tuple[str, bytes]]:
    """Name and content of the files of each picture."""
    for drawing in drawn:
        yield f"{drawing.name}.svg", (as_svg(drawing, "light") + "\n").encode()
        yield f"{drawing.name}.csv", _csv(drawing.rows())
        if png:
            yield f"{drawing.name}.png", as_png(drawing)


def paper_files(result: PaperResult) -> Iterator[tuple[str, bytes]]:
    """All files of a run that is done."""
    drawn = pictures(result)
    yield from picture_files(drawn)
    text = json.dumps(wording.as_dict(result), indent=1, ensure_ascii=False)
    yield CLAIMS, f"{text}\n".encode("utf-8", "replace")
    yield TABLE, _csv(wording.rows(result))
    yield PAGE, html_of_paper(result, drawn).encode("utf-8", "replace")


def html_of_paper(result: PaperResult, drawn: Sequence[Drawing]) -> str:
    """One page that needs nothing else: verdicts, then every picture, then every condition."""
    return str(
        render(
            "paper.html",
            result=result,
            drawings=drawn,
            rows=wording.rows(result),
            wording=wording,
            style=Markup(style_sheet()),
            picture=_both_sizes,
        )
        + "\n"
    )


def _both_sizes(drawing: Drawing) -> Markup:
    return Markup(as_svg(drawing, None) + as_svg(drawing, None, across=1))


def _csv(rows: Sequence[dict[str, Any]]) -> bytes:
    """Text stays text in spreadsheets."""
    file = StringIO()
    if rows:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({
                name: in_cell(value) if isinstance(value, str) else value
                for name, value in row.items()
            })  # fmt: skip
    return file.getvalue().encode("utf-8", "replace")
