"""Where data come from on the Data page: a shipped set, uploaded files, or the data folder."""

import streamlit as st

from mips_core.data.catalog import CATALOG
from pages._ui.data import draft as data_draft
from pages._ui.data import folder, upload
from pages._ui.data.draft import Draft
from pages._ui.state import app_state
from pages._ui.text.widgets import plain


def draw_origin(draft: Draft) -> None:
    """Shipped, uploaded, or from the folder named at start, if one was."""
    if app_state.newly_drawn("data origin"):
        data_draft.come_back(draft)
    origins = [data_draft.SHIPPED, data_draft.UPLOAD]
    app_state.set_widget("data origin", draft.origin)
    st.segmented_control(
        "Source",
        [*origins, data_draft.FOLDER] if folder.named() else origins,
        required=True,
        key="data origin",
        on_change=_take_origin,
        args=(draft,),
        label_visibility="collapsed",
    )


def draw(draft: Draft) -> None:
    """What there is to choose from, by origin."""
    if draft.origin == data_draft.SHIPPED:
        _draw_shipped(draft)
    elif draft.origin == data_draft.UPLOAD:
        upload.draw(draft)
    else:
        folder.draw(draft)


def _draw_shipped(draft: Draft) -> None:
    """The catalog, one to choose."""
    app_state.set_widget("data shipped", draft.shipped)
    st.radio(
        "Shipped data",
        list(CATALOG),
        format_func=_label,
        captions=[source.description for source in CATALOG.values()],
        key="data shipped",
        on_change=_take_shipped,
        args=(draft,),
    )
    chosen = CATALOG[draft.shipped]
    st.caption(f"Origin: {plain(chosen.origin)}. Licence: {plain(chosen.licence)}.")


def _label(key: str) -> str:
    source = CATALOG[key]
    said = "simulated" in source.label.lower()
    return plain(source.label) + (" · simulated" if source.simulated and not said else "")


def _take_origin(draft: Draft) -> None:
    draft.origin = app_state.widget("data origin") or draft.origin
    draft.recipe, draft.problem = None, ""


def _take_shipped(draft: Draft) -> None:
    draft.shipped, draft.recipe = app_state.widget("data shipped"), None
