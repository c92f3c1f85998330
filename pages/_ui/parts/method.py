"""A method in words: what it does, what a query costs, what can be set; and which are compared.

The words come from the class of the index, so a new one is described by existing.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import streamlit as st

from mips_core import Index
from mips_core.base.params import allowed, format_value, params_of
from mips_core.figures.styles import METHODS
from pages._ui.elements.still_picture import still_picture
from pages._ui.parts.method_picture import colours, picture_of
from pages._ui.state import app_state
from pages._ui.state.session import methods
from pages._ui.text.widgets import PAGES, labelled, plain


def contents(keys: Iterable[str]) -> None:
    """A link to each of these methods on the same page; no name is broken at its end of a line."""
    names = {key: f"{METHODS[key].glyph} {METHODS[key].label}" for key in keys}
    whole = str.maketrans({" ": "\N{NO-BREAK SPACE}", "-": "\N{NON-BREAKING HYPHEN}"})
    links = (f"[{name.translate(whole)}](#{key})" for key, name in names.items())
    st.container(key="contents").markdown("\N{EM SPACE}".join(links))


def describe(cls: type[Index]) -> None:
    """Everything a person may want to know of a method: picture, words, parameters folded."""
    what, cost = cls.about()
    st.subheader(f"{METHODS[cls.key].glyph} {cls.label}", anchor=cls.key)
    words: Any = st
    if picture := picture_of(cls.key):
        beside, words = st.columns([1, 3])
        with beside:
            still_picture(picture, colours(), key=f"picture {cls.key}")
    words.markdown(
        f"{plain(what)}\n\n**Cost of a query:** {plain(cost)}  \n"
        f"**{plain(cls.effort_name)}:** {plain(cls.effort_help)}  \n"
        f"**Source:** {plain(cls.cite)}"
    )
    known = list(_parameters(cls()))
    if known:
        with words.expander(f"Parameters of {cls.label}"):
            st.markdown("\n".join(known))


def summary(cls: type[Index]) -> str:
    """What a method does and what it costs, for a place beside its form."""
    what, cost = cls.about()
    return f"{plain(what)} **Cost of a query:** {plain(cost)}"


def choose() -> None:
    """Which methods are drawn at their best."""
    session = app_state.current()
    with labelled("Methods").popover(f"{len(session.methods)} of {len(methods())}"):
        st.pills(
            "Methods compared",
            methods(),
            selection_mode="multi",
            default=session.methods,
            format_func=lambda key: f"{METHODS[key].glyph} {METHODS[key].label}",
            key=_key(),
            on_change=_take_methods,
            args=(_key(),),
            help="Each is tried at the settings of its grid, in the background. The index under "
            "the slider is always drawn.",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("All of them", on_click=_take_all)
            st.page_link(PAGES / "methods.py", label="What they do and cost")


def _key() -> str:
    """A list that was filled by the button is another widget: an open one keeps what it shows."""
    return f"methods {app_state.current().filled}"


def _take_methods(key: str) -> None:
    if key == _key():  # not one that is gone
        app_state.current().methods = app_state.widget(key)


def _take_all() -> None:
    app_state.current().methods = methods()
    app_state.current().filled += 1


def _parameters(spec: Any, within: str = "") -> Iterator[str]:
    """A line for every parameter, nested ones after their own: label, default, allowed, help."""
    for name, p in params_of(spec).items():
        value = getattr(spec, name)
        values = f"{format_value(value)} by default, {allowed(p, value)} allowed"
        when = "" if p.at == "build" else " Can be changed without building again."
        yield f"- **{plain(within + p.label)}** ({plain(values)}): {plain(p.help + when)}"
        for kind, cls in (p.kinds or {}).items():
            yield from _parameters(cls(), f"{p.label} {kind}: ")
