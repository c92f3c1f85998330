"""Find the largest inner products without computing them all."""

import streamlit as st

st.title("Find the largest inner products without computing them all", anchor=False)
st.caption("What this is.")
