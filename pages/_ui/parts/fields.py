"""Widgets of a parameter, declared or of this place, which gives label, help and bounds."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import streamlit as st

from mips_core.base.params import Param
from pages._ui.text.glossary import linked

Take = Callable[..., None]  # told, with the arguments given here, that the widget was moved


def buttons(
    declared: Param, words: Mapping[Any, str], value: Any, key: str, take: Take, *args: Any
) -> None:
    """One of a few values in a row of buttons, of which one is always pressed."""
    st.segmented_control(
        declared.label,
        list(words),
        default=value,
        format_func=words.__getitem__,
        key=key,
        on_change=take,
        args=args,
        required=True,
        help=linked(declared.help),
    )


def box(
    declared: Param,
    words: Mapping[Any, str],
    value: Any,
    key: str,
    take: Take | None,
    *args: Any,
    width: int,
) -> Any:
    """One of many values in a box, and which it is; the first where `value` is none of them."""
    return st.selectbox(
        declared.label,
        list(words),
        list(words).index(value) if value in words else 0,
        format_func=words.__getitem__,
        key=key,
        on_change=take,
        args=args,
        help=linked(declared.help),
        width=width,
    )


def number(
    declared: Param,
    value: float,
    step: float,
    key: str,
    take: Take,
    *args: Any,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """A number of the kind of `value` within the declared bounds."""
    kind = type(value)
    low, high = kind(declared.low), kind(declared.high)
    st.number_input(
        declared.label,
        low,
        high,
        value,
        kind(step),
        key=key,
        on_change=take,
        args=args,
        width=width,
        help=linked(declared.help),
    )
