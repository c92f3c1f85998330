"""Report: what was measured, as one page to hand on."""

import streamlit as st

from pages._ui import report_page, session, simulated

st.title("Report", anchor=False)
st.markdown(
    ":gray[Everything measured here as one file that opens anywhere, and a notebook that measures "
    "it again.]"
)
simulated.say(session.current().source)
report_page.draw()
