"""What happens between the start of the server and the first visitor."""

import gc
import logging
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from pages._ui import warmup
from pages._ui.parts import followed_search
from pages._ui.state.session import DEFAULT_INDEXES
from pages._ui.work import jobs, measurement, memory, results

ROOT = Path(__file__).parents[3]
SLOW = (
    "pandas",
    "pyarrow",
    "scipy.sparse",
    "scipy.spatial",
    "scipy.special",
    "mips_core.data.readers",
)
ASK = f"""
import sys
from pages._ui import warmup
from pages._ui.parts import context_bar, live_curve
from pages._ui.work import measurement
print([name for name in {SLOW} if name in sys.modules])
warmup._import_pages()
print([name for name in ("pages._ui.main", "pages._ui.map.page", "pandas") if name in sys.modules])
"""


def test_a_first_curve_imports_no_more_than_it_needs_and_other_pages_are_imported_after_it():
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    before, after = done.stdout.splitlines()
    assert before == "[]"
    assert after == "['pages._ui.map.page', 'pandas']"


def test_the_curves_a_first_visitor_sees_are_measured_before_they_come(monkeypatch):
    asked = []
    monkeypatch.setattr(
        measurement.Measurement, "start", lambda self, *turn: asked.append(self.index.key)
    )
    warmup._measure_first_curves()
    assert asked == list(DEFAULT_INDEXES)


def test_a_first_search_is_followed_before_one_is_asked_for():
    [first, *_] = warmup._first_curves()
    warmup._follow_first_search()  # nothing is built yet: there is nothing to follow
    assert results.recall(followed_search.levels(first).key) is None
    first.start("warm-up")
    assert jobs.wait(300)
    warmup._follow_first_search()
    [level] = results.recall(followed_search.levels(first).key)
    assert len(level.names) == 20


def test_nothing_is_compiled_before_a_first_page_was_drawn(monkeypatch, collector):
    drawn, order = warmup.Event(), []
    monkeypatch.setattr(warmup, "PAGE_DRAWN", drawn)
    monkeypatch.setattr(warmup, "VISITOR", 30)
    monkeypatch.setattr(warmup, "_measure_first_curves", lambda: order.append(drawn.is_set()))
    monkeypatch.setattr(warmup, "_import_pages", lambda: None)
    monkeypatch.setattr("mips_core.groups.projection.warm", lambda: None)
    monkeypatch.setattr(warmup, "_follow_first_search", lambda: None)
    warming = Thread(target=warmup._warm)
    warming.start()
    assert order == []
    drawn.set()
    warming.join(60)
    assert order == [True]


@pytest.fixture
def collector(monkeypatch):
    """Leaves nothing set aside in this process, which compiles and collects as before."""
    monkeypatch.setattr("pages._ui.work.kernel_child.use", lambda child: None)
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_what_the_warm_up_made_is_not_looked_at_by_the_collector(monkeypatch, collector):
    made = []
    monkeypatch.setattr(warmup, "_measure_first_curves", lambda: made.append(["at first"]))
    monkeypatch.setattr(warmup, "_import_pages", lambda: None)
    monkeypatch.setattr("mips_core.groups.projection.warm", lambda: made.append(["later"]))
    monkeypatch.setattr(warmup, "VISITOR", 0)
    monkeypatch.setattr(warmup, "_follow_first_search", lambda: None)
    warmup._warm()
    looked_at = {id(one) for one in gc.get_objects()}
    assert len(made) == 2
    assert not looked_at & {id(made), *map(id, made)}
    assert gc.get_threshold() == memory.THRESHOLDS
    assert gc.isenabled()


def test_a_warm_up_that_fails_is_told_to_the_log_alone(monkeypatch, caplog, collector):
    def fail():
        raise OSError("no room")

    monkeypatch.setattr(warmup, "VISITOR", 0)
    monkeypatch.setattr(warmup, "_measure_first_curves", lambda: None)
    monkeypatch.setattr(warmup, "_import_pages", fail)
    with caplog.at_level(logging.ERROR):
        warmup._warm()
    assert "The warm-up failed" in caplog.text
