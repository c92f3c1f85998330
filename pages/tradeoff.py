"""Trade-off."""

import streamlit as st

st.title("Trade-off", anchor=False)
st.caption("How many of the true answers a search keeps, and how many inner products it saves.")
