"""Choices in files: which array or file, which labels, header or not. Only what can be chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from mips_core.base.params import Param, params_of
from mips_core.data.readers import Choices, Offers
from mips_core.data.readers.choices import NONE, Offer
from pages._ui.data import draft as data_draft
from pages._ui.data.draft import Draft
from pages._ui.state import app_state

Which = Literal["choices", "ratings"]  # the fields of Asked

HEADER = {"names": "Names the columns", "data": "Is the first row"}


def draw(draft: Draft, offers: Offers) -> None:
    """What else files of vectors could mean; nothing where there is nothing to choose."""
    choices = draft.asked.choices
    if len(offers.arrays) > 1:
        select(draft, "choices", "array", offers.arrays, choices.array or offers.array)
        others = [offer for offer in offers.arrays if offer.name != offers.array]
        if offers.array and not offers.alternatives:
            taken = choices.queries or offers.queries
            select(draft, "choices", "queries", others, taken, "none of these")
    if offers.labels:
        taken = choices.label or offers.label
        select(draft, "choices", "label", offers.labels, taken, "no labels")
    if offers.header is not None:
        draw_header(draft, "choices", offers.header)
    if choices.skip_bad:
        toggle(draft, "choices", "skip_bad", (False, True))


def is_choice(draft: Draft, offers: Offers) -> bool:
    """Whether `draw` draws anything."""
    several = len(offers.arrays) > 1 or bool(offers.labels)
    return several or offers.header is not None or draft.asked.choices.skip_bad


def select(
    draft: Draft, which: Which, name: str, offers: Sequence[Offer], taken: str, nothing: str = ""
) -> None:
    """A field of the draft's choices, one of `offers`, or none where `nothing` says it in words."""
    about = {offer.name: offer.about for offer in offers}
    said = {name: f"{name} · {text}" if text else name for name, text in about.items()}
    if nothing:
        said, taken = {NONE: nothing, **said}, taken or NONE
    declared, key = _declared(draft, which, name), f"data {which} {name}"
    app_state.set_widget(key, taken if taken in said else None)
    st.selectbox(
        declared.label,
        list(said),
        index=0 if taken in said else None,
        format_func=said.__getitem__,
        key=key,
        placeholder="Choose …",
        on_change=_take,
        args=(draft, which, name),
        help=declared.help,
    )


def draw_header(draft: Draft, which: Which, header: bool) -> None:
    """Whether the first line of a table names its columns."""
    segments(draft, which, "header", HEADER, "names" if header else "data")


def segments(draft: Draft, which: Which, name: str, said: Mapping[str, str], taken: str) -> None:
    """A field of the draft's choices with few values, which `said` puts into words."""
    key = f"data {which} {name}"
    app_state.set_widget(key, taken)
    st.segmented_control(
        _declared(draft, which, name).label,
        list(said),
        format_func=said.__getitem__,
        required=True,
        key=key,
        on_change=_take,
        args=(draft, which, name),
    )


def toggle(draft: Draft, which: Which, name: str, values: tuple[Any, Any], label: str = "") -> None:
    """A field of the draft's choices that has two values, the second of which means on."""
    declared, key = _declared(draft, which, name), f"data {which} {name}"
    app_state.set_widget(key, getattr(getattr(draft.asked, which), name) == values[1])
    st.toggle(
        label or declared.label,
        key=key,
        on_change=_take,
        args=(draft, which, name, values),
        help=declared.help,
    )


def _declared(draft: Draft, which: Which, name: str) -> Param:
    return params_of(getattr(draft.asked, which))[name]


def _take(draft: Draft, which: Which, name: str, values: Sequence[Any] = ()) -> None:
    """What a widget holds becomes a field of the choices."""
    value = app_state.widget(f"data {which} {name}")
    if value is None:
        return
    old: Any = getattr(draft.asked, which)
    if isinstance(old, Choices) and name == "array":  # what were its queries may not be of another
        old = replace(old, queries="", label="")
    changed = replace(old, **{name: values[value] if values else value})
    data_draft.correct(draft, replace(draft.asked, **{which: changed}))
