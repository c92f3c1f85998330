"""Every lesson by existing: its declaration is sound, and its own files are there."""

import re

import pytest

from mips_core.base.text import in_one_line
from pages._ui.elements import serve
from pages._ui.parts.lesson.course import FOLDER, WAYS, drawing_of, lessons, name_of
from pages._ui.parts.lesson.declaration import CHAPTERS, FACT, TERM, Options, Press, Ranged
from pages._ui.parts.lesson.message import message
from pages._ui.state.learn_state import LONGEST
from pages._ui.text.glossary import GLOSSARY
from pages._ui.text.widgets import PAGES

NAMES = list(lessons())
RESERVED = {"step", "way"}


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def lesson(name):
    return lessons()[name]


def test_lessons_are_in_order_and_each_number_is_one():
    numbers = [lesson.number for lesson in lessons().values()]
    assert numbers == sorted(set(numbers))
    assert name_of(5) == "open_clusters"
    assert name_of(99) == ""
    chapters = [CHAPTERS.index(lesson.chapter) for lesson in lessons().values()]
    assert chapters == sorted(chapters)


def test_what_is_declared_fits(lesson):
    keys = {part.key for part in lesson.parts}
    assert keys == set(lesson.state)
    assert not keys & RESERVED
    shown = [*(step.state for step in lesson.steps), *lesson.pictures, lesson.sheet]
    for state in [lesson.state, lesson.answer_state, lesson.still, *shown]:
        for key, value in state.items():
            assert value in lesson.values_of(key), f"{key}={value}"
    for control in lesson.controls:
        assert set(control.when) <= set(lesson.state)
        if isinstance(control, Options):
            assert set(control.sets) <= set(lesson.state)
        if isinstance(control, Press):
            assert (control.by == 0) != (control.to is None)
        if isinstance(control, Ranged):
            assert len(control.texts) == len(control.values)
    for key in keys:  # the address writes them side by side
        assert all(re.fullmatch(r"[\w.-]+", f"{v}") for v in lesson.values_of(key))


def test_it_can_be_taught(lesson):
    assert 3 <= len(lesson.steps) <= 6
    assert 2 <= len(lesson.asks) <= 5
    assert 1 <= lesson.minutes <= 5
    assert all(len(step.say) <= 90 for step in lesson.steps), "to be read from ten metres"
    assert (PAGES / lesson.own.page).is_file()
    assert lesson.short == in_one_line(lesson.short, 40)


def test_every_term_is_in_the_glossary_and_links_once(lesson):
    assert set(lesson.terms) <= set(GLOSSARY)
    assert len(lesson.terms) == len(set(lesson.terms)), "a link where the term stands first"
    assert lesson.terms, "say which words are terms"


def test_every_fact_of_its_texts_is_computed(lesson):
    facts = {fact for text in lesson.texts for fact in FACT.findall(TERM.sub("", text))}
    if facts and not lesson.stored:
        assert facts <= set(lesson.make().get("facts", {}))


def test_its_files_are_served_and_its_message_is_light(name, lesson):
    assert drawing_of(name).is_file()
    assert f"lesson_{name}.js" in serve.files()
    assert f"lesson_{name}.svg" in serve.files(), "python -m benchmarks.lessons stills"
    assert message(name).size < 400_000


def test_ways_lead_through_lessons_and_links_to_steps_are_short(lesson):
    assert len(str(lesson.state)) < LONGEST
    assert all(numbers == tuple(sorted(numbers)) for numbers in WAYS.values())
    assert {path.stem for path in FOLDER.glob("*.js")} == set(NAMES)
