"""Data: what is searched, and with which queries. Nothing changes until it is used."""

from pathlib import Path

import streamlit as st

from mips_core.catalog import CATALOG
from pages._ui import data_draft, data_facts, data_queries, data_source, session
from pages._ui.data_draft import Preview
from pages._ui.widgets import plain

chosen = session.current()
draft = data_draft.of(chosen)
current = plain(data_facts.short(chosen.source.name))

st.title("Data", anchor=False)
st.markdown(
    ":gray[What to search, and with which queries. Nothing changes until you press “Use this "
    "data”.]"
)


def draw_name(shown: Preview) -> None:
    """What is shown, and how it was read."""
    reading = shown.reading
    how = (
        f" · {data_facts.megabytes(reading.size)} · read in {reading.seconds:.1f} s"
        if reading
        else ""
    )
    st.markdown(f"**{plain(data_facts.short(shown.source.name))}**{how}")


def draw_account(shown: Preview) -> None:
    """What was understood, and what matters."""
    with left:
        if shown.data not in CATALOG:
            draw_name(shown)
        data_facts.draw_understood(
            shown.source, () if shown.data in CATALOG else shown.source.notes
        )
    with right:
        data_facts.draw_findings(shown.source)
        data_facts.draw_norms(shown.source)
        data_facts.draw_first_rows(shown.source)
        if shown.data not in CATALOG:
            st.caption(
                "Once it is used, whoever has this page’s link can see this data while it is "
                "kept: as long as somebody uses it, and ten minutes longer."
            )


with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    data_source.draw_origin(draft)
    actions = st.container(horizontal=True, width="content")
line = st.container(horizontal=True, vertical_alignment="center")
left, right = st.columns(2, gap="large")
with left:
    if draft.origin == data_draft.SHIPPED:
        data_source.draw_shipped(draft)
    else:
        data_source.draw_upload(draft)
shown = data_draft.preview(chosen, draft)
changed = False
if shown is None:
    with right.container(border=True):
        st.markdown(
            "Upload a file to see here how it is understood: size, labels, norms, and what to "
            f"know before it is searched. **{current}** stays in use until you press “Use this "
            "data”."
        )
else:
    draw_account(shown)
    recipe = data_draft.recipe_of(chosen, draft, shown)
    changed = not data_draft.is_current(chosen, shown) or recipe != chosen.recipe
    st.subheader("Queries", anchor=False)
    data_queries.draw(shown, recipe)
with actions:
    st.button(
        f"Keep {current}",
        on_click=data_draft.drop,
        args=(chosen,),
        disabled=not changed and (draft.reading is None or shown is not None),
    )
    st.button(
        "Use this data",
        type="primary",
        on_click=data_draft.use if shown else None,
        args=(chosen, shown, recipe) if shown else None,
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
