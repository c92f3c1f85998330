"""Data: what is searched, and with which queries. Nothing changes until it is used."""

import streamlit as st

from pages._ui.data import account, outcome, preview, queries, source
from pages._ui.data import draft as data_draft
from pages._ui.data import metric as data_metric
from pages._ui.parts import data_export
from pages._ui.state import app_state
from pages._ui.text.scripts import PAGES
from pages._ui.text.widgets import plain, short

session = app_state.current()
draft = data_draft.of(session)
current = plain(short(session.source.name))

st.title("Data", anchor=False)
st.markdown(
    ":gray[What to search, and with which queries. Nothing changes until you press “Use this "
    "data”.]"
)


with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    source.draw_origin(draft)
    actions = st.container(horizontal=True, width="content")
line = st.container(horizontal=True, vertical_alignment="center")
left, right = st.columns(2, gap="large")
with left:
    source.draw(draft)
    outcome.read(draft)
shown = preview.preview(session, draft)
changed = False
if shown is None:
    right.container(border=True).markdown(
        "Here you see how files are understood, before they are used: size, labels, norms, and "
        f"what to know before they are searched. **{current}** stays in use until you press “Use "
        "this data”."
    )
else:
    recipe = preview.recipe_of(session, draft, shown)
    metric = preview.metric_of(session, draft, shown)
    with left:
        account.draw_understood(draft, shown)
    with right:
        account.draw_matters(draft, shown, metric)
    changed = not preview.is_current(session, shown) or (
        (recipe, metric) != (session.recipe, session.metric)
    )
    data_metric.draw(draft, shown, metric)
    st.subheader("Queries", anchor=False)
    queries.draw(shown, recipe)
    if not changed:
        data_export.draw(session)
with actions:
    st.button(
        f"Keep {current}",
        on_click=data_draft.drop,
        args=(session,),
        disabled=not changed and not (draft.reads and shown is None),
    )
    st.button(
        "Use this data",
        type="primary",
        on_click=preview.use if shown else None,
        args=(session, shown, recipe, metric) if shown else None,
        disabled=not changed,
    )
with line:
    if changed:
        st.markdown(
            f":orange[**Not used yet.**] **{current}** is searched until you use this data."
        )
    else:
        m = session.dataset.m
        st.markdown(
            f":green[**✓ {current} is searched now**], with {m:,} quer{'y' if m == 1 else 'ies'}."
        )
        st.page_link(PAGES / "tradeoff.py", label="See the trade-off →")
