"""The account of what could be used: how it was understood, what else it could be, what matters."""

import streamlit as st

from mips_core.base.text import duration
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Metric
from pages._ui.data import differently
from pages._ui.data import ratings as data_ratings
from pages._ui.data.draft import Draft
from pages._ui.data.preview import Preview
from pages._ui.parts import data_facts
from pages._ui.text.widgets import plain, short

SEEN = (
    "Once it is used, whoever has this page’s link can see this data while it is kept: as long as "
    "somebody uses it, and ten minutes longer."
)


def draw_understood(draft: Draft, shown: Preview) -> None:
    """What was understood, and what may be corrected."""
    source, reading = shown.source, shown.reading
    if shown.data in CATALOG:
        data_facts.draw_understood(source, ())
        return
    how = ""
    if reading is not None:
        how = f" · {data_facts.megabytes(reading.size)} · read in {duration(reading.seconds)}"
    st.markdown(f"**{plain(short(source.name))}**{how}")
    ratings = reading.opened.ratings if reading is not None else None
    data_facts.draw_understood(
        source,
        source.notes,
        reading.opened.stored if reading is not None else "",
        data_ratings.rows(ratings) if ratings is not None else None,
    )
    if reading is not None:
        differently.draw_beside(draft, reading)


def draw_matters(draft: Draft, shown: Preview, metric: Metric) -> None:
    """What to know before it is searched by `metric`, and how it looks."""
    data_facts.draw_findings(shown.source, metric)
    if shown.reading is not None and shown.reading.opened.factors is not None:
        data_ratings.draw_rank(draft, shown.reading.opened.factors)
    data_facts.draw_norms(shown.source)
    data_facts.draw_first_rows(shown.source)
    if shown.data not in CATALOG:
        st.caption(SEEN)
