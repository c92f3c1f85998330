"""A report as one HTML page that needs nothing else: no request, no script."""

import json

from markupsafe import Markup

from mips_core.figures.styles import LOOKS, MODES, Mode, tokens
from mips_core.figures.template import FONT
from mips_core.report.command_lines import SOME_FILE
from mips_core.report.contents import Report
from mips_core.report.pictures import curves_picture, noise_picture, small_picture
from mips_core.report.templates import FOLDER, render

COLOURS = ("background", "surface", "text", "muted", "grid", "axis", "good", "warn")


def html_of(report: Report) -> str:
    """The whole page; UTF-8 can hold all of it."""
    return str(
        render(
            "page.html",
            report=report,
            note=[line for line in report.note.splitlines() if line.strip()],
            style=Markup(style_sheet()),
            json=Markup(_as_json(report)),
            curves_picture=curves_picture,
            small_picture=small_picture,
            noise_picture=noise_picture,
            SOME_FILE=SOME_FILE,
        )
        + "\n"
    )


def _as_json(report: Report) -> str:
    """The numbers for programs: no sign in it can end the element it stands in."""
    numbers = json.dumps(report.as_dict(), separators=(",", ":"))  # ASCII: no surrogate is left
    for sign in "<>&":
        numbers = numbers.replace(sign, f"\\u{ord(sign):04x}")
    return numbers


def style_sheet() -> str:
    """The colours of the pages, light and dark, and A4; what prints is light, whatever is shown."""
    light, dark = (_colours(mode) for mode in MODES)
    methods = "".join(f".m-{key}{{--line:var(--m-{key})}}" for key in LOOKS)
    rules = (FOLDER / "style.css").read_text(encoding="utf-8").strip()
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"@media print{{:root{{color-scheme:light;{light}}}}}"
        f"{methods}\n{rules.replace('FONT', FONT)}"
    )


def _colours(mode: Mode) -> str:
    colours = tokens(mode)
    named = {f"--{role}": colours[role] for role in COLOURS}
    named |= {f"--m-{key}": colours[key] for key in LOOKS} | {"--band": colours["@band"]}
    return ";".join(f"{name}:{value}" for name, value in named.items())
