"""Map: every item in two dimensions, with the index and a search upon it."""

import streamlit as st

from pages._ui.map import choices, page
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

session = app_state.current()
st.title("Map", anchor=False)
st.markdown(
    ":gray[Every item in two dimensions. Near on the map means near for the index; far apart on "
    "the map means little.]"
)
say_simulated(session.source)
choices.draw(session)
page.draw()
