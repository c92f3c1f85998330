"""The words of the answers element: those of a message come over the usual ones."""

import re

from pages._ui.elements import search_answers
from pages._ui.elements.serve import ASSETS
from tests.pages.wire_reader import unpack


def test_a_message_adds_its_words_and_hears_of_the_last_choice(monkeypatch):
    told = []
    monkeypatch.setattr(search_answers, "_ANSWERS", lambda **known: told.append(known))
    monkeypatch.setattr(search_answers, "sent_choice", lambda key: {"serial": 7})
    search_answers.answers_element({"words": {"saves": "fewer", "tie": "even"}}, key="one")
    message = unpack(told[0]["data"])
    assert message["seen"] == 7
    assert (message["words"]["saves"], message["words"]["tie"]) == ("fewer", "even")
    assert message["words"]["cost"] == search_answers.WORDS["cost"]


def test_every_word_is_used_by_the_modules_of_the_browser():
    text = "".join(path.read_text() for path in ASSETS.glob("search*.js"))
    assert set(search_answers.WORDS) <= set(re.findall(r"\w+", text))
