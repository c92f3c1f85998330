"""What is measured for two methods."""

import time

import pytest

from mips_core import INDEXES
from pages._ui.state import session
from pages._ui.work import jobs, measurement
from tests.pages.compare_page import all_in, compared, table
from tests.pages.conftest import session_of, small_dataset, texts


@pytest.mark.parametrize(("n", "said"), [(1, "nothing to compare"), (5, "nothing to compare")])
def test_tiny_data_has_nothing_to_compare(app, monkeypatch, n, said):
    dataset = small_dataset(n=n)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    at = compared(app, k="100")
    assert said in texts(at)


def test_cancelling_keeps_what_is_known_and_starts_nothing_by_itself(app, monkeypatch):
    at = all_in(app("compare.py", settle=False, compare="second=largest-norm"))

    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at.selectbox(key="compare second largest-norm").set_value("pca-tree").run()
        at.button(key="cancel settings").click().run()
        assert jobs.wait(10)
        at.run()
        assert "Cancelled after" in texts(at)
        assert not jobs.of(session_of(at).owner)
        at.button(key="go on").click()
    all_in(at.run())
    assert any(INDEXES["pca-tree"].label in column for column in table(at))
