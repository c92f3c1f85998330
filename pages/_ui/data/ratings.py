"""Ratings on the Data page: what they are, which column is what, and the rank they are used at."""

from dataclasses import replace

import streamlit as st

from mips_core.data.ratings import Factored, RatingOffers, Ratings
from mips_core.figures import spectrum
from pages._ui.data import corrections
from pages._ui.data import draft as data_draft
from pages._ui.data.draft import Draft
from pages._ui.elements.chart import chart
from pages._ui.state import app_state

LAYOUT = {"rating": "One rating", "user": "All ratings of a user"}
LOG = "Take log(1 + count) in place of counts"


def rows(ratings: Ratings) -> dict[str, str]:
    """What was understood of ratings, for the table of the account."""
    e, pairs = ratings.n_ratings, ratings.n_users * ratings.n_items
    low, high = ratings.values.min(), ratings.values.max()
    kind = "without a value" if ratings.implicit else f"{low:,.4g} to {high:,.4g}"
    return {
        "Ratings": f"{e:,}, {kind}; {e / pairs:.2%} of all pairs",
        "Users": f"{ratings.n_users:,}",
    }


def draw_choices(draft: Draft, offers: RatingOffers) -> None:
    """What else files of ratings could mean; nothing where there is nothing to choose."""
    choices = draft.asked.ratings
    if len(offers.columns) > 1:
        for name in ("user", "item"):
            taken = getattr(choices, name) or getattr(offers, name)
            corrections.select(draft, "ratings", name, offers.columns, taken)
        taken = choices.value or offers.value
        corrections.select(draft, "ratings", "value", offers.columns, taken, "none")
    if offers.header is not None:
        corrections.draw_header(draft, "ratings", offers.header)
    if offers.layout or choices.layout != "auto":
        corrections.segments(draft, "ratings", "layout", LAYOUT, offers.layout)
    if offers.log or choices.scale == "log":
        corrections.toggle(draft, "ratings", "scale", ("as given", "log"), LOG)
    if choices.skip_bad:
        corrections.toggle(draft, "ratings", "skip_bad", (False, True))


def is_choice(draft: Draft, offers: RatingOffers) -> bool:
    """Whether `draw_choices` draws anything."""
    choices = draft.asked.ratings
    asked = choices.scale == "log" or choices.skip_bad or choices.layout != "auto"
    offered = offers.header is not None or bool(offers.layout) or offers.log
    return len(offers.columns) > 1 or offered or asked


def draw_rank(draft: Draft, factored: Factored) -> None:
    """The rank, over the singular values it keeps."""
    computed = len(factored.singular)
    most = min(factored.ratings.n_users, factored.ratings.n_items) - 1
    st.subheader("Dimensions", anchor=False)
    st.caption(
        "PureSVD turns every user and every item into a vector of so many entries. More keep more "
        "of the ratings; fewer are quicker to search."
    )
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        if computed > 1:
            key = "data rank slider"
            app_state.set_widget(key, factored.rank)
            st.slider("Rank", 1, computed, key=key, on_change=_take_rank, args=(draft, key))
        if most > computed:
            key = "data rank"
            app_state.set_widget(key, factored.rank)
            st.number_input(
                f"Any rank, 1 to {most:,}", 1, most, key=key, on_change=_take_rank,
                args=(draft, key), width=180,
                help=f"Above {computed:,} the ratings are factored again.",
            )  # fmt: skip
    chart(
        spectrum.singular_values(factored.singular, factored.factors.kept, factored.rank),
        key="spectrum",
        height=230,
        narrow=spectrum.NARROW,
        narrow_height=210,
        alt=f"{computed:,} singular values. The first {factored.rank:,} are used and keep "
        f"{factored.kept:.0%} of the squares.",
        topic=factored.ratings.name,
    )


def _take_rank(draft: Draft, key: str) -> None:
    data_draft.correct(draft, replace(draft.asked, rank=app_state.widget(key)))
