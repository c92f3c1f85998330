"""Paper, run headless."""

import pytest

from tests.pages.conftest import small_dataset, texts


@pytest.mark.parametrize("asked", ["", "data=own"])
def test_the_page_says_what_it_measures_and_whether_own_data_are_simulated(app, use, asked):
    use(small_dataset(simulated=True))
    at = app("paper.py", settle=False, paper=asked)
    assert not at.exception
    assert at.title[0].value == "Paper"
    assert "17 of its claims" in texts(at)
    assert ("Simulated ratings" in texts(at)) == bool(asked)
