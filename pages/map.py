"""Map: every item in two dimensions, with the index and a search upon it."""

import streamlit as st

from pages._ui import map_choices, map_page, session

chosen = session.current()
st.title("Map", anchor=False)
st.markdown(
    ":gray[Every item in two dimensions. Near on the map means near for the index; far apart on "
    "the map means little.]"
)
if chosen.source.simulated:
    st.info("**Simulated ratings.** Made by the seeded generator; no real people.")
map_choices.draw(chosen)
map_page.draw()
