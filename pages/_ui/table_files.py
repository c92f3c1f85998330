"""What a table shows, and all that is behind it, as files to take away."""

import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st


def draw(key: str, name: str, table: Callable[[], pd.DataFrame], behind: Callable[[], Any]) -> None:
    """Buttons for the table as CSV and for what is behind it as JSON, both made when pressed.

    Text is written as it is, but for what has no UTF-8. `key` is of this place on the page alone.
    """
    with st.container(horizontal=True, gap="small"):
        _button(key, name, "csv", "text/csv", lambda: table().to_csv(index=False))
        _button(
            *(key, name, "json", "application/json"),
            lambda: json.dumps(behind(), indent=1, ensure_ascii=False),
        )


def _button(key: str, name: str, ending: str, kind: str, text: Callable[[], str]) -> None:
    st.download_button(
        ending.upper(),
        lambda: text().encode("utf-8", "replace"),
        f"{name}.{ending}",
        kind,
        on_click="ignore",
        key=f"{key} {ending}",
    )
