"""Report: what was measured, as one page to hand on."""

import streamlit as st

from pages._ui.report import page
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

st.title("Report", anchor=False)
st.markdown(
    ":gray[Everything measured here as one file that opens anywhere, and a notebook that measures "
    "it again.]"
)
say_simulated(app_state.current().source)
page.draw()
