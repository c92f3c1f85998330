"""What the browser is told: all of it declared or computed, and every word is used."""

import re

import numpy as np
import pytest

from pages._ui.elements import blobs
from pages._ui.elements.serve import ASSETS
from pages._ui.parts.lesson import message
from pages._ui.parts.lesson.course import lessons
from pages._ui.parts.lesson.place import place_of
from tests.mips_core.figures.page_files import unpacked
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


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_as_a_file_is_small_and_leads_to_no_other(name):
    place = place_of(str(lessons()[name].number))
    page = message.lesson_file(place)
    assert len(page) < 5_000_000
    _, program, data = unpacked(page)
    alone = unpack(data)
    assert [one["name"] for one in alone["lessons"]] == [name]
    assert alone["alone"]
    assert f'modules["lesson_{name}.js"]' in program
