"""An element of the app as one file that opens without a server, and acts there as it does here.

Its modules become one script, and all it is told is packed beside it: see `figures/page_file`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

import streamlit as st

from mips_core.base.text import MADE_BY
from mips_core.figures.page_file import page_file
from mips_core.figures.styles import MODES, Mode, tokens
from mips_core.figures.template import FONT
from pages._ui.elements import serve
from pages._ui.elements.component import style_of

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.-]+)"$', re.MULTILINE)
EXPORT = re.compile(
    r"^export (default )?(?=(?:async function|function|class|const) (\w+))", re.MULTILINE
)
FUNCTIONS = r"^export (?:default )?(?:async )?(?:function {0}\b|const {0} = \([^)]*\) =>)"
PLOTLY = "plotly-basic.min.js"
DATA = "page:data"  # what an element fetches, where it is not told all at once
FETCH = (
    f'const fetch = (address, ...more) => String(address) === "{DATA}" ? '
    "Promise.resolve(new Response(window.pageData)) : window.fetch(address, ...more)"
)
THEME = ("text", "background", "secondaryBackground", "primary", "link", "border", "grayText",
         "blueBackground", "blueText", "redText")  # fmt: skip
SHEET = """
*{box-sizing:border-box}
body{margin:0;background:var(--st-background-color);color:var(--st-text-color);
font:16px/1.5 var(--st-font)}
main{max-width:1180px;margin:0 auto;padding:16px 20px 32px}
main>h1{font-size:26px;font-weight:650;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
main>p{margin:8px 0;overflow-wrap:anywhere}
.made{color:var(--st-gray-text-color);font-size:14px}
@page{margin:12mm}
@media print{
main{zoom:.58}
.mx[data-mode=dark] :is(.mx-plotly,.mx-spread-plot){filter:invert(1) hue-rotate(180deg)}
.mx-learn{LIGHT}
}
"""  # what Plotly drew stays as wide as on the screen, and has its colours turned round


def element_file(
    title: str,
    kind: str,
    module: str,
    data: bytes,
    *,
    styles: str = "",
    more: Sequence[str] = (),
    told: Mapping[str, Any] | None = None,
    above: str = "",
    below: str = "",
) -> bytes:
    """The element `mips_KIND` of `module`, with `styles` as `component` takes them, on `data`.

    more: modules that it imports only when it runs. told: what the element is given in place of
    `data`, which it then fetches from the address DATA. above, below: text around it.
    """
    given = "window.pageData" if told is None else json.dumps(told)
    start = (
        f"modules[{json.dumps(module)}].default({{ data: {given}, parentElement: document.body, "
        "setStateValue() {} })"
    )
    heading = f"<h1>{escape(title)}</h1>" if above or below else ""
    element = f'<div class="mx mx-{kind}"></div>'
    body = (
        f"<main>{heading}{_paragraph(above)}{element}{_paragraph(below)}"
        f'<p class="made">{escape(MADE_BY)}. It opens without a server, and asks none.</p></main>'
    )
    style = _theme() + SHEET.replace("LIGHT", _light()) + style_of(styles)
    program = f"{_bundled(module, tuple(more))}\n{start}\n}})()\n"
    return page_file(title, body, style, program, data)


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


@cache
def _bundled(module: str, more: tuple[str, ...]) -> str:
    """`module`, `more` and all that they import as the beginning of one script.

    A module that is still to come, in a circle, is called when it is there: only functions can be
    imported so. Raises ValueError for another import.
    """
    order: list[str] = []
    entered: set[str] = set()
    parts: list[str] = []

    def enter(name: str) -> None:
        if name in entered:
            return
        entered.add(name)
        text = _text(name)
        for _, wanted in IMPORT.findall(text):
            enter(wanted)
        parts.append(_scope(name, text, order))
        order.append(name)

    for name in (*more, module):
        enter(name)
    plotly = [_text(PLOTLY), "window.mipsPlotly = Plotly;"] if "picture.js" in entered else []
    return "\n".join([*plotly, "(() => {", "const modules = {}", FETCH, IMPORTED, *parts])


IMPORTED = "const imported = async (path) => modules[path.slice(2)]"


def _scope(name: str, text: str, known: Sequence[str]) -> str:
    """One module within a scope of its own, which gives what it exports."""
    exported = {kept: called for called, kept in ((bool(d), n) for d, n in EXPORT.findall(text))}

    def taken(found: re.Match[str]) -> str:
        names, source = found[1], found[2]
        if source in known:
            return f'const {{{names.replace(" as ", ": ")}}} = modules["{source}"]'
        return "\n".join(_later(one.strip(), source) for one in names.split(",") if one.strip())

    body = EXPORT.sub("", IMPORT.sub(taken, text))
    body = re.sub(r"(?<![\w.])import\(", "imported(", body)
    body = body.replace("import.meta.url", "document.baseURI")
    given = ", ".join([*exported, *(f"default: {n}" for n, first in exported.items() if first)])
    return f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {given} }}\n}})()'


def _later(name: str, source: str) -> str:
    if not re.search(FUNCTIONS.format(re.escape(name)), _text(source), re.MULTILINE):
        raise ValueError(f"{name} of {source} is imported in a circle and is no function.")
    return f'const {name} = (...all) => modules["{source}"].{name}(...all)'


@cache
def _text(name: str) -> str:
    return serve.files()[name].read_text(encoding="utf-8")


def _theme() -> str:
    """Streamlit's variables, which the app's pages have from it; what prints is light."""
    light, dark = (_variables(mode) for mode in MODES)
    return (
        f":root{{color-scheme:light dark;--st-font:{FONT};{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"@media print{{:root{{color-scheme:light;{light}}}}}"
    )


def _light() -> str:
    """The colours of lessons in print, over those that they wrote for a dark screen."""
    colours = {n: value for n, value in tokens("light").items() if not n.startswith("@")}
    return ";".join(f"--{name}:{value}!important" for name, value in colours.items())


def _variables(mode: Mode) -> str:
    values = {name: st.get_option(f"theme.{mode}.{name}Color") for name in THEME}
    return ";".join(f"--st-{_dashed(name)}-color:{value}" for name, value in values.items())


def _dashed(name: str) -> str:
    """grayText -> gray-text."""
    return re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", name)
