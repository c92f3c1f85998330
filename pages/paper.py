"""Paper: the experiments of the paper measured anew, and its claims judged."""

import streamlit as st

from pages._ui.parts.paper import page
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

st.title("Paper", anchor=False)
st.markdown(
    ":gray[The figures of “Clustering is efficient for approximate maximum inner product search” "
    "(Auvolat et al. 2015), measured again, and 17 of its claims judged.]"
)
if app_state.current().states["paper"].data == "own":
    say_simulated(app_state.current().source)
page.choose()
page.draw()
