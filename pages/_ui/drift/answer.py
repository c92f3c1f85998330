"""What is known of changes: the advice, the pictures, the table of what is behind them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mips_core import Dataset, Setting
from mips_core.base.text import counted
from mips_core.figures import drift as figures
from mips_core.figures.tradeoff import SIMULATED
from mips_core.studies.drift import Decay, Fresh, KeptFresh, advice, as_dict, rows
from mips_core.studies.drift.advice import effort_in_words, in_words, in_words_of_one
from pages._ui.drift import work
from pages._ui.elements.chart import chart
from pages._ui.parts import result_table
from pages._ui.state import app_state
from pages._ui.state.session import Session

NUMBER = st.column_config.NumberColumn
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


def draw(result: Decay | KeptFresh, *, whole: bool) -> None:
    """All of it, the words first; not `whole`: more is to come, or was cancelled."""
    session = app_state.current()
    if not whole:
        st.caption("What is known so far:")
    tolerance = work.state_of(session).tolerance / 100
    if isinstance(result, Decay):
        _decay(session, result, tolerance)
        _draw_table(session.dataset, result.setting, result.points, tolerance)
    else:
        _version(result, tolerance)
        _draw_table(session.dataset, result.setting, (result.point,), tolerance)


def _decay(session: Session, result: Decay, tolerance: float) -> None:
    with st.container(key="drift sentence", gap="xsmall"):
        for words in _words(result, tolerance):
            st.markdown(words)
    figure, count, key = figures.decay_figure(result), len(result.sizes), result.setting.index.key
    looks = {figures.look_of(way, key): name for way, name in figures.NAMES.items()}
    if session.source.simulated:
        figure["layout"]["annotations"].append(SIMULATED)
    chart(
        figure,
        key="drift",
        height=figures.HEIGHT,
        narrow=figures.narrow_decay(result),
        narrow_height=figures.NARROW_HEIGHT * count + 40,
        alt=f"Precision at {result.K} of frozen, refreshed and rebuilt clusters against the share "
        "of items that changed. The same numbers are in the table below.",
        chips=list(looks),
        labels=looks,
        topic=f"{session.source.fingerprint} {result.recipe.kind} {key}",
        file_name=f"drift-{result.K}",
    )
    st.caption(_about(result))
    st.markdown("**What keeping up takes**")
    chart(
        figures.cost_figure(result),
        key="drift cost",
        height=figures.COST_HEIGHT,
        alt="Inner products to update, refresh or rebuild against the share of items that changed.",
        chips=list(looks),
        labels=looks,
        topic=f"{session.source.fingerprint} {result.recipe.kind} {key}",
        file_name=f"drift-cost-{result.K}",
    )


def _words(result: Decay, tolerance: float) -> list[str]:
    """The advice on sizes of which more is known than how it begins, without a change."""
    by_size = [result.of_size(size) for size in result.sizes]
    return in_words([advice(points, tolerance) for points in by_size if points[-1].share > 0])


def _about(result: Decay) -> str:
    """How the numbers came about."""
    recipe, m = result.recipe, counted(result.m, "query", "queries")
    effort = effort_in_words(result.setting, result.points)
    if recipe.kind == "moved":
        changes = (
            "Changes are simulated: noise on your items, in multiples of the root mean square "
            "(rms) of their entries; the same rows first at every share. Queries stay as they are."
        )
    else:
        changes = (
            f"{counted(result.n, 'of your items was', 'of your items were')} built on, the others "
            "held out and added: vectors that the index had not seen."
        )
    return (
        f"{changes} Each way with {recipe.builds} builds at {effort}; {m}; "
        "true answers are found anew at every share. Bands: 95% intervals over queries."
        f"{_longer(result.points[-1])}"
    )


def _longer(point: Fresh) -> str:
    """What is to know of vectors longer than any was, as a footnote to the verdict."""
    return f" {point.due}" if point.due else ""


def _version(result: KeptFresh, tolerance: float) -> None:
    versions, point = result.versions, result.point
    with st.container(key="drift sentence", gap="xsmall"):
        st.markdown(in_words_of_one(point, tolerance))
        st.markdown(versions.in_words())
    for warning in versions.warnings():
        st.warning(warning)
    if len(versions.cosines):
        chart(
            figures.moves_figure(versions),
            key="drift moves",
            height=figures.MOVES_HEIGHT,
            narrow=figures.NARROW_MOVES,
            alt="How far items moved: their cosines with what they were, and their lengths.",
            topic=f"{versions.old.fingerprint} {versions.new.fingerprint}",
            file_name="drift-moves",
        )
    st.caption(
        f"{counted(point.m, 'query', 'queries')} of the data in use, as they are; true answers "
        f"among the new items. {len(point.ways['frozen'])} builds of each, at "
        f"{effort_in_words(result.setting, (point,))}.{_longer(point)}"
    )


def _draw_table(
    dataset: Dataset, setting: Setting, points: Sequence[Fresh], tolerance: float
) -> None:
    """The table, and its files."""
    every, K = pd.DataFrame(rows(dataset, setting, points, tolerance)), points[0].K
    columns = {name if name != "precision" else f"precision@{K}": c for name, c in SHOWN.items()}
    table = every[[name for name in columns if not every[name].isna().all()]]
    table = table.assign(way=table["way"].map(figures.NAMES))
    with st.expander("Every change as a table", expanded=len(points) == 1):
        st.dataframe(table, hide_index=True, column_config=columns, placeholder="–")
    report = partial(as_dict, dataset, setting, points, tolerance)
    result_table.draw_files("drift", f"drift-{K}", lambda: every, report)
