"""Tune: what should I run? The cheapest setting that holds, or the best within a budget."""

import streamlit as st

from pages._ui import session, tune_view

st.title("Tune", anchor=False)
st.markdown(
    ":gray[Say what you need; get the cheapest setting that holds on queries it has not seen.]"
)
if session.current().source.simulated:
    st.info("**Simulated ratings.** Made by the seeded generator; no real people.")
tune_view.draw()
