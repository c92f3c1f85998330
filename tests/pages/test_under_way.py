"""The line over every page says what is computed, and leads to where it is shown."""

import threading

import pytest

from pages._ui.work import jobs


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([("evaluation", 1)], "Measuring 1 setting · 0%"),
        ([("evaluation", 1), ("evaluation", 2)], "Measuring 2 settings · 0%"),
        ([("clock", 1)], "Work 0 · 0%"),
        ([("clock", 1), ("evaluation", 1)], "Measuring 2 pieces · 0%"),
    ],
)
def test_what_is_computed_is_named(app, keys, said):
    at = app("methods.py")
    owner = at.session_state["session"].owner
    release = threading.Event()
    for number, key in enumerate(keys):
        jobs.start(key, f"Work {number}", lambda progress: release.wait(20), owner)
    at.run()
    links = [link.proto.label for link in at.main.get("page_link")]
    release.set()
    assert said in links
