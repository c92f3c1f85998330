"""The account of what could be used: how it was understood, what else it could be, what matters."""

from dataclasses import replace

import streamlit as st

from mips_core.base.limits import UPLOAD_SECONDS
from mips_core.base.text import duration
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Metric
from mips_core.data.ratings import Factored, Ratings
from mips_core.figures import data_profile
from pages._ui.data import corrections
from pages._ui.data.draft import Draft, Preview, correct
from pages._ui.elements.chart import chart
from pages._ui.parts import data_facts
from pages._ui.parts.folder_files import FOLDER
from pages._ui.state import app_state
from pages._ui.text.periods import period
from pages._ui.text.widgets import plain, short
from pages._ui.work import earlier

FEW_RANKS, STEPS = 200, 60  # ranks that a slider shows one by one, and its logarithmic steps
SHARED = (
    "Only who has a link of this data sees it, as long as somebody uses it and "
    f"{period(UPLOAD_SECONDS)} longer: **Copy link** puts a key in. Who has the same file sees "
    "nothing."
)
STOP_HELP = "Links copied so far open it no more, and pages opened by them lose it. You keep it."


def draw_understood(draft: Draft, preview: Preview) -> None:
    """What was understood, and what may be corrected."""
    source, reading = preview.source, preview.reading
    if preview.data in CATALOG:
        data_facts.draw_understood(source, ())
        return
    if reading is None:
        st.markdown(f"**{plain(short(source.name))}**")
    else:
        _draw_name(draft, source.name)
        st.caption(f"{data_facts.megabytes(reading.size)}, read in {duration(reading.seconds)}")
    ratings = reading.opened.ratings if reading is not None else None
    data_facts.draw_understood(
        source,
        source.notes,
        reading.opened.stored if reading is not None else "",
        _rating_rows(ratings) if ratings is not None else None,
    )
    if reading is not None:
        corrections.draw_beside(draft, reading)


def _draw_name(draft: Draft, name: str) -> None:
    """What the data are called, on every page and in what is taken away."""
    app_state.set_widget("data name", name)
    st.text_input("Name", key="data name", max_chars=60, on_change=_take_name, args=(draft,))


def _take_name(draft: Draft) -> None:
    draft.name = " ".join(app_state.widget("data name").split())


def draw_matters(draft: Draft, preview: Preview, metric: Metric) -> None:
    """What to know before it is searched by `metric`, and how long the items are."""
    data_facts.draw_findings(preview.source, metric)
    if preview.reading is not None and preview.reading.opened.factors is not None:
        _draw_rank(draft, preview.reading.opened.factors)
    data_facts.draw_norms(preview.source)


def draw_rows(draft: Draft, preview: Preview) -> None:
    """The first rows, and who else sees the data."""
    data_facts.draw_first_rows(preview.source)
    if preview.data not in CATALOG:
        _draw_sharing(draft, preview)
        st.caption(earlier.told())


def _draw_sharing(draft: Draft, preview: Preview) -> None:
    """Who else sees data that did not ship, and a way to stop that."""
    session = app_state.current()
    used, share = preview.source is session.source, session.share
    if draft.origin == FOLDER or (used and not share.key):
        st.caption("Every visitor can open this data.")
    elif not used:
        st.caption(f"Once it is used: {SHARED}")
    elif not share.is_own:
        st.caption("You have this data by a link. Who uploaded it can stop sharing it.")
    else:
        again = "Links copied before open it no more. " if share.is_renewed else ""
        st.caption(f"{again}{SHARED}")
        st.button(
            "Stop sharing", key="stop sharing", on_click=app_state.stop_sharing, help=STOP_HELP
        )


def _rating_rows(ratings: Ratings) -> dict[str, str]:
    """What was understood of ratings, for the table of the account."""
    e, pairs = ratings.n_ratings, ratings.n_users * ratings.n_items
    low, high = ratings.values.min(), ratings.values.max()
    kind = "without a value" if ratings.implicit else f"{low:,.4g} to {high:,.4g}"
    return {
        "Ratings": f"{e:,}, {kind}; {e / pairs:.2%} of all pairs",
        "Users": f"{ratings.n_users:,}",
    }


def _draw_rank(draft: Draft, factored: Factored) -> None:
    """The rank, over the singular values it keeps."""
    computed = len(factored.singular)
    most = min(factored.ratings.n_users, factored.ratings.n_items) - 1
    st.subheader("Dimensions", anchor=False)
    st.caption(
        "PureSVD turns every user and every item into a vector of so many entries. More keep more "
        "of the ratings; fewer are quicker to search."
    )
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        again = f"Above {computed:,} the ratings are factored again." if most > computed else None
        if most > 1:
            key = "data rank slider"
            steps = set(range(1, most + 1))
            if most > FEW_RANKS:
                steps = {round(most ** (step / STEPS)) for step in range(STEPS + 1)}
            app_state.set_widget(key, factored.rank)
            st.select_slider(
                "Rank", sorted(steps | {factored.rank, computed}), key=key, on_change=_take_rank,
                args=(draft, key), format_func=lambda rank: f"{rank:,}", help=again,
            )  # fmt: skip
        if most > computed:
            key = "data rank"
            app_state.set_widget(key, factored.rank)
            st.number_input(
                f"Any rank, 1 to {most:,}", 1, most, key=key, on_change=_take_rank,
                args=(draft, key), width=180, help=again,
            )  # fmt: skip
    chart(
        data_profile.singular_values(factored.singular, factored.factors.kept, factored.rank),
        key="spectrum",
        height=230,
        narrow=data_profile.NARROW_SPECTRUM,
        narrow_height=210,
        alt=f"{computed:,} singular values. The first {factored.rank:,} are used and keep "
        f"{factored.kept:.0%} of the squares.",
        topic=factored.ratings.name,
    )


def _take_rank(draft: Draft, key: str) -> None:
    correct(draft, replace(draft.interpretation, rank=app_state.widget(key)))
