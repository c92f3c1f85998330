"""Drift: how long does an index stay good while vectors change, and when to rebuild?"""

import streamlit as st

from pages._ui import drift_choices, drift_page, session

st.title("Keep fresh", anchor=False)
st.markdown(
    ":gray[How long does an index stay good while its vectors change, and when is it time to "
    "refresh or to rebuild it?]"
)
if session.current().source.simulated:
    st.info("**Simulated ratings.** Made by the seeded generator; no real people.")
drift_choices.choose()
drift_page.draw()
