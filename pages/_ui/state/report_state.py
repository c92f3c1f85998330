"""What the Report page asks: which setting is recommended, and what its author writes.

Any text can stand in title and note, so in a link each is a word of its own. What a link brings is
text like any other: it is shown and written as text, never as markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote_plus

from mips_core.base.params import check, param

LONGEST_TITLE, LONGEST_NOTE = 200, 4_000  # characters
Point = Literal["tune", "target", "slider"]


@dataclass(frozen=True)
class ReportState:
    """The point recommended, and the words of the author."""

    point: Point = param(
        "tune",
        "The setting to run",
        "What the report recommends: the answer of Tune as it is set there; the best measured for "
        "a precision of 0.95; or the setting in use.",
        choices=("tune", "target", "slider"),
    )
    title: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        check(self)


LONGEST_WRITTEN = 1_500  # both, as an address writes them: up to nine characters for one


def fits(state: ReportState) -> bool:
    """Whether a link holds title and note; of what is too long it holds the title alone."""
    return _length(state.title) + _length(state.note) <= LONGEST_WRITTEN


def words_of(state: ReportState) -> dict[str, list[str]]:
    """What is written, as query parameters."""
    written = {"title": state.title, "note": state.note if fits(state) else ""}
    return {name: [text] for name, text in written.items() if 0 < _length(text) <= LONGEST_WRITTEN}


def with_words(state: ReportState, words: Mapping[str, Sequence[str]]) -> ReportState:
    """`state` with what a link holds, no longer than the boxes take; a title is one line."""
    title, note = ("".join(words.get(name, ())[:1]) for name in ("title", "note"))
    title = " ".join(title.splitlines())
    return replace(state, title=title[:LONGEST_TITLE], note=note[:LONGEST_NOTE])


def _length(text: str) -> int:
    return len(quote_plus(text, errors="replace"))
