"""Search: one query, its true answers, and what the index under the slider makes of it."""

import streamlit as st

from pages._ui.parts.question import choice
from pages._ui.parts.question import question as query
from pages._ui.search import answers
from pages._ui.state import app_state
from pages._ui.text import simulated

session = app_state.current()
st.title("Search", anchor=False)
st.markdown(
    ":gray[One query, followed: what is found, what is missed, where the missed items lie, and "
    "what would find them.]"
)
simulated.say(session.source)
asked = choice.choose(session)
question = query.question_of(session, asked)
answers.draw(query.name_of(session, asked), question)
