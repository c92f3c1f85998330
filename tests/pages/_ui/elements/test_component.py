"""Choices sent by elements, whatever a browser may send."""

import pytest
import streamlit as st

from pages._ui.elements.component import sent_choice


@pytest.mark.parametrize(
    ("state", "choice"),
    [
        ({}, {}),
        ({"one": {"choice": {"serial": 3}}}, {"serial": 3}),
        ({"one": {"choice": None}}, {}),
        ({"one": {"choice": [1, 2]}}, {}),
        ({"one": {}}, {}),
    ],
)
def test_a_choice_is_a_dict_or_none_was_made(monkeypatch, state, choice):
    monkeypatch.setattr(st, "session_state", state)
    assert sent_choice("one") == choice
