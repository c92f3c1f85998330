"""Compare: is one method really better than the other, and does the clock agree?"""

import streamlit as st

from pages._ui.compare import clock, method_pair, runs_section, two_sets, work
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

session = app_state.current()
st.title("Compare", anchor=False)
st.markdown(
    ":gray[Is one method really better than another, and does the clock agree? What inner products "
    "promise is held against luck, then against real searches.]"
)
say_simulated(session.source)
pair, timed, sets, runs = st.tabs(
    list(work.VIEWS.values()),
    default=work.VIEWS[work.view_of(session)],
    key="compare view",
    on_change=lambda: work.take_view(session, app_state.widget("compare view")),
)
with pair:
    if pair.open and method_pair.choose():
        method_pair.draw()
with timed:
    if timed.open:
        clock.choose()
        clock.draw()
with sets:
    if sets.open:
        two_sets.draw()
with runs:
    if runs.open:
        st.caption(
            "What was measured, kept under a name: to be compared later, with other settings or on "
            "other machines."
        )
        runs_section.draw()
