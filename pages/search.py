"""Search: one query, its true answers, and what the index under the slider makes of it."""

import streamlit as st

from pages._ui import search_answers, search_choice, search_query, session, simulated

chosen = session.current()
st.title("Search", anchor=False)
st.markdown(
    ":gray[One query, followed: what is found, what is missed, where the missed items lie, and "
    "what would find them.]"
)
simulated.say(chosen.source)
asked = search_choice.choose(chosen)
question = search_query.question_of(chosen, asked)
search_answers.draw(search_query.name_of(chosen, asked), question)
