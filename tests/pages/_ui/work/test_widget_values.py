"""What a key holds is what it was; it is looked up alone."""

import pytest
from streamlit.runtime.state import SafeSessionState, SessionState

from pages._ui.work import widget_values


@pytest.fixture
def state(monkeypatch):
    monkeypatch.setattr(SafeSessionState, widget_values.NAME, _listed())
    own = SessionState()
    own["data"], own["nothing"] = 3, None
    return SafeSessionState(own, lambda: None)


def _listed():
    return getattr(SafeSessionState, widget_values.NAME)


def test_keys_hold_the_same(state):
    before = dict(state.filtered_state)
    widget_values.look_up_one()
    values = state.filtered_state
    assert not isinstance(values, dict)
    assert before == {"data": 3, "nothing": None} == dict(values)
    assert len(values) == 2
    assert "nothing" in values
    assert "no key" not in values
    with pytest.raises(KeyError):
        values["no key"]


def test_one_is_looked_up_without_listing_all(state, monkeypatch):
    widget_values.look_up_one()
    widget_values.look_up_one()  # once is enough

    def listed(_):
        raise AssertionError("all are listed")

    monkeypatch.setattr(SessionState, widget_values.NAME, property(listed))
    assert state.filtered_state["data"] == 3
    assert state.filtered_state.get("no key") is None
