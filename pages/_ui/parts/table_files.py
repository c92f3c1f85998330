"""What a table shows, and all that is behind it, as files to take away."""

import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st


def draw(
    key: str,
    name: str,
    table: Callable[[], pd.DataFrame],
    behind: Callable[[], Any],
    ready: bool = True,
) -> None:
    """Buttons for the table as CSV and for what is behind it as JSON, both made when pressed.

    Text is written as it is, but for what has no UTF-8. `key` is of this place on the page alone.
    Where it is not `ready`, more is to come: each look of the page would take back the file that
    the browser was just told of, so it can be had at the end.
    """
    with st.container(horizontal=True, gap="small"):
        _button(key, name, "csv", "text/csv", lambda: table().to_csv(index=False), ready)
        _button(
            *(key, name, "json", "application/json"),
            lambda: json.dumps(behind(), indent=1, ensure_ascii=False),
            ready,
        )


def _button(
    key: str, name: str, ending: str, kind: str, text: Callable[[], str], ready: bool
) -> None:
    st.download_button(
        ending.upper(),
        lambda: text().encode("utf-8", "replace"),
        f"{name}.{ending}",
        kind,
        on_click="ignore",
        key=f"{key} {ending}",
        disabled=not ready,
        help=None if ready else "There when all is measured, or what is under way is cancelled.",
    )
