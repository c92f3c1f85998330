"""Report: what was measured, as one page to hand on."""

import streamlit as st

from pages._ui import report_page, session

st.title("Report", anchor=False)
st.markdown(
    ":gray[Everything measured here as one file that opens anywhere, and a notebook that measures "
    "it again.]"
)
if session.current().source.simulated:
    st.info("**Simulated ratings.** Made by the seeded generator; no real people.")
report_page.draw()
