"""What else files could mean: drawn beside what they were understood as, or why they were not."""

from dataclasses import replace

import streamlit as st

from mips_core.data.ratings import RatingOffers
from mips_core.data.readers import Offers
from pages._ui.data import corrections
from pages._ui.data import draft as data_draft
from pages._ui.data import ratings as data_ratings
from pages._ui.data.draft import Draft
from pages._ui.data.result import Reading
from pages._ui.state import app_state

KINDS = {"vectors": "Vectors", "ratings": "Ratings"}


def draw_beside(draft: Draft, reading: Reading) -> None:
    """The choices in files that were read; they need their files once more."""
    opened = reading.opened
    if not all(file.here for file in draft.reads):
        st.caption("To understand these files otherwise, upload them again.")
        return
    ratings = opened.ratings
    if ratings is not None:
        is_table = ratings.offers != RatingOffers()
        draw(draft, None, ratings.offers, either=is_table)
    else:
        draw(draft, opened.offers, None, either=opened.may_be_ratings)


def draw(
    draft: Draft,
    offers: Offers | None,
    rating_offers: RatingOffers | None,
    *,
    either: bool = False,
    heading: str = "Read it differently",
) -> None:
    """What may be chosen, also between vectors and ratings where it may be `either`."""
    either = either or draft.asked.kind != "auto"
    vectors = offers is not None and corrections.is_choice(draft, offers)
    ratings = rating_offers is not None and data_ratings.is_choice(draft, rating_offers)
    if not (either or vectors or ratings):
        return
    st.subheader(heading, anchor=False)
    if either:
        _draw_kind(draft, "vectors" if rating_offers is None else "ratings")
    if offers is not None:
        corrections.draw(draft, offers)
    if rating_offers is not None:
        data_ratings.draw_choices(draft, rating_offers)


def _draw_kind(draft: Draft, taken: str) -> None:
    """Whether rows are vectors, or say who rated what."""
    asked = draft.asked.kind
    app_state.set_widget("data kind", taken if asked == "auto" else asked)
    st.segmented_control(
        "These are",
        list(KINDS),
        format_func=KINDS.__getitem__,
        required=True,
        key="data kind",
        on_change=_take_kind,
        args=(draft,),
        help="Ratings say who rated what; PureSVD makes vectors of users and items of them.",
    )


def _take_kind(draft: Draft) -> None:
    data_draft.correct(draft, replace(draft.asked, kind=app_state.widget("data kind")))
