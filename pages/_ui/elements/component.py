"""What our elements share: how their modules are loaded, and how their choices are heard."""

from typing import Any

import streamlit as st

from pages._ui.elements import serve
from pages._ui.state import app_state


def component(name: str, module: str, styles: str = "") -> Any:
    """The element `mips_NAME`, drawn by the default export of `module` into a node of its class.

    `styles` are the names of the style sheets it needs beside the common one, as a glob pattern.
    """
    js = f"""
export default async function (component) {{
  const element = await import(new URL("{serve.address()}{module}", document.baseURI).href)
  return element.default(component)
}}
"""
    return st.components.v2.component(
        f"mips_{name}", html=f'<div class="mx mx-{name}"></div>', css=style_of(styles),
        js=js,
        isolate_styles=False,
    )  # fmt: skip


def style_of(styles: str) -> str:
    """The common style sheet, and those that this pattern names."""
    sheets = ["chart.css", *sorted(path.name for path in serve.ASSETS.glob(styles or "chart.css"))]
    return "".join(
        (serve.ASSETS / sheet).read_text(encoding="utf-8") for sheet in dict.fromkeys(sheets)
    )


def draw_style() -> None:
    """Put the pages' own CSS in place; it takes no space. The rest is in config.toml."""
    st.html(serve.ASSETS / "page.css")


def sent_choice(key: str) -> dict[str, Any]:
    """The last choice made in the element `key`, known before it is drawn; {} before the first."""
    try:
        sent = app_state.widget(key).get("choice")
    except KeyError:  # not drawn yet
        return {}
    return sent if isinstance(sent, dict) else {}


def nothing() -> None:
    """For elements without a callback: Streamlit reports a state only if it has one."""
