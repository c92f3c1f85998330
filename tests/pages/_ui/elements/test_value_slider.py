"""A move of a slider over values is heard once, and only where it is one of them."""

import pytest
import streamlit as st

from pages._ui.elements.value_slider import moved_to


@pytest.mark.parametrize(("sent", "heard"), [(20, 20), (25, None), ("20", None), (None, None)])
def test_a_move_is_heard_once(monkeypatch, sent, heard):
    monkeypatch.setattr(st, "session_state", {"s": {"choice": {"value": sent, "serial": 1}}})
    assert moved_to([10, 20], key="s") == heard
    assert moved_to([10, 20], key="s") is None
