"""Search: one query, its true answers, and what the index under the slider makes of it."""

import streamlit as st

from pages._ui import search_answers, search_choice, search_query, session

chosen = session.current()
st.title("Search", anchor=False)
st.markdown(
    ":gray[One query, followed: its true answers, which of them the index finds, and what it "
    "returns in their places.]"
)
asked = search_choice.choose(chosen)
question = search_query.question_of(chosen, asked)
if question is not None:
    search_answers.draw(search_query.name_of(chosen, asked), question)
