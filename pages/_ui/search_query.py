"""What the Search page asks: one of the queries in use, or an item in the place of one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from mips_core.answers import Question, question_of_item, question_of_query
from mips_core.truth import rankable
from pages._ui.choices import Session
from pages._ui.data_facts import as_text
from pages._ui.widgets import plain

NUMBERED = {"query": "Query", "item": "Row"}
_WRITTEN = re.compile(r"(query|item) ([0-9]{1,9})")


@dataclass(frozen=True)
class Picked:
    """A query in use, or an item taken as one, by its number from 0."""

    kind: str
    number: int

    @property
    def text(self) -> str:
        """How a link writes it."""
        return f"{self.kind} {self.number}"


def picked(chosen: Session) -> Picked:
    """What this visitor asks; the first query where nothing was picked, or what is not there."""
    written = _WRITTEN.fullmatch(chosen.query)
    if written is not None:
        found = Picked(written[1], int(written[2]))
        if found.number < count_of(chosen, found.kind):
            return found
    return Picked("query", 0)


def count_of(chosen: Session, kind: str) -> int:
    """How many queries are in use, or how many items there are."""
    return chosen.dataset.m if kind == "query" else chosen.dataset.n


def labels_of(chosen: Session, kind: str) -> Sequence[str] | None:
    """The labels of the queries in use, or of the items."""
    return chosen.dataset.query_labels if kind == "query" else chosen.dataset.labels


def name_of(chosen: Session, asked: Picked) -> str:
    """What a sentence calls it, as Markdown."""
    labels = labels_of(chosen, asked.kind)
    label = "" if labels is None else f" “{plain(as_text(labels[asked.number]))}”"
    return f"{NUMBERED[asked.kind]} {asked.number:,}{label}"


def question_of(chosen: Session, asked: Picked) -> Question | None:
    """What is asked of an index; None, with the reason on the page, where nothing can be."""
    dataset, number = chosen.dataset, asked.number
    if asked.kind == "query":
        question = question_of_query(dataset, number, chosen.K)
        zero = not rankable(dataset.queries)[number]
    else:
        alone = chosen.recipe.exclude_self
        question = question_of_item(dataset, number, chosen.K, exclude_self=alone)
        zero = not rankable(question.query[None]).all()
    if zero:
        st.warning(
            f"**{name_of(chosen, asked)} is zero.** Every item scores the same, so there is "
            "nothing to rank. Measurements leave such queries out."
        )
        return None
    if dataset.n == 1 and question.exclude is not None:
        st.warning("**There is no other item.** A query may not find its own row here.")
        return None
    return question
