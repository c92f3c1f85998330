"""What ranks the items: inner product, cosine or Euclidean distance."""

from typing import get_args

import streamlit as st

from mips_core import Dataset
from mips_core.dataset import Metric
from mips_core.metrics import MEASURES
from pages._ui import data_facts, session
from pages._ui.data_draft import Draft
from pages._ui.data_preview import Preview

METRICS: tuple[Metric, ...] = get_args(Metric)
MEANING: dict[Metric, str] = {
    "inner product": "The item that reaches farthest along the query comes first: direction and "
    "length both count.",
    "cosine": "The item whose direction is nearest to the query's comes first: lengths do not "
    "count. Solved exactly as inner product search, with every item scaled to length 1 (Auvolat et "
    "al. 2015, equation 3).",
    "euclidean": "The item at the least distance from the query comes first. Solved exactly as "
    "inner product search, with −‖x‖²/2 as a further entry of every item (Auvolat et al. 2015, "
    "equation 2).",
}
LOGITS = (
    "A classifier layer is searched by inner product only: its inner products are the logits, and "
    "softmax keeps their order."
)
COINCIDE = "The norms of all items are equal here, so the three give the same answers."


def ranked_by(dataset: Dataset) -> str:
    """What comes first when `dataset` is searched, in a sentence or two."""
    return LOGITS if dataset.logits else MEANING[dataset.metric]


def draw(draft: Draft, shown: Preview, metric: Metric) -> None:
    """The choice; it is applied with the data."""
    st.subheader("Search by", anchor=False)
    if shown.source.logits:
        st.markdown(LOGITS)
        return
    session.set_widget("data metric", metric)
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
    draft.metric, draft.problem = session.widget("data metric") or draft.metric, ""
