"""Drift: how long does an index stay good while vectors change, and when to rebuild?"""

import streamlit as st

from pages._ui import drift_choices, drift_page, session, simulated

st.title("Keep fresh", anchor=False)
st.markdown(
    ":gray[How long does an index stay good while its vectors change, and when is it time to "
    "refresh or to rebuild it?]"
)
simulated.say(session.current().source)
drift_choices.choose()
drift_page.draw()
