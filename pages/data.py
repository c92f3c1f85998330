"""Data."""

import streamlit as st

st.title("Data", anchor=False)
st.caption("What to search, and with which queries.")
