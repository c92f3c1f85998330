"""What else files could mean: choices drawn beside what they were understood as, or why not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from mips_core.base.params import Param, params_of
from mips_core.data.ratings import RatingOffers
from mips_core.data.readers import Choices, Offers
from mips_core.data.readers.choices import NONE, Offer
from pages._ui.data.draft import Draft, correct
from pages._ui.data.reading import Reading
from pages._ui.state import app_state

KINDS = {"vectors": "Vectors", "ratings": "Ratings"}
Which = Literal["choices", "ratings"]  # the fields of Interpretation

HEADER = {"names": "Names the columns", "data": "Is the first row"}
LAYOUT = {"rating": "One rating", "user": "All ratings of a user"}
LOG = "Take log(1 + count) in place of counts"


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
    either = either or draft.interpretation.kind != "auto"
    vectors = offers is not None and _is_choice_of_vectors(draft, offers)
    ratings = rating_offers is not None and _is_choice_of_ratings(draft, rating_offers)
    if not (either or vectors or ratings):
        return
    st.subheader(heading, anchor=False)
    if either:
        _draw_kind(draft, "vectors" if rating_offers is None else "ratings")
    if offers is not None:
        _draw_vectors(draft, offers)
    if rating_offers is not None:
        _draw_ratings(draft, rating_offers)


def _draw_kind(draft: Draft, taken: str) -> None:
    """Whether rows are vectors, or say who rated what."""
    kind = draft.interpretation.kind
    app_state.set_widget("data kind", taken if kind == "auto" else kind)
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
    correct(draft, replace(draft.interpretation, kind=app_state.widget("data kind")))


def _draw_vectors(draft: Draft, offers: Offers) -> None:
    """What else files of vectors could mean; nothing where there is nothing to choose."""
    choices = draft.interpretation.choices
    if len(offers.arrays) > 1:
        _select(draft, "choices", "array", offers.arrays, choices.array or offers.array)
        others = [offer for offer in offers.arrays if offer.name != offers.array]
        if offers.array and not offers.alternatives:
            taken = choices.queries or offers.queries
            _select(draft, "choices", "queries", others, taken, "none of these")
    if offers.labels:
        taken = choices.label or offers.label
        _select(draft, "choices", "label", offers.labels, taken, "no labels")
    if offers.header is not None:
        _draw_header(draft, "choices", offers.header)
    if choices.skip_bad:
        _toggle(draft, "choices", "skip_bad", (False, True))
    if offers.float16:
        _toggle(draft, "choices", "keep_float16", (False, True))


def _is_choice_of_vectors(draft: Draft, offers: Offers) -> bool:
    """Whether `_draw_vectors` draws anything."""
    several = len(offers.arrays) > 1 or bool(offers.labels)
    asked = offers.header is not None or draft.interpretation.choices.skip_bad
    return several or asked or offers.float16


def _select(
    draft: Draft, which: Which, name: str, offers: Sequence[Offer], taken: str, nothing: str = ""
) -> None:
    """A field of the draft's choices, one of `offers`, or none where `nothing` says it in words."""
    about = {offer.name: offer.about for offer in offers}
    said = {name: f"{name} · {text}" if text else name for name, text in about.items()}
    if nothing:
        said, taken = {NONE: nothing, **said}, taken or NONE
    declared, key = _declared(draft, which, name), f"data {which} {name}"
    app_state.set_widget(key, taken if taken in said else None)
    st.selectbox(
        declared.label,
        list(said),
        index=0 if taken in said else None,
        format_func=said.__getitem__,
        key=key,
        placeholder="Choose …",
        on_change=_take_choice,
        args=(draft, which, name),
        help=declared.help,
    )


def _draw_header(draft: Draft, which: Which, header: bool) -> None:
    """Whether the first line of a table names its columns."""
    _segments(draft, which, "header", HEADER, "names" if header else "data")


def _segments(draft: Draft, which: Which, name: str, said: Mapping[str, str], taken: str) -> None:
    """A field of the draft's choices with few values, which `said` puts into words."""
    key = f"data {which} {name}"
    app_state.set_widget(key, taken)
    st.segmented_control(
        _declared(draft, which, name).label,
        list(said),
        format_func=said.__getitem__,
        required=True,
        key=key,
        on_change=_take_choice,
        args=(draft, which, name),
    )


def _toggle(
    draft: Draft, which: Which, name: str, values: tuple[Any, Any], label: str = ""
) -> None:
    """A field of the draft's choices that has two values, the second of which means on."""
    declared, key = _declared(draft, which, name), f"data {which} {name}"
    app_state.set_widget(key, getattr(getattr(draft.interpretation, which), name) == values[1])
    st.toggle(
        label or declared.label,
        key=key,
        on_change=_take_choice,
        args=(draft, which, name, values),
        help=declared.help,
    )


def _declared(draft: Draft, which: Which, name: str) -> Param:
    return params_of(getattr(draft.interpretation, which))[name]


def _take_choice(draft: Draft, which: Which, name: str, values: Sequence[Any] = ()) -> None:
    """What a widget holds becomes a field of the choices."""
    value = app_state.widget(f"data {which} {name}")
    if value is None:
        return
    old: Any = getattr(draft.interpretation, which)
    if isinstance(old, Choices) and name == "array":  # what were its queries may not be of another
        old = replace(old, queries="", label="")
    changed = replace(old, **{name: values[value] if values else value})
    correct(draft, replace(draft.interpretation, **{which: changed}))


def _draw_ratings(draft: Draft, offers: RatingOffers) -> None:
    """What else files of ratings could mean; nothing where there is nothing to choose."""
    choices = draft.interpretation.ratings
    if len(offers.columns) > 1:
        for name in ("user", "item"):
            taken = getattr(choices, name) or getattr(offers, name)
            _select(draft, "ratings", name, offers.columns, taken)
        taken = choices.value or offers.value
        _select(draft, "ratings", "value", offers.columns, taken, "none")
    if offers.header is not None:
        _draw_header(draft, "ratings", offers.header)
    if offers.layout or choices.layout != "auto":
        _segments(draft, "ratings", "layout", LAYOUT, offers.layout)
    if offers.log or choices.scale == "log":
        _toggle(draft, "ratings", "scale", ("as given", "log"), LOG)
    if choices.skip_bad:
        _toggle(draft, "ratings", "skip_bad", (False, True))


def _is_choice_of_ratings(draft: Draft, offers: RatingOffers) -> bool:
    """Whether `_draw_ratings` draws anything."""
    choices = draft.interpretation.ratings
    corrected = choices.scale == "log" or choices.skip_bad or choices.layout != "auto"
    offered = offers.header is not None or bool(offers.layout) or offers.log
    return len(offers.columns) > 1 or offered or corrected
