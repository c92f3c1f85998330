"""A report as one HTML page, in the order a reader needs: what to run, on what, and why."""

import json

from mips_core.report import page_beside, page_curves, page_made, page_point
from mips_core.report.contents import Report
from mips_core.report.markup import Html, element, foreign, joined, paragraph, text
from mips_core.report.page_data import data
from mips_core.report.sentences import finding, made_on
from mips_core.report.style import style_sheet

# Nothing is fetched and no script runs, whatever text got in; the numbers below are data.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SIMULATED = "Simulated data. Made by a seeded generator; no real people."


def page(report: Report) -> str:
    """The whole page; UTF-8 can hold all of it."""
    parts = {
        "data": ("Data", data),
        "point": ("What to run", page_point.point),
        "curves": ("Precision against speedup", page_curves.curves),
        "noise": ("Noise", page_beside.noise),
        "comparison": ("One against another", page_beside.comparison),
        "misses": ("What is missed", page_beside.misses),
        "settings": ("Settings", page_made.settings),
        "made": ("Seeds and versions", page_made.made),
        "again": ("Do it again", page_made.again),
    }
    sections = [(name, title, make(report)) for name, (title, make) in parts.items()]
    kept = [(name, title, inside) for name, title, inside in sections if inside]
    body = joined(
        [
            _head(report),
            element("nav", element("ul", *(_link(name, title) for name, title, _ in kept)),
                    aria_label="Sections"),
            *(_section(*part) for part in kept),
        ]
    )  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(report.title)}</title>\n<style>{style_sheet()}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n{_numbers(report)}\n</body>\n</html>\n"
    )


def _head(report: Report) -> Html:
    """Title, what someone wrote of it, and what was found."""
    lines = [line for line in report.note.splitlines() if line.strip()]
    note = joined(paragraph(foreign(line)) for line in lines)
    return joined(
        [
            element("h1", foreign(report.title)),
            paragraph(f"Measured with MIPS Explorer, {made_on(report)}", class_="made"),
            element("div", note, class_="note") if lines else Html(),
            paragraph(SIMULATED, class_="box") if report.data.simulated else Html(),
            paragraph(element("strong", finding(report)), class_="finding"),
            paragraph(report.point.chosen),
        ]
    )


def _section(name: str, title: str, inside: Html) -> Html:
    """A part of the page that a link can lead to."""
    head = element("h2", title, id=f"{name}-title")
    return element("section", head, inside, id=name, aria_labelledby=f"{name}-title")


def _link(name: str, title: str) -> Html:
    return element("li", element("a", title, href=f"#{name}"))


def _numbers(report: Report) -> Html:
    """The same as JSON for programs: no sign in it can end the element it stands in."""
    told = json.dumps(report.as_dict(), separators=(",", ":"))  # ASCII: no surrogate is left
    for sign in "<>&":
        told = told.replace(sign, f"\\u{ord(sign):04x}")
    return element("script", Html(told), type="application/json", id="report")
