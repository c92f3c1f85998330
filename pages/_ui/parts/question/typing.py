"""The boxes for queries that are typed, and what is said of them."""

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from mips_core import MipsError
from mips_core.base.params import params_of
from mips_core.base.text import counted
from mips_core.groups.typed_queries import query_length
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question import typed as search_typed
from pages._ui.parts.question.question import Picked, picked
from pages._ui.state import app_state, links
from pages._ui.state.search_state import SearchState
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain

LOOKED_AT, SHORT = 100, 12  # labels, and characters of one, for an example


def draw(session: Session, asked: Picked) -> None:
    """The box for words or for a vector; what is wrong with either is said where answers stand."""
    if asked.kind == "words":
        _words(session, asked)
    else:
        _vector(session, asked)
    if len(asked.text) > links.LONGEST_QUERY:
        st.caption("This query is too long for a link: it is gone when the page is loaded again.")


def _words(session: Session, asked: Picked) -> None:
    state = search_typed.state_of(session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        key = f"search words {asked.typed}"
        st.text_input(
            "Words",
            asked.typed,
            key=key,
            on_change=_take,
            args=(key, asked),
            placeholder=_example(session),
            width=420,
            help="Labels of items, or of the queries that came with them, with + and - between. "
            "0.5\\*king counts by half. A label that holds a sign after a blank stands in double "
            "quotes.",
        )
        declared = params_of(SearchState)["leave_out"]
        switch = f"search leave out {state.leave_out}"
        st.toggle(
            declared.label,
            state.leave_out,
            key=switch,
            on_change=_take_switch,
            args=(switch,),
            help=declared.help,
        )
    if asked.typed.strip():
        _say(session, asked, state)
    else:
        st.caption("Write labels with + and - between, and press Enter.")


def _example(session: Session) -> str:
    """Three labels of this data that are short."""
    labels = session.source.labels or session.source.query_labels or ()
    short = [as_text(label) for label in labels[:LOOKED_AT] if 0 < len(label) <= SHORT][:3]
    return " + ".join([" - ".join(short[:2]), *short[2:]])


def _say(session: Session, asked: Picked, state: SearchState) -> None:
    """Which rows were taken where labels repeat, and what is left out."""
    try:
        found = search_typed.words_of(session, asked.typed)
    except MipsError:  # said in the place of the answers
        return
    said = [plain(note) for note in found.notes]
    if state.leave_out and found.rows:
        many = len(found.rows)
        named = "The item named is" if many == 1 else f"The {many:,} items named are"
        said.append(f"{named} left out of the answers.")
    if said:
        st.caption(" ".join(said))


def _vector(session: Session, asked: Picked) -> None:
    numbers = search_typed.numbers_of(asked.typed)
    d = query_length(session.source)
    key = f"search vector {hash(asked.typed)}"
    st.text_area(
        f"Vector, {counted(d, 'number', 'numbers')}",
        numbers,
        key=key,
        on_change=_take,
        args=(key, asked),
        placeholder="[0.12, -0.5, 1e-3, …]",
        height=110,
        help="Numbers with commas, blanks or line breaks between, in brackets or without, as numpy "
        "or JSON print them. Decimals have a point.",
    )
    if session.source.logits:
        st.caption("A hidden state: the 1 that meets the bias is added.")
    if not asked.typed.strip():
        st.caption(f"Paste {counted(d, 'number', 'numbers')}, and press Ctrl+Enter.")


def _take(key: str, asked: Picked) -> None:
    """Ask what was typed; a box that is gone says nothing any more."""
    session = app_state.current()
    if picked(session) != asked:
        return
    typed = app_state.widget(key)
    if asked.kind == "vector" and typed.strip():
        with suppress(MipsError):  # then it is kept as it is, to be corrected
            typed = search_typed.written(search_typed.vector_of(session, typed))
    session.query = Picked(asked.kind, typed=typed).text


def _take_switch(key: str) -> None:
    session = app_state.current()
    session.states["search"] = replace(
        search_typed.state_of(session), leave_out=app_state.widget(key)
    )
