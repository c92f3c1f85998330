"""A table below the map with a row for each group, of which one can be picked; and as a file."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mips_core.groups.clusters import GroupLevel
from pages._ui.parts.data_facts import as_text
from pages._ui.state import app_state

MOST_ROWS = 1_000  # shown; the file has all
HEIGHT = 320  # px
SHORT = 8  # rows that need no scrolling

Take = Callable[[int | None], None]  # told which row was picked, None where it was let go


def draw(
    columns: Mapping[str, Any],
    config: Mapping[str, Any],
    *,
    total: int,
    key: str,
    picked: int | None,
    take: Take,
) -> None:
    """Draw `columns`, the first MOST_ROWS of `total` rows, with row `picked` marked.

    `take` hears of another pick.
    """
    shown = pd.DataFrame(columns)
    rows = [picked] if picked is not None and picked < len(shown) else []
    selection: Any = {"selection": {"rows": rows, "columns": [], "cells": []}}
    app_state.set_widget(key, selection)
    height: Any = "content" if len(shown) <= SHORT else HEIGHT
    st.dataframe(
        shown,
        hide_index=True,
        height=height,
        column_config=dict(config),
        key=key,
        on_select=partial(_heard, key, take),
        selection_mode="single-row",
        selection_default=selection,  # a run that ends early may take the widget's with it
    )
    if total > len(shown):
        st.caption(f"The first {len(shown):,} of {total:,}. The CSV holds all.")


def names_of(level: GroupLevel, groups: Iterable[int]) -> list[str]:
    """What the groups are called, as text to show; that of group -1 is empty."""
    return ["" if group < 0 else as_text(level.names[group]) for group in groups]


def csv(columns: Mapping[str, Any]) -> bytes:
    """All rows as CSV; text that has no UTF-8 gets a sign."""
    table = pd.DataFrame({name: _writable(values) for name, values in columns.items()})
    text: str = table.to_csv(index=False)
    return text.encode()


def _writable(values: Any) -> Any:
    if isinstance(values, list) and values and isinstance(values[0], str):
        return [text.encode("utf-8", "replace").decode() for text in values]
    return values


def _heard(key: str, take: Take) -> None:
    rows = app_state.widget(key)["selection"]["rows"]
    take(rows[0] if rows else None)
