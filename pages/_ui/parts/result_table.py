"""A result as a table: drawn, a row of it picked, and taken away as CSV and JSON."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from mips_core.data.labels import in_cell
from mips_core.groups.clusters import GroupLevel
from pages._ui.parts.data_facts import as_text
from pages._ui.state import app_state

MOST_ROWS = 1_000  # drawn; the file has all
HEIGHT = 320  # px
SHORT = 8  # rows that need no scrolling
NOT_YET = "There when all is measured, or what is under way is cancelled."

Rows = Any  # a DataFrame, columns by name, or a list of rows with the same names
Take = Callable[[int | None], None]  # told which row was picked, None where it was let go


def draw_files(
    key: str,
    name: str,
    rows: Callable[[], Rows],
    behind: Callable[[], Any],
    ready: bool = True,
    page: Callable[[], bytes] | None = None,
) -> None:
    """Buttons for the table as CSV, what is behind it as JSON, and a `page`, made when pressed.

    `key` is of this place on the page alone. Where it is not `ready`, more is to come: each look of
    the page would take back the file that the browser was just told of, so it can be had at the
    end.
    """
    with st.container(horizontal=True, gap="small"):
        draw_csv(key, name, rows, ready=ready)
        draw_json(key, name, behind, ready=ready)
        if page is not None:
            _button("Page (HTML)", page, f"{name}.html", "text/html", f"{key} page", ready)


def draw_csv(
    key: str, name: str, rows: Callable[[], Rows], label: str = "CSV", ready: bool = True
) -> None:
    """A button for all rows as CSV, made when it is pressed."""
    _button(label, lambda: csv(rows()), f"{name}.csv", "text/csv", f"{key} csv", ready)


def draw_json(
    key: str, name: str, behind: Callable[[], Any], label: str = "JSON", ready: bool = True
) -> None:
    """A button for what is behind a table as JSON, made when it is pressed."""

    def make() -> bytes:
        return json.dumps(behind(), indent=1, ensure_ascii=False).encode("utf-8", "replace")

    _button(label, make, f"{name}.json", "application/json", f"{key} json", ready)


def _button(
    label: str, make: Callable[[], bytes], file: str, kind: str, key: str, ready: bool
) -> None:
    why = None if ready else NOT_YET
    download(label, make, file, kind, key, disabled=not ready, help=why)


def download(
    label: str, make: Callable[[], Any], file: str, kind: str, key: str, **look: Any
) -> None:
    """A button that saves what `make` gives as `file`; the page stays as it is."""
    st.download_button(label, make, file, kind, on_click="ignore", key=key, **look)


def csv(rows: Rows) -> bytes:
    """All rows as CSV; text stays text in spreadsheets, and what has no UTF-8 gets a sign."""
    if isinstance(rows, list):
        rows = {name: [row[name] for row in rows] for name in rows[0]}
    if isinstance(rows, Mapping):
        rows = {name: writable(values) for name, values in rows.items()}
    table = pd.DataFrame(rows)
    for name in table.select_dtypes(exclude="number"):
        table[name] = [in_cell(v) if isinstance(v, str) else v for v in table[name]]
    text: str = table.to_csv(index=False)
    return text.encode("utf-8", "replace")


def writable(values: Any) -> Any:
    """A column as files can hold it: in a list with text, what has no UTF-8 gets a sign."""
    if not isinstance(values, list):
        return values
    return [v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for v in values]


def draw_all(rows: Rows, config: Mapping[str, Any], **look: Any) -> None:
    """Draw every row; `look` as Streamlit's tables take it. A table of Arrow's is sent as it is."""
    table = rows if isinstance(rows, pa.Table) else pd.DataFrame(rows)
    st.dataframe(table, hide_index=True, column_config=dict(config), **look)


def draw(
    columns: Mapping[str, Any], config: Mapping[str, Any], *, total: int, **picking: Any
) -> None:
    """Draw `columns`, the first MOST_ROWS of `total` rows, as high as they need up to HEIGHT."""
    table = shown(columns)
    height: Any = "content" if len(table) <= SHORT else HEIGHT
    st.dataframe(table, hide_index=True, height=height, column_config=dict(config), **picking)
    if total > len(table):
        st.caption(f"The first {len(table):,} of {total:,}. The CSV holds all.")


def shown(columns: Mapping[str, Any]) -> pa.Table:
    """Columns as a browser is sent them: by way of pandas it takes twice as long."""
    return pa.table({name: pa.array(c, from_pandas=True) for name, c in columns.items()})


def draw_to_pick(
    columns: Mapping[str, Any],
    config: Mapping[str, Any],
    *,
    total: int,
    key: str,
    picked: int | None,
    take: Take,
) -> None:
    """The same with row `picked` marked; `take` hears of another pick."""
    length = len(next(iter(columns.values())))
    rows = [picked] if picked is not None and picked < length else []
    selection: Any = {"selection": {"rows": rows, "columns": [], "cells": []}}
    app_state.set_widget(key, selection)
    draw(
        columns,
        config,
        total=total,
        key=key,
        on_select=partial(_heard, key, take),
        selection_mode="single-row",
        selection_default=selection,  # a run that ends early may take the widget's with it
    )


def _heard(key: str, take: Take) -> None:
    rows = app_state.widget(key)["selection"]["rows"]
    take(rows[0] if rows else None)


def names_of(level: GroupLevel, groups: Iterable[int]) -> list[str]:
    """What the groups are called, as text to show; that of group -1 is empty."""
    return ["" if group < 0 else as_text(level.names[group]) for group in groups]
