"""Search: one query, its true answers, and what the index under the slider makes of it."""

import streamlit as st

from pages._ui.parts import kept_index
from pages._ui.parts.question import choice
from pages._ui.parts.question.question import name_of, question_of
from pages._ui.search import answers
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

session = app_state.current()
st.title("Search", anchor=False)
st.markdown(
    ":gray[One query, followed: what is found, what is missed, where the missed items lie, and "
    "what would find them.]"
)
say_simulated(session.source)
query = choice.choose(session, lambda: kept_index.choose(width=250))
question = question_of(session, query)
answers.draw(name_of(session, query), question)
