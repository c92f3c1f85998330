"""Build."""

import streamlit as st

st.title("Build", anchor=False)
st.caption("Make an index and keep it beside the others.")
