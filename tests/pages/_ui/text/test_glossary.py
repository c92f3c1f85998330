"""Every entry is whole, is used, and leads somewhere."""

import re

import pytest

from mips_core import INDEXES
from mips_core.base.params import params_of
from pages._ui.parts.lesson.course import lessons
from pages._ui.state.page_states import STATES
from pages._ui.text.glossary import GLOSSARY, lesson_about, linked
from pages._ui.text.widgets import PAGES

MAIN = (PAGES / "_ui/main.py").read_text()
TITLES = set(re.findall(r'title="([\w -]+)"', MAIN)) | {"every page"}
SPECS = (*INDEXES.values(), *STATES.values())
HELPS = [param.help for spec in SPECS for param in params_of(spec).values()]
LINK = re.compile(r"\]\(learn\?learn=([\w-]+)\)")


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


def test_a_help_text_links_each_term_once():
    text = "Clusters, and the probes of a cluster: inner products. A round of hashes."
    assert linked(text) == (
        "[Clusters](learn?learn=cluster), and the [probes](learn?learn=probe) of a cluster: "
        "[inner products](learn?learn=inner-product). A round of [hashes](learn?learn=hash)."
    )
    assert linked("Nothing here, not even subclusters.") == "Nothing here, not even subclusters."


def test_every_entry_is_used():
    shown = {term for lesson in lessons().values() for term in lesson.terms}
    helped = {term for text in HELPS for term in LINK.findall(linked(text))}
    assert helped <= set(GLOSSARY)
    assert set(GLOSSARY) - shown - helped == set()


def test_labels_of_controls_lead_to_the_lesson_that_shows_them():
    assert lesson_about("Probes") == GLOSSARY["probe"].lesson
    assert lesson_about("Branches") == GLOSSARY["branch"].lesson
    assert lesson_about("Precision@K") == GLOSSARY["precision"].lesson
    assert lesson_about("Items scored") == 0
