"""What a visitor chose on an element is kept wherever a newer run ends the one that heard it."""

from types import SimpleNamespace

import pytest
import streamlit as st

from pages._ui.elements import live_curve, stepped
from pages._ui.elements.live_curve import Choice
from pages._ui.state.page_states import TuneState
from pages._ui.tune import need


class EndedError(Exception):
    """The run is ended, as Streamlit does at any call."""


class Interrupting(dict):
    """The state of a session, which ends the run at access number `at`, and works from there on."""

    at = -1

    def _may_end(self):
        self.at -= 1
        if self.at == -1:
            raise EndedError

    def __getitem__(self, name):
        self._may_end()
        return super().__getitem__(name)

    def get(self, name, default=None):
        self._may_end()
        return super().get(name, default)

    def __setitem__(self, name, value):
        self._may_end()
        super().__setitem__(name, value)


@pytest.fixture
def state(monkeypatch):
    state = Interrupting()
    monkeypatch.setattr(st, "session_state", state)
    return state


def kept_wherever_ended(state, begin, run):
    """Run, once for each access at which it can be ended and then not ended, and again after that.

    What the session kept each time comes back.
    """
    kept, at, ended = [], 0, True
    while ended:
        state.clear()
        keeping = begin()
        state.at = at
        try:
            ended = False
            run(keeping)
        except EndedError:
            ended = True
            run(keeping)
        state.at = -1
        kept.append(keeping)
        at += 1
    return kept


def sends(state, key, **choice):
    dict.__setitem__(state, key, {"choice": choice | {"serial": 1}})


def test_both_sliders_of_tune_are_heard(state):
    def begin():
        sends(state, need._key("precision"), value=0.6)
        sends(state, need._key("confidence"), value=0.99)
        return SimpleNamespace(states={"tune": TuneState()})

    kept = kept_wherever_ended(state, begin, need.take)
    assert {(c.states["tune"].precision, c.states["tune"].confidence) for c in kept} == {
        (0.6, 0.99)
    }
    assert len(kept) > 6  # it was ended between the two as well


@pytest.mark.parametrize(
    ("module", "draw", "before", "choice", "after"),
    [
        (
            live_curve,
            live_curve.live_curve,
            Choice("20", 3),
            {"topic": "", "build": "40", "effort": 7},
            Choice("40", 7),
        ),
        (stepped, stepped.stepped, (0, 0), {"topic": "", "at": [1, 2]}, (1, 2)),
    ],
)
def test_a_choice_on_what_is_drawn_is_heard(
    state, monkeypatch, module, draw, before, choice, after
):
    def begin():
        sends(state, "one", **choice)
        builds = [SimpleNamespace(value=value) for value in ("20", "40")]
        return SimpleNamespace(
            topic="", builds=builds, scenes=range(3), places=range(3), chosen=before
        )

    def run(view):
        view.chosen = draw(view, key="one")

    monkeypatch.setattr(module, "_wired", lambda *_: {})
    monkeypatch.setattr(module, "mount", lambda *_: state.get("drawn"))
    kept = kept_wherever_ended(state, begin, run)
    assert [view.chosen for view in kept] == [after] * len(kept)
    assert len(kept) > 3
