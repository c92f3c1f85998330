"""What the Search page asks: a query in use, an item in the place of one, words, or a vector.

Words are added and subtracted; a vector is written with its numbers.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from mips_core import MipsError
from mips_core.base.arrays import Floats, Matrix
from mips_core.base.text import in_one_line
from mips_core.data.rankable import rankable
from mips_core.groups.typed_queries import (
    Sum,
    query_length,
    question_of_vector,
    sum_of,
    vector_of_text,
)
from mips_core.groups.typed_queries.one_query import Question, question_of_item, question_of_query
from pages._ui.parts.data_facts import as_text
from pages._ui.state.page_states import SearchState
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal
from pages._ui.work import results
from pages._ui.work.task import items_name

NUMBERED = {"query": "Query", "item": "Row"}
TYPED = ("words", "vector")
_WRITTEN = re.compile(r"(query|item) ([0-9]{1,9})")


@dataclass(frozen=True)
class QueryChoice:
    """A query in use, or an item taken as one, by its number from 0; or one that is typed."""

    kind: str
    number: int = 0
    typed: str = ""  # as it was, right or wrong; of a vector, `written` where right

    @property
    def text(self) -> str:
        """How a link writes it."""
        return f"{self.kind} {self.typed if self.kind in TYPED else self.number}"


def picked(session: Session) -> QueryChoice:
    """What this visitor asks; the first query where nothing was picked, or what is not there."""
    kind, _, typed = session.query.partition(" ")
    if kind in TYPED:
        return QueryChoice(kind, typed=typed)
    match = _WRITTEN.fullmatch(session.query)
    if match is not None:
        query = QueryChoice(match[1], int(match[2]))
        if query.number < count_of(session, query.kind):
            return query
    return QueryChoice("query", 0)


def count_of(session: Session, kind: str) -> int:
    """How many queries are in use, or how many items there are."""
    return session.dataset.m if kind == "query" else session.dataset.n


def labels_of(session: Session, kind: str) -> Sequence[str] | None:
    """The labels of the queries in use, or of the items."""
    return session.dataset.query_labels if kind == "query" else session.dataset.labels


def title_of(session: Session, query: QueryChoice) -> str:
    """What it is called, as text: the label where there is one."""
    if query.kind in TYPED:
        return _typed_title(session, query.kind, query.typed)
    labels = labels_of(session, query.kind)
    if labels is not None:
        return as_text(labels[query.number])
    return f"{NUMBERED[query.kind]} {query.number:,}"


def name_of(session: Session, query: QueryChoice) -> str:
    """What a sentence calls it, as text: with its number, where it has one."""
    title = title_of(session, query)
    if query.kind in TYPED:
        return title
    number = f"{NUMBERED[query.kind]} {query.number:,}"
    return number if labels_of(session, query.kind) is None else f"{number} “{title}”"


def question_of(session: Session, query: QueryChoice) -> Question | None:
    """What is asked of an index; None, with the reason on the page, where nothing can be."""
    try:
        question = _question_of(session, query)
    except MipsError as error:
        st.error(refusal(error))
        return None
    if question is None:
        return None
    dataset, name = session.dataset, plain(name_of(session, query))
    one = question.query[None] if query.kind != "query" else dataset.queries
    if not rankable(one)[query.number if query.kind == "query" else 0]:
        st.warning(
            f"**{name} is zero.** Every item scores the same, so there is "
            "nothing to rank. Measurements leave such queries out."
        )
        return None
    if dataset.n <= len(question.exclude):
        st.warning("**There is no other item.** " + (
            "All items are named, and what is named is left out."
            if query.kind in TYPED else "A query may not find its own row here."))  # fmt: skip
        return None
    return question


def _question_of(session: Session, query: QueryChoice) -> Question | None:
    """None before anything was typed. Raises MipsError for text that cannot be asked."""
    if query.kind == "query":
        return question_of_query(session.dataset, query.number, session.K)
    if query.kind == "item":
        alone = session.recipe.exclude_self
        return question_of_item(session.dataset, query.number, session.K, exclude_self=alone)
    return _typed_question(session, query.kind, query.typed)


EXACT = "f32:"  # begins a vector as links write it: its float32 bytes, little-endian, in base64
LONGEST_TITLE = 80  # characters


def state_of(session: Session) -> SearchState:
    """What was chosen on the page beside the query."""
    state: SearchState = session.states["search"]
    return state


def written(vector: Matrix) -> str:
    """A vector (d,) as a link holds it: exact, and shorter than its numbers."""
    return EXACT + urlsafe_b64encode(vector.astype("<f4").tobytes()).decode()


def vector_of(session: Session, typed: str) -> Matrix:
    """The vector that was typed, or that a link holds. Raises DataError where it is none."""
    return vector_of_text(numbers_of(typed), query_length(session.source))


def numbers_of(typed: str) -> str:
    """The numbers of a vector that a link holds, each as short as it can be; or what was typed."""
    if not typed.startswith(EXACT):
        return typed
    try:
        data = urlsafe_b64decode(typed.removeprefix(EXACT))
        return ", ".join(map(str, np.frombuffer(data, "<f4")))
    except ValueError:  # no base64, or no whole numbers
        return ""


def words_of(session: Session, typed: str) -> Sum:
    """What typed words add up to; looked up once. Raises DataError as `sum_of` does."""
    source = session.source
    key = ("sum of words", items_name(source), source.query_fingerprint, typed)
    pair: tuple[object, Sum] | None = results.recall(key)
    if pair is None or pair[0] is not source.labels:  # the same vectors under other labels
        pair = source.labels, sum_of(source, typed)
        results.remember(key, pair)
    return pair[1]


def _typed_question(session: Session, kind: str, typed: str) -> Question | None:
    """What is asked; None before anything was typed. Raises DataError where it cannot be."""
    if not typed.strip():
        return None
    vector: Floats | Matrix
    exclude: tuple[int, ...] = ()
    if kind == "words":
        words = words_of(session, typed)
        vector = words.vector
        exclude = words.rows if state_of(session).leave_out else ()
    else:
        vector = vector_of(session, typed)
    return question_of_vector(session.dataset, vector, session.K, exclude)


def _typed_title(session: Session, kind: str, typed: str) -> str:
    """What the query is called, as text."""
    if kind == "vector":
        return "The vector typed"
    try:
        text = words_of(session, typed).written
    except MipsError:
        text = typed
    return in_one_line(text, LONGEST_TITLE) or "Words"
