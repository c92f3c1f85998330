"""The element of the course is told where to be, and where its numbers are."""

from pages._ui.elements import lesson
from pages._ui.elements.blobs import Blob


def test_it_is_told_the_place_and_what_was_heard(monkeypatch):
    told = []
    monkeypatch.setattr(lesson, "_COURSE", lambda **known: told.append(known))
    lesson.lesson_element(Blob("./blobs/x", "uint8", 3), "one", {"number": 1}, 7, key="k")
    assert told[0]["data"] == {
        "address": "./blobs/x", "name": "one", "place": {"number": 1}, "seen": 7,
    }  # fmt: skip
