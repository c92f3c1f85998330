"""Map: every item in two dimensions, with the index and a search upon it."""

import streamlit as st

from pages._ui import map_choices, map_page, session, simulated

chosen = session.current()
st.title("Map", anchor=False)
st.markdown(
    ":gray[Every item in two dimensions. Near on the map means near for the index; far apart on "
    "the map means little.]"
)
simulated.say(chosen.source)
map_choices.draw(chosen)
map_page.draw()
