"""The Data page's choice of what ranks the items, and of queries: whence, how many, how noisy."""

from dataclasses import replace
from typing import Any, get_args

import streamlit as st

from mips_core import Dataset
from mips_core.base.params import params_of
from mips_core.data.dataset import Metric
from mips_core.data.metrics import MEASURES
from mips_core.data.queries import QueryRecipe
from pages._ui.data.draft import Draft, Preview, draft_of
from pages._ui.parts import data_facts
from pages._ui.state import app_state
from pages._ui.text.dataset_words import LOGITS, MEANING

METRICS: tuple[Metric, ...] = get_args(Metric)
COINCIDE = "The norms of all items are equal here, so the three give the same answers."
HELP = (
    "Sampled items: a seeded sample of the rows. Each query's best match is then often itself. "
    "Items with noise: the same rows with Gaussian noise on every entry."
)

ALONE = "There is one item only: without it a query would have no answer."


def draw_metric(draft: Draft, preview: Preview, metric: Metric) -> None:
    """The choice; it is applied with the data."""
    st.subheader("Search by", anchor=False)
    if preview.source.logits:
        st.markdown(LOGITS)
        return
    app_state.set_widget("data metric", metric)
    st.segmented_control(
        "Search by",
        METRICS,
        format_func=lambda name: MEASURES[name].label,
        required=True,
        key="data metric",
        on_change=_take_metric,
        args=(draft,),
        label_visibility="collapsed",
    )
    st.caption(MEANING[metric] + (f" {COINCIDE}" if data_facts.facts(preview.source).equal else ""))


def _take_metric(draft: Draft) -> None:
    draft.metric, draft.problem = app_state.widget("data metric") or draft.metric, ""


def draw(preview: Preview, recipe: QueryRecipe) -> None:
    """The form; what it holds is applied with the data."""
    source = preview.source
    names = {"rows": "Sampled items", "noisy": "Items with noise"}
    if source.m:
        names["own"] = own_name(preview)
    declared = params_of(QueryRecipe)
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        app_state.set_widget("data queries source", recipe.source)
        st.segmented_control(
            declared["source"].label, names, format_func=names.__getitem__, required=True,
            help=HELP + (" The last are those that came with the data." if source.m else ""),
            **_widget("source", recipe, recipe.source),
        )  # fmt: skip
        most = min(int(declared["count"].high), most_queries(source, recipe))
        count = min(recipe.count, most)
        app_state.set_widget("data queries count", count)
        st.number_input(
            f"How many, 1 to {most:,}", 1, most, step=min(100, most), width=180,
            help=declared["count"].help, **_widget("count", recipe, count),
        )  # fmt: skip
        if recipe.source == "noisy":
            low, high = declared["noise"].low, declared["noise"].high
            app_state.set_widget("data queries noise", recipe.noise)
            st.number_input(
                declared["noise"].label, low, high, step=0.05, width=140,
                help=declared["noise"].help, **_widget("noise", recipe, recipe.noise),
            )  # fmt: skip
    if recipe.source != "own":
        app_state.set_widget("data queries exclude_self", recipe.exclude_self)
        alone = source.n == 1
        st.toggle(
            declared["exclude_self"].label, disabled=alone,
            help=ALONE if alone else declared["exclude_self"].help,
            **_widget("exclude_self", recipe, recipe.exclude_self),
        )  # fmt: skip


def most_queries(source: Dataset, recipe: QueryRecipe) -> int:
    """How many queries there can be."""
    return source.m if recipe.source == "own" else source.n


def own_name(preview: Preview) -> str:
    """What the queries that came with the data are called."""
    rated = preview.reading is not None and preview.reading.opened.ratings is not None
    if preview.source.simulated or rated:
        return "Users"
    return "Hidden states" if preview.source.logits else "Its own queries"


def _widget(name: str, recipe: QueryRecipe, drawn: Any) -> dict[str, Any]:
    key = f"data queries {name}"
    return {"key": key, "on_change": _take, "args": (name, recipe, drawn)}


def _take(name: str, recipe: QueryRecipe, drawn: Any) -> None:
    """A field that is gone may report what it was drawn with once more: that is no choice."""
    value = app_state.widget(f"data queries {name}")
    if value not in (None, drawn):
        own = name == "source" and value == "own"
        excluded = recipe.exclude_self and not own
        draft_of(app_state.current()).recipe = replace(
            recipe, **{"exclude_self": excluded, name: value}
        )
