"""Tune: what should I run? The cheapest setting that holds, or the best within a budget."""

import streamlit as st

from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated
from pages._ui.tune import page

st.title("Tune", anchor=False)
st.markdown(
    ":gray[Say what you need; get the cheapest setting that holds on queries it has not seen.]"
)
say_simulated(app_state.current().source)
page.draw()
