"""Trade-off: what does speed cost? Precision against speedup, live."""

from typing import Any

import pyarrow as pa
import streamlit as st

from mips_core import Curve
from mips_core.studies.curve_table import columns, report
from pages._ui.parts import (
    curve_file,
    curve_on_all,
    kept_index,
    live_curve,
    method,
    result_table,
    sampled_settings,
)
from pages._ui.state import app_state
from pages._ui.state.settings import (
    evaluations,
    methods_drawn,
    name_of,
    settings_of,
    unsettled,
)
from pages._ui.text.dataset_words import say_simulated
from pages._ui.work.task import while_same

session = app_state.current()
SHOW = {"best": "Best of each method", "built": "Built indexes"}

st.title("Trade-off", anchor=False)
st.markdown(
    f":gray[How many of the true top {session.K} a search keeps, and how many inner products it "
    "saves. Up and to the right is better.]"
)


def take_show() -> None:
    """Remember what is shown; pressing the pressed one changes nothing."""
    session.show = app_state.widget("show") or session.show


with st.container(horizontal=True, vertical_alignment="top"):
    st.segmented_control(
        "Show",
        SHOW,
        default=session.show,
        format_func=SHOW.__getitem__,
        key="show",
        on_change=take_show,
        required=True,
        help="Best of each method: the settings that no other setting of the method beats in both "
        "precision and cost. "
        "Built indexes: each index you keep, at every effort.",
    )
    if session.show == "best":
        method.choose()
    kept_index.choose()


def table() -> None:
    """How to read the picture; every point as a table, and as files."""
    live_curve.draw_key()
    live_curve.draw_progress()
    if session.show == "best":
        sampled_settings.draw(session, methods_drawn(session), "curve")
    every = evaluations(session, settings_of(session).all)
    if not every:
        return
    dataset, K = session.dataset, session.K

    def curves() -> list[Curve]:
        return [evaluation.curve((K,)) for evaluation in every]

    def made() -> tuple[dict[str, Any], pa.Table]:
        points = columns(dataset, curves(), K)
        return points, pa.table(points)  # as it is sent: by way of pandas it takes longer

    name = ("every point", session.owner)
    points, drawn = while_same(name, (name_of(session, every), K), made)
    st.subheader("Every point as a table", anchor=False)
    st.dataframe(
        drawn,
        hide_index=True,
        height=240,
        column_config={
            "speedup": st.column_config.NumberColumn(format="%.2f×"),
            "effort_counts": "effort of",
            "missed_all": "missed all",
            "inner_products": st.column_config.NumberColumn("inner products", format="%.1f"),
            f"precision@{K}": st.column_config.NumberColumn(format="%.3f"),
            "low_95": st.column_config.NumberColumn("95% low", format="%.3f"),
            "high_95": st.column_config.NumberColumn("95% high", format="%.3f"),
        },
    )
    ready = not unsettled(session, settings_of(session))
    result_table.draw_files(
        "curves",
        f"curves-{K}",
        lambda: points,
        lambda: report(dataset, curves()),
        ready,
        lambda: curve_file.file_of(session.snapshot()),
    )


def below() -> None:
    """What stands under the picture."""
    table()
    curve_on_all.draw()


say_simulated(session.source)
live_curve.draw("trade-off", below, curve_on_all.waits)
