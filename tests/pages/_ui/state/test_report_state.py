"""The Report page in a link."""

from pages._ui.report import assembly
from pages._ui.state import report_state
from pages._ui.state.report_state import LONGEST_NOTE, LONGEST_TITLE, ReportState
from tests.pages.conftest import session_of
from tests.pages.report_page import opened


def captions(at):
    return [caption.value for caption in at.caption]


def test_title_and_note_are_in_the_link_as_far_as_one_holds_them(app):
    at = opened(app)
    at.text_input(key="report title").set_value("50% of it, or more").run()
    at.text_area(key="report note").set_value("One\n<b>two</b> & three").run()
    link = dict(at.query_params)
    assert (link["title"], link["note"]) == ("50% of it, or more", "One\n<b>two</b> & three")
    again = opened(app, **link)
    state = assembly.state_of(session_of(again))
    assert (state.title, state.note) == (link["title"], link["note"])
    assert not [text for text in captions(again) if "too long" in text]
    again.text_area(key="report note").set_value("ü" * 300).run()
    assert "note" not in again.query_params
    assert again.query_params["title"] == link["title"]
    assert [text for text in captions(again) if "too long for a link" in text]


def test_what_a_link_writes_is_one_line_and_no_longer_than_the_boxes():
    state = report_state.with_words(ReportState(), {"title": ["a\nb" * 200], "note": ["c" * 5_000]})
    assert (len(state.title), state.title[:4]) == (LONGEST_TITLE, "a ba")
    assert state.note == "c" * LONGEST_NOTE
