"""What a build will take, said before it is started; what will not fit cannot be."""

import streamlit as st

from mips_core import Index, MipsError
from mips_core.studies import forecast
from pages._ui.state import app_state
from pages._ui.text.widgets import refusal


def draw(index: Index) -> bool:
    """Say how long building `index` takes, if long, or why it cannot be built; whether it can."""
    dataset = app_state.current().dataset
    try:
        forecast.refuse_too_large([index], dataset.n, dataset.d, dataset.m)
    except MipsError as error:
        st.error(refusal(error))
        return False
    expected = forecast.forecast(index, dataset.n, dataset.d, dataset.m)
    if forecast.rate_is_known() and expected.seconds >= forecast.LONG:
        st.caption(f"Building and measuring it takes {expected.in_words()}.")
    if grouped := forecast.grouped_in_words(index, dataset.n):
        st.caption(grouped)
    return True
