"""Title and note of the report in a link: any text can stand there, so each is a word of its own.

What a link brings is text like any other: it is shown and written as text, never as markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote_plus

from pages._ui.state.report_state import LONGEST_NOTE, LONGEST_TITLE, ReportState

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
