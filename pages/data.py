"""Data: what is searched, and with which queries. Nothing changes until it is used."""

import streamlit as st

from mips_core.base.text import counted
from pages._ui.data import account, outcome, queries, source
from pages._ui.data.draft import (
    draft_of,
    drop_draft,
    is_current,
    metric_of,
    preview_of,
    recipe_of,
    use_draft,
)
from pages._ui.parts import data_export
from pages._ui.state import app_state
from pages._ui.text.widgets import PAGES, plain, short

session = app_state.current()
draft = draft_of(session)
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
preview = preview_of(session, draft)
changed = False
if preview is None:
    right.container(border=True).markdown(
        "Here you see how files are understood, before they are used: size, labels, norms, and "
        f"what to know before they are searched. **{current}** stays in use until you press “Use "
        "this data”."
    )
else:
    recipe = recipe_of(session, draft, preview)
    metric = metric_of(session, draft, preview)
    with left:
        account.draw_understood(draft, preview)
    with right:
        account.draw_matters(draft, preview, metric)
    account.draw_rows(draft, preview)
    changed = not is_current(session, preview) or (
        (recipe, metric) != (session.recipe, session.metric)
    )
    queries.draw_metric(draft, preview, metric)
    st.subheader("Queries", anchor=False)
    queries.draw(preview, recipe)
    if not changed:
        data_export.draw(session)
with actions:
    st.button(
        f"Keep {current}",
        on_click=drop_draft,
        args=(session,),
        disabled=not changed and not (draft.reads and preview is None),
    )
    st.button(
        "Use this data",
        type="primary",
        on_click=use_draft if preview else None,
        args=(session, preview, recipe, metric) if preview else None,
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
            f":green[**✓ {current} is searched now**], with {counted(m, 'query', 'queries')}."
        )
        st.page_link(PAGES / "tradeoff.py", label="See the trade-off →")
