"""Tune: what should I run? The cheapest setting that holds, or the best within a budget."""

import streamlit as st

from pages._ui import session, simulated, tune_view

st.title("Tune", anchor=False)
st.markdown(
    ":gray[Say what you need; get the cheapest setting that holds on queries it has not seen.]"
)
simulated.say(session.current().source)
tune_view.draw()
