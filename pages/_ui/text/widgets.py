"""Forms made from parameter declarations, so that pages name no index and no parameter."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mips_core import MipsError, ParamError
from mips_core.base.params import Param, format_value, params_of
from pages._ui.text.glossary import linked

PAGES = Path(__file__).parents[2]  # where the scripts of the pages are
Spec = TypeVar("Spec")
ADDRESS = re.compile(r"(?<=https:)(?=//)|(?<=http:)(?=//)|(?<=www)(?=\.)|(?=@[\w-]+\.)", re.I)


def params_form(spec: Spec, key: str, names: list[str] | None = None) -> Spec | None:
    """One widget per declared parameter of `names` (default: all), starting from `spec`.

    What cannot be is said beside the form, and None comes back.
    """
    declared = params_of(spec)
    try:
        values = {
            name: _widget(declared[name], getattr(spec, name), f"{key} {name}")
            for name in (declared if names is None else names)
        }
        return replace(spec, **values)  # type: ignore[type-var]
    except MipsError as error:
        st.error(refusal(error))
        return None


def _widget(p: Param, value: Any, key: str) -> Any:
    if p.kinds is not None:
        return _nested(p, value, key)
    if p.choices:
        return st.selectbox(
            p.label,
            p.choices,
            p.choices.index(value),
            help=linked(p.help),
            key=key,
            format_func=str.title,
        )
    if isinstance(value, bool):
        return st.toggle(p.label, value, help=linked(p.help), key=key)
    if isinstance(value, tuple):
        text = st.text_input(
            p.label, "" if not value else format_value(value), help=linked(p.help), key=key
        )
        return _sizes(text)
    if isinstance(value, int):
        return st.number_input(
            p.label, int(p.low), int(p.high), value, help=linked(p.help), key=key
        )
    step = 0.05 if p.high > 0.5 else 0.01
    return st.number_input(
        p.label, p.low, p.high, value, step, "%.4g", help=linked(p.help), key=key
    )


def _nested(p: Param, value: Any, key: str) -> Any:
    """A choice of kind, then the parameters of that kind."""
    assert p.kinds is not None
    kinds = list(p.kinds)
    kind = st.selectbox(
        p.label, kinds, kinds.index(value.kind), help=linked(p.help), key=key, format_func=str.title
    )
    start = value if kind == value.kind else p.kinds[kind]()
    return params_form(start, f"{key} {kind}") or start


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(
            int(part) for part in text.lower().replace("×", "x").split("x") if part.strip()
        )
    except ValueError:
        raise ParamError(
            f"“{text}” is no list of sizes.", "Write whole numbers like 46x2154."
        ) from None


def labelled(label: str) -> DeltaGenerator:
    """A place for a button in a row of boxes: under a label, as they stand. Once a page each."""
    place = st.container(width="content", gap=None, key=f"labelled {label}")
    place.markdown(f":small[{label}]")
    return place


def plain(text: str) -> str:
    """`text` with every sign that Markdown would act on made harmless.

    Addresses become links by themselves, escaped or not, so a word joiner (no width) parts them.
    """
    text = ADDRESS.sub("\N{WORD JOINER}", text)
    for sign in "\\`*_{}[]()<>#+-.!|~$:":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")


def short(name: str) -> str:
    """A name that fits into a button."""
    return name if len(name) <= 32 else f"{name[:31]}…"


def refusal(error: MipsError, ending: str = "") -> str:
    """An error in the look of the pages: what was found in bold, then what to do."""
    return " ".join(filter(None, (f"**{plain(error.found)}**", plain(error.remedy), ending)))


def safe_name(name: str) -> str:
    """The last part of `name` as a file may be called anywhere; its suffixes stay."""
    last = re.split(r"[/\\]", name)[-1]
    last = "".join(c if c.isprintable() and c not in '<>:"|?*' else "_" for c in last).rstrip(" .")
    end = re.search(r"(\.[a-z0-9_]{1,12}){0,2}$", last, re.IGNORECASE | re.ASCII)
    suffix = end[0] if end else ""
    stem = last[: len(last) - len(suffix)].encode(errors="replace")[:150].decode(errors="ignore")
    return (stem.strip(" .") or "upload") + suffix
