"""What a browser sends of sliders: only what makes sense is read."""

import pytest

from pages._ui.elements.stepped import SteppedScene, Steps, read_choice
from tests.pages.robustness_page import stepped_view


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"topic": "", "at": [1, 0], "serial": 1}, (1, 0)),
        ({"topic": "other", "at": [1, 0]}, (0, 1)),
        ({"topic": "", "at": [2, 0]}, (0, 1)),
        ({"topic": "", "at": [0, -1]}, (0, 1)),
        ({"topic": "", "at": ["0", 1]}, (0, 1)),
        ({"topic": "", "at": [1]}, (0, 1)),
        ({}, (0, 1)),
        (None, (0, 1)),
    ],
)
def test_only_what_makes_sense_is_read(sent, read):
    assert read_choice(sent, stepped_view()) == read


@pytest.mark.parametrize(
    "changes",
    [
        {"chosen": (2, 0)},
        {"chosen": (0, -1)},
        {"places": [0.0]},
        {"scenes": [SteppedScene([{}], ["one", "two"])]},
        {"scenes": [SteppedScene([], ["one", "two"])] * 2},
        {"scenes": [SteppedScene([{}], ["one"])] * 2},
    ],
)
def test_a_view_that_does_not_fit_its_sliders_is_refused(changes):
    with pytest.raises(ValueError, match="slider"):
        stepped_view(**changes)
    with pytest.raises(ValueError, match="slider"):
        Steps("S", ["a"], [])
