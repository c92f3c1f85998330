"""Every entry is whole, is used, and leads somewhere."""

import re

import pytest

from pages._ui.parts.lesson.course import FOLDER
from pages._ui.text.glossary import GLOSSARY
from pages._ui.text.widgets import PAGES

MAIN = (PAGES / "_ui/main.py").read_text()
TITLES = set(re.findall(r'title="([\w -]+)"', MAIN)) | {"every page"}
TEXTS = "".join(
    p.read_text() for p in [*FOLDER.glob("*.py"), *PAGES.glob("*.py"), *PAGES.glob("_ui/**/*.py")]
)


@pytest.mark.parametrize("key", GLOSSARY)
def test_an_entry_says_what_it_is_in_one_or_two_sentences(key):
    entry = GLOSSARY[key]
    assert re.fullmatch(r"[a-z-]+", key)
    assert 1 <= len(re.findall(r"[.?](?: |$)", entry.text)) <= 3
    assert len(entry.text) <= 200
    assert 1 <= entry.lesson <= 13
    assert set(entry.pages) <= TITLES


def test_terms_are_told_apart():
    assert len({entry.term for entry in GLOSSARY.values()}) == len(GLOSSARY)
    assert len(GLOSSARY) >= 40
