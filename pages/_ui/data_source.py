"""Where data come from on the Data page: a shipped set, uploaded files, or the data folder."""

import streamlit as st

from mips_core.data.catalog import CATALOG
from pages._ui import data_draft, data_folder, data_upload, session
from pages._ui.data_draft import Draft
from pages._ui.widgets import plain


def draw_origin(draft: Draft) -> None:
    """Shipped, uploaded, or from the folder named at start, if one was."""
    if session.newly_drawn("data origin"):
        data_draft.come_back(draft)
    origins = [data_draft.SHIPPED, data_draft.UPLOAD]
    session.set_widget("data origin", draft.origin)
    st.segmented_control(
        "Source",
        [*origins, data_draft.FOLDER] if data_folder.named() else origins,
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
        data_upload.draw(draft)
    else:
        data_folder.draw(draft)


def _draw_shipped(draft: Draft) -> None:
    """The catalog, one to choose."""
    session.set_widget("data shipped", draft.shipped)
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
    draft.origin = session.widget("data origin") or draft.origin
    draft.recipe, draft.problem = None, ""


def _take_shipped(draft: Draft) -> None:
    draft.shipped, draft.recipe = session.widget("data shipped"), None
