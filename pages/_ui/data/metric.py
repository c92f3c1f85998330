"""What ranks the items: inner product, cosine or Euclidean distance."""

from typing import get_args

import streamlit as st

from mips_core.data.dataset import Metric
from mips_core.data.metrics import MEASURES
from pages._ui.data.draft import Draft
from pages._ui.data.preview import Preview
from pages._ui.parts import data_facts
from pages._ui.state import app_state
from pages._ui.text.metric_words import LOGITS, MEANING

METRICS: tuple[Metric, ...] = get_args(Metric)
COINCIDE = "The norms of all items are equal here, so the three give the same answers."


def draw(draft: Draft, shown: Preview, metric: Metric) -> None:
    """The choice; it is applied with the data."""
    st.subheader("Search by", anchor=False)
    if shown.source.logits:
        st.markdown(LOGITS)
        return
    app_state.set_widget("data metric", metric)
    st.segmented_control(
        "Search by",
        METRICS,
        format_func=lambda name: MEASURES[name].label,
        required=True,
        key="data metric",
        on_change=_take,
        args=(draft,),
        label_visibility="collapsed",
    )
    st.caption(MEANING[metric] + (f" {COINCIDE}" if data_facts.facts(shown.source).equal else ""))


def _take(draft: Draft) -> None:
    draft.metric, draft.problem = app_state.widget("data metric") or draft.metric, ""
