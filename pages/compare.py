"""Compare: is one method really better than the other, and does the clock agree?"""

import streamlit as st

from pages._ui.compare import clock, method_pair, runs_section
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

session = app_state.current()
st.title("Compare", anchor=False)
st.markdown(
    ":gray[Is one method really better than another, and does the clock agree? What inner products "
    "promise is held against luck, then against real searches.]"
)
say_simulated(session.source)
st.subheader("One against another", anchor=False)
if method_pair.choose():
    method_pair.draw()
st.subheader("The clock", anchor=False)
clock.choose()
clock.draw()
st.subheader("Runs", anchor=False)
st.caption(
    "What was measured, kept under a name: to be compared later, with other settings or on other "
    "machines."
)
runs_section.draw()
