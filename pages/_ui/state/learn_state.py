"""Where a visitor is in the course: which lesson, in which state, as the address writes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mips_core.base.text import in_one_line

WORD = "learn"  # the name of the parameter
LONGEST = 300  # characters


@dataclass(frozen=True)
class LearnState:
    """`place` is "" on the contents page, else as `parts.lesson.place` writes it."""

    place: str = ""


def words_of(state: LearnState) -> dict[str, list[str]]:
    """The place as a query parameter."""
    return {WORD: [state.place]} if state.place else {}


def with_words(state: LearnState, words: Mapping[str, Sequence[str]]) -> LearnState:
    """The place that a link names; what it means is looked up when it is shown."""
    place = "".join(words.get(WORD, ())[:1])
    return LearnState(in_one_line(place, LONGEST)) if place else state
