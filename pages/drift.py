"""Drift: how long does an index stay good while vectors change, and when to rebuild?"""

import streamlit as st

from pages._ui.drift import page
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

st.title("Keep fresh", anchor=False)
st.markdown(
    ":gray[How long does an index stay good while its vectors change, and when is it time to "
    "refresh or to rebuild it?]"
)
say_simulated(app_state.current().source)
page.choose()
page.draw()
