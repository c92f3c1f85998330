"""Robustness: does noise break it? Precision under noise, with all methods at one speedup."""

from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from pages._ui.parts import fields, method
from pages._ui.robustness import page
from pages._ui.state import app_state
from pages._ui.text.dataset_words import say_simulated

session = app_state.current()
WORDS = {
    "truth": {"noisy": "Noisy query", "clean": "Clean query"},
    "unit": {"absolute": "Absolute", "relative": "Relative to data"},
}

st.title("Robustness", anchor=False)
st.markdown(
    ":gray[What happens to precision when queries get noisy, with every method first set to the "
    "same speedup.]"
)


def take(name: str) -> None:
    """Keep a choice; pressing the pressed one changes nothing."""
    picked = app_state.widget(f"robustness {name}")
    if picked:
        session.states["robustness"] = replace(session.states["robustness"], **{name: picked})


with st.container(horizontal=True, vertical_alignment="top"):
    for name, words in WORDS.items():
        state = session.states["robustness"]
        key = f"robustness {name}"
        fields.buttons(params_of(state)[name], words, getattr(state, name), key, take, name)
    method.choose()
say_simulated(session.source)
page.draw()
