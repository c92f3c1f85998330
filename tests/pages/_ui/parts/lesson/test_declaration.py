"""Values in words, and what a lesson says of its own state."""

import pytest

from pages._ui.parts.lesson.declaration import (
    Ask,
    Handle,
    Lesson,
    LessonStep,
    OwnData,
    Press,
    Slider,
    Track,
    Unseen,
    steps,
)


def lesson(**changes):
    known = {
        "number": 1, "chapter": "Clusters", "minutes": 1, "title": "T", "short": "t",
        "idea": "Drag the {query|query}.", "state": {"q": 0, "p": 1, "rim": 0},
        "controls": (
            Slider(key="p", label="P", values=(1, 2)),
            Press(label="More", key="p", by=1, values=(1, 2, 3)),
            Unseen(key="rim", values=(0, 1)),
        ),
        "steps": (LessonStep("{all} words.", {"p": 2}),), "question": "?", "answer": "{all}",
        "data": "d", "own": OwnData("search.py", "Own", lambda session, state: None),
        "make": dict, "handle": Handle(label="Q", across=Track(key="q", values=(0, 90))),
        "asks": (Ask("Which {miss|miss}?", "None."),),
    }  # fmt: skip
    return Lesson(**(known | changes))


def test_values_stand_in_words():
    assert Slider(key="p", values=range(1, 3), words="{} of 8").texts == ["1 of 8", "2 of 8"]
    assert Slider(key="u", values=(0.5,), words="{:.2f}").texts == ["0.50"]
    assert Slider(key="u", values=(0, 1), words=("off", "on")).texts == ["off", "on"]
    with pytest.raises(ValueError, match="1 texts for 2 values"):
        _ = Slider(key="u", values=(0, 1), words=("off",)).texts


def test_steps_are_their_shortest_decimals():
    assert steps(0.05, 0.95, 0.05)[:3] == (0.05, 0.1, 0.15)
    assert steps(0, 359.5, 0.5)[-1] == 359.5
    assert len(steps(0, 359.5, 0.5)) == 720


def test_a_lesson_knows_what_moves_its_state_and_what_its_texts_link_to():
    one = lesson()
    assert [part.key for part in one.parts] == ["q", "p", "p", "rim"]
    assert one.values_of("p") == [1, 2, 3]
    assert one.terms == ["query", "miss"]
    assert lesson(handle=None).values_of("q") == []
