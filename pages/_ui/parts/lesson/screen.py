"""The page of the course: one element, which shows the contents or a lesson."""

import streamlit as st

from mips_core.base.errors import MipsError
from pages._ui.elements.component import sent_choice
from pages._ui.elements.lesson import lesson_element
from pages._ui.parts import result_table
from pages._ui.parts.lesson.course import lessons
from pages._ui.parts.lesson.message import lesson_file, message
from pages._ui.parts.lesson.place import CoursePlace, place_of, sent_place, text_of
from pages._ui.state import app_state
from pages._ui.state.learn_state import LearnState
from pages._ui.text.widgets import PAGES, refusal

KEY = "course"


def draw() -> None:
    """Draw where the visitor is, and hear where the browser went since."""
    app_state.follow_link_into_course()
    session = app_state.current()
    place = place_of(session.states["learn"].place)
    sent = sent_choice(KEY)
    serial = sent.get("serial")
    if sent and app_state.is_new_choice(KEY, serial):
        place = sent_place(sent, place)
        app_state.hear_choice(KEY, serial)
        session.states["learn"] = LearnState(text_of(place))
        if sent.get("own") is True and place.number:
            _open_own_data(place)
    try:
        block = message(place.name)
    except MipsError as error:
        st.error(refusal(error))
        return
    lesson_element(block, place.name, place, serial, key=KEY)
    if place.number:
        result_table.download(
            "Lesson as a page (HTML)",
            lambda: lesson_file(place),
            f"lesson-{place.number}.html",
            "text/html",
            "lesson file",
            help="One file that opens without a server or a network, and can be dragged as here.",
        )


def _open_own_data(place: CoursePlace) -> None:
    """The page that shows the same on the visitor's own data."""
    own = lessons()[place.name].own
    own.ask(app_state.current(), place.state)
    st.switch_page(PAGES / own.page)
