"""Shelves of runs: found by name while they are held, and said to be lost where they are not."""

from types import SimpleNamespace

import pytest

from mips_core.studies import runs
from pages._ui.state import runs_state
from pages._ui.state.runs_state import RunsState, Shelf
from pages._ui.work import uploads


@pytest.fixture(autouse=True)
def named_runs(monkeypatch):
    """Runs that are nothing but what they are named by."""
    monkeypatch.setattr(runs, "digest_of", lambda run: run.digest)


def shelf(*digests):
    return Shelf.of(tuple(SimpleNamespace(digest=digest) for digest in digests))


def test_a_shelf_is_named_by_its_runs_in_order():
    assert shelf("a", "b").name == shelf("a", "b").name
    assert shelf("a", "b").name != shelf("b", "a").name


def test_who_has_the_link_finds_the_shelf_and_one_that_is_gone_is_told(monkeypatch):
    kept = shelf("one")
    states = {"runs": RunsState(shelf=kept.name, kept=kept)}
    runs_state.hold(states)
    other = {"runs": RunsState(shelf=kept.name)}
    runs_state.hold(other)
    assert other["runs"].kept is kept
    name = kept.name
    now = uploads.monotonic()
    monkeypatch.setattr(uploads, "monotonic", lambda: now + uploads.UPLOAD_SECONDS + 1)
    del kept, other, states
    late = {"runs": RunsState(shelf=name)}
    runs_state.hold(late)
    assert (late["runs"].shelf, late["runs"].lost) == ("", True)
