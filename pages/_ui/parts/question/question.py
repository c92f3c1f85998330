"""What the Search page asks: a query in use, an item in the place of one, words, or a vector."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from mips_core import MipsError
from mips_core.evaluation.one_query import Question, question_of_item, question_of_query
from mips_core.evaluation.truth import rankable
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question import typed as search_typed
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal

NUMBERED = {"query": "Query", "item": "Row"}
TYPED = ("words", "vector")
_WRITTEN = re.compile(r"(query|item) ([0-9]{1,9})")


@dataclass(frozen=True)
class Picked:
    """A query in use, or an item taken as one, by its number from 0; or one that is typed."""

    kind: str
    number: int = 0
    typed: str = ""  # as it was, right or wrong; of a vector, `search_typed.written` where right

    @property
    def text(self) -> str:
        """How a link writes it."""
        return f"{self.kind} {self.typed if self.kind in TYPED else self.number}"


def picked(session: Session) -> Picked:
    """What this visitor asks; the first query where nothing was picked, or what is not there."""
    kind, _, typed = session.query.partition(" ")
    if kind in TYPED:
        return Picked(kind, typed=typed)
    written = _WRITTEN.fullmatch(session.query)
    if written is not None:
        found = Picked(written[1], int(written[2]))
        if found.number < count_of(session, found.kind):
            return found
    return Picked("query", 0)


def count_of(session: Session, kind: str) -> int:
    """How many queries are in use, or how many items there are."""
    return session.dataset.m if kind == "query" else session.dataset.n


def labels_of(session: Session, kind: str) -> Sequence[str] | None:
    """The labels of the queries in use, or of the items."""
    return session.dataset.query_labels if kind == "query" else session.dataset.labels


def title_of(session: Session, asked: Picked) -> str:
    """What it is called, as text: the label where there is one."""
    if asked.kind in TYPED:
        return search_typed.title_of(session, asked.kind, asked.typed)
    labels = labels_of(session, asked.kind)
    if labels is not None:
        return as_text(labels[asked.number])
    return f"{NUMBERED[asked.kind]} {asked.number:,}"


def name_of(session: Session, asked: Picked) -> str:
    """What a sentence calls it, as text: with its number, where it has one."""
    title = title_of(session, asked)
    if asked.kind in TYPED:
        return title
    number = f"{NUMBERED[asked.kind]} {asked.number:,}"
    return number if labels_of(session, asked.kind) is None else f"{number} “{title}”"


def question_of(session: Session, asked: Picked) -> Question | None:
    """What is asked of an index; None, with the reason on the page, where nothing can be."""
    try:
        question = _question_of(session, asked)
    except MipsError as error:
        st.error(refusal(error))
        return None
    if question is None:
        return None
    dataset, name = session.dataset, plain(name_of(session, asked))
    one = question.query[None] if asked.kind != "query" else dataset.queries
    if not rankable(one)[asked.number if asked.kind == "query" else 0]:
        st.warning(
            f"**{name} is zero.** Every item scores the same, so there is "
            "nothing to rank. Measurements leave such queries out."
        )
        return None
    if dataset.n <= len(question.exclude):
        st.warning("**There is no other item.** " + (
            "All items are named, and what is named is left out."
            if asked.kind in TYPED else "A query may not find its own row here."))  # fmt: skip
        return None
    return question


def _question_of(session: Session, asked: Picked) -> Question | None:
    """None before anything was typed. Raises MipsError for text that cannot be asked."""
    if asked.kind == "query":
        return question_of_query(session.dataset, asked.number, session.K)
    if asked.kind == "item":
        alone = session.recipe.exclude_self
        return question_of_item(session.dataset, asked.number, session.K, exclude_self=alone)
    return search_typed.question_of(session, asked.kind, asked.typed)
