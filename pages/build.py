"""Build: make an index and keep it beside the others."""

import streamlit as st

from mips_core import INDEXES, Index
from mips_core.base.params import params_of
from mips_core.evaluation.setting import index_in_words
from mips_core.figures.styles import METHODS
from pages._ui.build import download, estimate, on_all, upload
from pages._ui.parts import built_index, method
from pages._ui.state import app_state
from pages._ui.state.session import methods
from pages._ui.text.widgets import PAGES, params_form

KEYS = [*methods(), "exact"]
session = app_state.current()
st.title("Build", anchor=False)
st.markdown(
    ":gray[Make an index and keep it beside the others. Building again with the same settings "
    "gives the same index.]"
)


def show(index: Index) -> None:
    """Put an index of the list under the slider, and on the right."""
    session.position = session.kept.index(index)


left, right = st.columns([1.15, 2.4], gap="large")
with left:
    key = st.selectbox(
        "Method",
        KEYS,
        KEYS.index(session.index.key),
        format_func=lambda key: f"{METHODS[key].glyph} {INDEXES[key].label}",
        help="How candidates are found. Its cost in inner products is counted the same way for "
        "every method. The Methods page describes them all.",
    )
    st.caption(method.summary(INDEXES[key]))
    start = session.index if session.index.key == key else INDEXES[key]().explicit(session.source.n)
    form = f"build {key} {session.source.fingerprint} {session.position}"
    main = [start.main_param] if start.main_param else []
    new_index = params_form(start, form, main)
    index = new_index or start  # the number fields of the main parameter cannot be refused
    rest = [name for name in params_of(start) if name not in main]
    if rest:
        with st.expander("More settings"):
            new_index = params_form(index, form, rest)
    if new_index is not None:
        st.caption(
            f"{new_index.label}, {index_in_words(new_index, session.source.n)} · {new_index.cite}"
        )
    fits = new_index is not None and estimate.draw(new_index)
    pressed = st.button("Build", type="primary", width="stretch", disabled=not fits)
    if pressed and new_index is not None:
        session.keep(new_index)
        session.measurement_of(session.index).ask_again(session.owner)
        st.rerun()
    st.subheader("Built", anchor=False)
    built_index.kept(session.kept, show)
    st.page_link(PAGES / "tradeoff.py", label="Compare them on Trade-off")
    upload.draw()
with right:
    built_index.watch(session.index)
    download.draw(session.index)
    on_all.draw()
