"""Queries that are typed on the Search page: words added and subtracted, or a vector's numbers."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import numpy as np

from mips_core import MipsError
from mips_core.base.arrays import Floats, Matrix
from mips_core.base.text import in_one_line
from mips_core.evaluation.one_query import Question
from mips_core.groups.typed_queries import (
    Sum,
    query_length,
    question_of_vector,
    sum_of,
    vector_of_text,
)
from pages._ui.state.search_state import SearchState
from pages._ui.state.session import Session
from pages._ui.work import results

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
    key = ("sum of words", source.fingerprint, source.query_fingerprint, typed)
    known = results.recall(key)
    if known is None or known[0] is not source.labels:  # the same vectors under other labels
        known = source.labels, sum_of(source, typed)
        results.remember(key, known)
    found: Sum = known[1]
    return found


def question_of(session: Session, kind: str, typed: str) -> Question | None:
    """What is asked; None before anything was typed. Raises DataError where it cannot be."""
    if not typed.strip():
        return None
    vector: Floats | Matrix
    exclude: tuple[int, ...] = ()
    if kind == "words":
        asked = words_of(session, typed)
        vector = asked.vector
        exclude = asked.rows if state_of(session).leave_out else ()
    else:
        vector = vector_of(session, typed)
    return question_of_vector(session.dataset, vector, session.K, exclude)


def title_of(session: Session, kind: str, typed: str) -> str:
    """What the query is called, as text."""
    if kind == "vector":
        return "The vector typed"
    try:
        text = words_of(session, typed).written
    except MipsError:
        text = typed
    return in_one_line(text, LONGEST_TITLE) or "Words"
