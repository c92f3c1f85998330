"""What the browser is told: all of it declared or computed, and every word is used."""

import re

import numpy as np

from pages._ui.elements import blobs
from pages._ui.elements.serve import ASSETS
from pages._ui.parts.lesson import message
from pages._ui.parts.lesson.course import lessons
from tests.pages.wire_reader import unpack


def told(name):
    blob = message.message(name)
    return unpack(blobs._KEPT[blob.address.rpartition("/")[2]])


def test_the_contents_list_every_lesson_and_the_glossary():
    contents = told("")
    assert [one["name"] for one in contents["lessons"]] == list(lessons())
    assert contents["ways"]["10"] == [1, 3, 5, 6]
    assert contents["glossary"]["probe"]["symbol"] == "p"
    assert "lesson" not in contents


def test_a_lesson_brings_its_declaration_and_its_numbers():
    lesson = told("open_clusters")
    assert lesson["lesson"]["defaults"] == {"q": 74, "p": 1, "rim": 0}
    assert lesson["lesson"]["handle"]["across"]["texts"][1] == "0.5 degrees"
    slider, unseen = lesson["lesson"]["controls"]
    assert (slider["kind"], slider["texts"][0], unseen["kind"]) == ("slider", "1 of 8", "unseen")
    data = unpack(bytes(lesson["data"]))
    assert np.shape(data["order"]) == (720, 8)
    assert message.message("open_clusters") is message.message("open_clusters")


def test_every_word_is_used_by_the_modules_of_the_browser():
    text = "".join(path.read_text() for path in ASSETS.glob("learn*.js"))
    assert set(message.WORDS) <= set(re.findall(r"\w+", text))
