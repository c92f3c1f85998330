"""A figure under sliders: what does not fit them is refused."""

import pytest

from pages._ui.elements.stepped_view import Scene, Steps
from tests.pages.robustness_page import stepped_view


@pytest.mark.parametrize(
    "changes",
    [
        {"chosen": (2, 0)},
        {"chosen": (0, -1)},
        {"places": [0.0]},
        {"scenes": [Scene([{}], ["one", "two"])]},
        {"scenes": [Scene([], ["one", "two"])] * 2},
        {"scenes": [Scene([{}], ["one"])] * 2},
    ],
)
def test_a_view_that_does_not_fit_its_sliders_is_refused(changes):
    with pytest.raises(ValueError, match="slider"):
        stepped_view(**changes)
    with pytest.raises(ValueError, match="slider"):
        Steps("S", ["a"], [])
