"""Every change and way as a table, and as files."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from mips_core import Dataset, Setting
from mips_core.studies.drift import Fresh, as_dict, rows
from pages._ui.parts import result_table

NUMBER = st.column_config.NumberColumn
SAID = {"frozen": "Frozen clusters", "refreshed": "Refreshed", "rebuilt": "Rebuilt"}
SHOWN: dict[str, Any] = {
    "size_rms": NUMBER("size, rms", format="%.3g"),
    "share": NUMBER("changed", format="percent"),
    "changed": NUMBER("items", format="localized"),
    "way": "kept up by",
    "precision": NUMBER(format="%.3f"),
    "low_95": NUMBER("95% low", format="%.3f"),
    "high_95": NUMBER("95% high", format="%.3f"),
    "points_behind": NUMBER("points behind", format="%.2f", help="A rebuild, on the same items."),
    "behind_low_95": NUMBER("behind, low", format="%.2f"),
    "behind_high_95": NUMBER("behind, high", format="%.2f"),
    "verdict": st.column_config.TextColumn(
        "verdict", help="Whether it stays within the points that may be lost."
    ),
    "speedup": NUMBER(format="%.2f×"),
    "inner_products_to_keep_up": NUMBER("inner products to keep up", format="localized"),
    "seconds": NUMBER("seconds", format="%.3g"),
}


def draw(dataset: Dataset, setting: Setting, points: Sequence[Fresh], tolerance: float) -> None:
    """The table, and its files."""
    found = rows(dataset, setting, points, tolerance)
    every, K = pd.DataFrame(found), points[0].K
    columns = {name if name != "precision" else f"precision@{K}": c for name, c in SHOWN.items()}
    table = every[[name for name in columns if not every[name].isna().all()]]
    table = table.assign(way=table["way"].map(SAID))
    with st.expander("Every change as a table", expanded=len(points) == 1):
        st.dataframe(table, hide_index=True, column_config=columns, placeholder="–")
    result_table.draw_files(
        *("drift", f"drift-{K}", lambda: every),
        lambda: as_dict(dataset, setting, points, tolerance),
    )
