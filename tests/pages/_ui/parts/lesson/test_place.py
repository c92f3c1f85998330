"""Places of the course: what an address says, and that it says no more than it must."""

import pytest

from pages._ui.parts.lesson.course import lessons
from pages._ui.parts.lesson.place import CoursePlace, place_of, sent_place, text_of


def test_an_address_names_a_state_and_holds_only_what_differs():
    place = place_of("5:q=112,p=3")
    assert (place.number, place.step, place.way, place.name) == (5, 0, "", "open_clusters")
    assert place.state == {"q": 112, "p": 3, "rim": 0}
    assert text_of(place) == "5:q=112,p=3"
    assert text_of(place_of("5:q=74,p=1,rim=0")) == "5"


def test_a_step_is_its_state_and_what_was_moved_since():
    place = place_of("5:step=4")
    assert place.state == {"q": 112, "p": 1, "rim": 1}
    assert text_of(place) == "5:step=4"
    assert text_of(place_of("5:p=8,step=4,way=10")) == "5:p=8,step=4,way=10"
    assert place_of("5:step=999").step == len(lessons()["open_clusters"].steps)


@pytest.mark.parametrize(
    "text",
    ["", "0", "77", "5x", "²", "5 ", "nothing", "<b>", "-5", "5" * 40, "٥"],
)
def test_what_is_no_place_is_the_contents(text):
    assert place_of(text) == CoursePlace()


@pytest.mark.parametrize(
    "text",
    ["5:q=1000", "5:q=nan", "5:p=", "5:q", "5:x=1", "5:step=-1", "5:way=9", "5:q=112.3", "5:="],
)
def test_what_cannot_be_read_is_left_at_its_default(text):
    assert text_of(place_of(text)) == "5"


def test_a_term_is_a_place():
    assert place_of("probe").term == "probe"
    assert text_of(place_of("probe")) == "probe"


def test_what_a_browser_sends_is_looked_at():
    start = place_of("5")

    def sent(**changes):
        usual = {"number": 5, "state": {"q": 112, "p": 3}, "step": 0, "way": ""}
        return sent_place(usual | changes, start)

    assert text_of(sent()) == "5:q=112,p=3"
    assert text_of(sent(step=2)) == "5:p=3,step=2"
    assert text_of(sent(state={"q": 112.25, "p": "3", "z": 1, "rim": [1]})) == "5"
    assert sent(number=44) is start
    assert sent(state=3) is start
    assert text_of(sent_place({"number": 0, "term": "probe"}, start)) == "probe"
    assert sent_place({"number": 0, "term": "<b>"}, start) == CoursePlace()
    assert sent_place({}, start) is start
