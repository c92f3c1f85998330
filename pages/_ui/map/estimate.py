"""What a new layout of the map will take, said before it is made."""

import streamlit as st

from mips_core import MipsError
from mips_core.studies import forecast
from mips_core.studies.map_forecast import forecast_map, refuse_large_map
from pages._ui.map.places import space_of, state_of, umap
from pages._ui.state.session import Session


def draw(session: Session) -> None:
    """Say how long UMAP takes with what is chosen, if long, if it fits, and not made yet."""
    dataset, space = session.dataset, space_of(state_of(session), session.index)
    try:
        refuse_large_map(space.recipe, dataset.n, dataset.d)
    except MipsError:
        return
    expected = forecast_map(space.recipe, dataset.n, dataset.d)
    long = forecast.rate_is_known() and expected.seconds >= forecast.LONG
    if long and umap(dataset, space).result is None:
        st.caption(f"Laying it out by UMAP takes {expected.in_words()}.")
