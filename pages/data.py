"""Data: what is searched, and with which queries. Nothing changes until it is used."""

from pathlib import Path

import streamlit as st

from pages._ui import (
    data_account,
    data_draft,
    data_export,
    data_metric,
    data_outcome,
    data_preview,
    data_queries,
    data_source,
    session,
)
from pages._ui.widgets import plain, short

chosen = session.current()
draft = data_draft.of(chosen)
current = plain(short(chosen.source.name))

st.title("Data", anchor=False)
st.markdown(
    ":gray[What to search, and with which queries. Nothing changes until you press “Use this "
    "data”.]"
)


with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    data_source.draw_origin(draft)
    actions = st.container(horizontal=True, width="content")
line = st.container(horizontal=True, vertical_alignment="center")
left, right = st.columns(2, gap="large")
with left:
    data_source.draw(draft)
    data_outcome.read(draft)
shown = data_preview.preview(chosen, draft)
changed = False
if shown is None:
    right.container(border=True).markdown(
        "Here you see how files are understood, before they are used: size, labels, norms, and "
        f"what to know before they are searched. **{current}** stays in use until you press “Use "
        "this data”."
    )
else:
    recipe = data_preview.recipe_of(chosen, draft, shown)
    metric = data_preview.metric_of(chosen, draft, shown)
    with left:
        data_account.draw_understood(draft, shown)
    with right:
        data_account.draw_matters(draft, shown, metric)
    changed = not data_preview.is_current(chosen, shown) or (
        (recipe, metric) != (chosen.recipe, chosen.metric)
    )
    data_metric.draw(draft, shown, metric)
    st.subheader("Queries", anchor=False)
    data_queries.draw(shown, recipe)
    if not changed:
        data_export.draw(chosen)
with actions:
    st.button(
        f"Keep {current}",
        on_click=data_draft.drop,
        args=(chosen,),
        disabled=not changed and not (draft.reads and shown is None),
    )
    st.button(
        "Use this data",
        type="primary",
        on_click=data_preview.use if shown else None,
        args=(chosen, shown, recipe, metric) if shown else None,
        disabled=not changed,
    )
with line:
    if changed:
        st.markdown(
            f":orange[**Not used yet.**] **{current}** is searched until you use this data."
        )
    else:
        m = chosen.dataset.m
        st.markdown(
            f":green[**✓ {current} is searched now**], with {m:,} quer{'y' if m == 1 else 'ies'}."
        )
        st.page_link(Path(__file__).with_name("tradeoff.py"), label="See the trade-off →")
