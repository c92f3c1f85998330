"""Drift, run headless: whatever the data is."""

import pytest

from mips_core import Setting
from pages._ui.drift import work
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.drift_page import measured, opened, table


def test_the_effort_is_that_of_the_index_on_every_page(app):
    at = opened(app)
    at.number_input(key="drift effort flat-kmeans 10").set_value(3).run()
    assert session_of(at).effort == 3
    key = work.drift_of(session_of(at)).key
    assert [part.effort for part in key if isinstance(part, Setting)] == [3]


@pytest.mark.parametrize("change", ["moved", "new"])
def test_one_item_is_measured_or_refused_in_words(app, use, change):
    use(small_dataset(n=1))
    at = measured(opened(app, drift=f"change={change}"))
    if change == "new":
        assert "none can be held out" in at.error[0].value
    else:
        assert table(at)["precision@1"].min() == 1


def test_simulated_data_is_labelled(app, use):
    use(small_dataset(simulated=True))
    assert "Simulated ratings" in texts(opened(app))
