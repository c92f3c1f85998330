"""The choice of what is asked: by number, by a label out of very many, or typed."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from mips_core import MipsError
from mips_core.base.params import Param, params_of
from mips_core.base.text import counted
from mips_core.data.labels import matching
from mips_core.groups.typed_queries import query_length
from pages._ui.parts import fields
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question import question
from pages._ui.parts.question.question import (
    NUMBERED,
    TYPED,
    QueryChoice,
    count_of,
    labels_of,
    picked,
)
from pages._ui.state import app_state, links
from pages._ui.state.page_states import SearchState
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain

KINDS = {"query": "A query in use", "item": "An item", "words": "Words", "vector": "A vector"}
ASK_WITH = Param(
    "Ask with",
    "A query in use is one of those every page measures. An item asks with its own vector. Words "
    "are labels added and subtracted. A vector is typed or pasted.",
)
LISTED = 50  # matches that can be picked from


def choose(session: Session, beside: Callable[[], None] | None = None) -> QueryChoice:
    """Draw the choice, with `beside` in its row, and return what is picked; keys hold the value."""
    query = picked(session)
    if session.query not in ("", query.text):
        st.info(
            f"**{plain(as_text(session.query)).capitalize()} is not there.** The data have "
            f"{counted(session.dataset.m, 'query', 'queries')} in use and "
            f"{counted(session.dataset.n, 'item', 'items')}, both counted from 0. The first query "
            "is shown."
        )
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        key = f"search {query.kind}"
        fields.buttons(ASK_WITH, KINDS, query.kind, key, _take_kind, key)
        if query.kind not in TYPED:
            _by_number(session, query)
        if beside is not None:
            beside()
    if query.kind in TYPED:
        _typed(session, query)
    return query


def _by_number(session: Session, query: QueryChoice) -> None:
    last = count_of(session, query.kind) - 1
    key = f"search {query.text}"
    numbers = Param(f"{NUMBERED[query.kind]}, 0 to {last:,}", "", 0, last)
    fields.number(numbers, query.number, 1, key, _take_number, key, query.kind, width=150)
    labels = labels_of(session, query.kind)
    if labels is not None:
        _search(session, query, labels)


def _search(session: Session, query: QueryChoice, labels: Sequence[str]) -> None:
    """A box that finds labels, and what it found to pick from."""
    key = f"search label of {query.kind}"
    text = st.text_input(
        "Find by label",
        key=key,
        on_change=_take_label,
        args=(key, query.kind),
        placeholder=as_text(labels[query.number])[:40],
        width=190,
        help="Any part of a label; capitals do not matter. The nearest match is asked at once.",
    )
    matches = matching(labels, text)
    listed = matches[:LISTED]
    if listed:
        first = f"first {LISTED} of " if len(matches) > LISTED else ""
        key = f"search match {query.text}"
        st.selectbox(
            f"Matches, {first}{len(matches):,}",
            listed,
            listed.index(query.number) if query.number in listed else None,
            format_func=lambda number: f"{as_text(labels[number])} · {number:,}",
            key=key,
            on_change=_take_match,
            args=(key, query.kind),
            placeholder="Pick one",
            width=190,
        )
    elif text.strip():
        st.markdown(f":small[Matches]  \nNo label holds “{plain(as_text(text))}”.")


def _take_kind(key: str) -> None:
    """The first of its kind; what is typed begins with nothing."""
    session, kind = app_state.current(), app_state.widget(key)
    if kind and kind != picked(session).kind:
        session.query = QueryChoice(kind).text


def _take_number(key: str, kind: str) -> None:
    """A field that is gone may report its old value once more."""
    session = app_state.current()
    if key == f"search {picked(session).text}":
        session.query = QueryChoice(kind, app_state.widget(key)).text


def _take_label(key: str, kind: str) -> None:
    """Ask with the nearest match at once."""
    session = app_state.current()
    matches = matching(labels_of(session, kind) or (), app_state.widget(key))
    if matches:
        session.query = QueryChoice(kind, matches[0]).text


def _take_match(key: str, kind: str) -> None:
    number = app_state.widget(key)
    if number is not None:
        app_state.current().query = QueryChoice(kind, number).text


LOOKED_AT, SHORT = 100, 12  # labels, and characters of one, for an example


def _typed(session: Session, query: QueryChoice) -> None:
    """The box for words or for a vector; what is wrong with either is said where answers stand."""
    if query.kind == "words":
        _words(session, query)
    else:
        _vector(session, query)
    if len(query.text) > links.LONGEST_QUERY:
        st.caption("This query is too long for a link: it is gone when the page is loaded again.")


def _words(session: Session, query: QueryChoice) -> None:
    state = question.state_of(session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        key = f"search words {query.typed}"
        st.text_input(
            "Words",
            query.typed,
            key=key,
            on_change=_take,
            args=(key, query),
            placeholder=_example(session),
            width=420,
            help="Labels of items, or of the queries that came with them, with + and - between. "
            "0.5\\*king counts by half. A label that holds a sign after a blank stands in double "
            "quotes.",
        )
        declared = params_of(SearchState)["leave_out"]
        switch = f"search leave out {state.leave_out}"
        heard: dict[str, Any] = {"key": switch, "on_change": _take_switch, "args": (switch,)}
        st.toggle(declared.label, state.leave_out, help=declared.help, **heard)
    if query.typed.strip():
        _say(session, query, state)
    else:
        st.caption("Write labels with + and - between, and press Enter.")


def _example(session: Session) -> str:
    """Three labels of this data that are short; words, where there are enough."""
    labels = session.source.labels or session.source.query_labels or ()
    short = [as_text(label) for label in labels[:LOOKED_AT] if 0 < len(label) <= SHORT]
    short.sort(key=lambda label: len(label) < 3 or not label[:3].isalpha())
    return " + ".join([" - ".join(short[:2]), *short[2:3]])


def _say(session: Session, query: QueryChoice, state: SearchState) -> None:
    """Which rows were taken where labels repeat, and what is left out."""
    try:
        words = question.words_of(session, query.typed)
    except MipsError:  # said in the place of the answers
        return
    said = [plain(note) for note in words.notes]
    if state.leave_out and words.rows:
        many = len(words.rows)
        named = "The item named is" if many == 1 else f"The {many:,} items named are"
        said.append(f"{named} left out of the answers.")
    if said:
        st.caption(" ".join(said))


def _vector(session: Session, query: QueryChoice) -> None:
    numbers = question.numbers_of(query.typed)
    d = query_length(session.source)
    key = f"search vector {hash(query.typed)}"
    st.text_area(
        f"Vector, {counted(d, 'number', 'numbers')}",
        numbers,
        key=key,
        on_change=_take,
        args=(key, query),
        placeholder="[0.12, -0.5, 1e-3, …]",
        height=110,
        help="Numbers with commas, blanks or line breaks between, in brackets or without, as numpy "
        "or JSON print them. Decimals have a point.",
    )
    if session.source.logits:
        st.caption("A hidden state: the 1 that meets the bias is added.")
    if not query.typed.strip():
        st.caption(f"Paste {counted(d, 'number', 'numbers')}, and press Ctrl+Enter.")


def _take(key: str, query: QueryChoice) -> None:
    """Ask what was typed; a box that is gone says nothing any more."""
    session = app_state.current()
    if picked(session) != query:
        return
    typed = app_state.widget(key)
    if query.kind == "vector" and typed.strip():
        with suppress(MipsError):  # then it is kept as it is, to be corrected
            typed = question.written(question.vector_of(session, typed))
    session.query = QueryChoice(query.kind, typed=typed).text


def _take_switch(key: str) -> None:
    session = app_state.current()
    session.states["search"] = replace(question.state_of(session), leave_out=app_state.widget(key))
