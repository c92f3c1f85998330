"""The Search page's choice of what is asked: by number, by a label out of very many, or typed."""

from collections.abc import Sequence

import streamlit as st

from mips_core.base.text import counted
from mips_core.data.labels import matching
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question import typing
from pages._ui.parts.question.question import NUMBERED, TYPED, Picked, count_of, labels_of, picked
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain

KINDS = {"query": "A query in use", "item": "An item", "words": "Words", "vector": "A vector"}
LISTED = 50  # matches that can be picked from


def choose(session: Session) -> Picked:
    """Draw the choice and return what is picked. Keys hold the value, as in the context bar."""
    asked = picked(session)
    if session.query not in ("", asked.text):
        st.info(
            f"**{plain(as_text(session.query)).capitalize()} is not there.** The data have "
            f"{counted(session.dataset.m, 'query', 'queries')} in use and "
            f"{counted(session.dataset.n, 'item', 'items')}, both counted from 0. The first query "
            "is shown."
        )
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        key = f"search {asked.kind}"
        st.segmented_control(
            "Ask with",
            KINDS,
            default=asked.kind,
            format_func=KINDS.__getitem__,
            key=key,
            on_change=_take_kind,
            args=(key,),
            required=True,
            help="A query in use is one of those every page measures. An item asks with its own "
            "vector. Words are labels added and subtracted. A vector is typed or pasted.",
        )
        if asked.kind not in TYPED:
            _by_number(session, asked)
    if asked.kind in TYPED:
        typing.draw(session, asked)
    return asked


def _by_number(session: Session, asked: Picked) -> None:
    last = count_of(session, asked.kind) - 1
    key = f"search {asked.text}"
    st.number_input(
        f"{NUMBERED[asked.kind]}, 0 to {last:,}",
        0,
        last,
        asked.number,
        key=key,
        on_change=_take_number,
        args=(key, asked.kind),
        width=150,
    )
    labels = labels_of(session, asked.kind)
    if labels is not None:
        _search(session, asked, labels)


def _search(session: Session, asked: Picked, labels: Sequence[str]) -> None:
    """A box that finds labels, and what it found to pick from."""
    key = f"search label of {asked.kind}"
    text = st.text_input(
        "Find by label",
        key=key,
        on_change=_take_label,
        args=(key, asked.kind),
        placeholder=as_text(labels[asked.number])[:40],
        width=190,
        help="Any part of a label; capitals do not matter. The nearest match is asked at once.",
    )
    found = matching(labels, text)
    listed = found[:LISTED]
    if listed:
        more = f", first {LISTED} of {len(found):,}" if len(found) > LISTED else f", {len(found)}"
        key = f"search match {asked.text}"
        st.selectbox(
            f"Matches{more}",
            listed,
            listed.index(asked.number) if asked.number in listed else None,
            format_func=lambda number: f"{as_text(labels[number])} · {number:,}",
            key=key,
            on_change=_take_match,
            args=(key, asked.kind),
            placeholder="Pick one",
            width=190,
        )
    elif text.strip():
        st.markdown(f":small[Matches]  \nNo label holds “{plain(as_text(text))}”.")


def _take_kind(key: str) -> None:
    """The first of its kind; what is typed begins with nothing."""
    session, kind = app_state.current(), app_state.widget(key)
    if kind and kind != picked(session).kind:
        session.query = Picked(kind).text


def _take_number(key: str, kind: str) -> None:
    """A field that is gone may report its old value once more."""
    session = app_state.current()
    if key == f"search {picked(session).text}":
        session.query = Picked(kind, app_state.widget(key)).text


def _take_label(key: str, kind: str) -> None:
    """Ask with the nearest match at once."""
    session = app_state.current()
    found = matching(labels_of(session, kind) or (), app_state.widget(key))
    if found:
        session.query = Picked(kind, found[0]).text


def _take_match(key: str, kind: str) -> None:
    number = app_state.widget(key)
    if number is not None:
        app_state.current().query = Picked(kind, number).text
