"""A result as a table: what the files hold, and which row is marked."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest

from pages._ui.parts import result_table

NO_UTF8 = "caf\udce9"


@pytest.fixture
def buttons(monkeypatch):
    """The download buttons that are drawn: label -> what it was drawn with."""
    drawn = {}

    def button(label, make, file, kind, **more):
        drawn[label] = SimpleNamespace(make=make, file=file, kind=kind, **more)

    monkeypatch.setattr(result_table.st, "download_button", button)
    return drawn


def test_both_files_are_made_when_pressed_and_named_alike(buttons):
    made = []

    def rows():
        made.append("rows")
        return [{"method": "a", "speedup": 1.5}, {"method": "b", "speedup": 2.0}]

    result_table.draw_files("here", "curves-10", rows, lambda: {"K": 10, "σ": "½"})
    assert not made
    assert [(b.file, b.kind, b.key) for b in buttons.values()] == [
        ("curves-10.csv", "text/csv", "here csv"),
        ("curves-10.json", "application/json", "here json"),
    ]
    assert buttons["CSV"].make() == b"method,speedup\na,1.5\nb,2.0\n"
    assert buttons["JSON"].make() == '{\n "K": 10,\n "σ": "½"\n}'.encode()
    assert json.loads(buttons["JSON"].make()) == {"K": 10, "σ": "½"}
    assert not buttons["CSV"].disabled
    assert buttons["CSV"].help is None


def test_files_of_what_is_still_to_come_wait(buttons):
    result_table.draw_files("here", "x", dict, dict, ready=False)
    assert all(b.disabled and b.help == result_table.NOT_YET for b in buttons.values())


@pytest.mark.parametrize(
    "rows",
    [
        {"label": [NO_UTF8, "two"], "row": [3, 4]},
        [{"label": NO_UTF8, "row": 3}, {"label": "two", "row": 4}],
    ],
)
def test_text_without_utf8_gets_a_sign_in_either_file(buttons, rows):
    result_table.draw_files("here", "x", lambda: rows, lambda: [NO_UTF8])
    assert buttons["CSV"].make() == b"label,row\ncaf?,3\ntwo,4\n"
    assert json.loads(buttons["JSON"].make()) == ["caf?"]
    assert result_table.csv(pd.DataFrame({"a": [1]})) == b"a\n1\n"


def test_no_text_is_a_formula_of_a_spreadsheet():
    table = {"label": ["=1+1", "-5", None], "gain": [-0.5, 1.0, 2.0]}
    for rows in (table, pd.DataFrame(table), pd.DataFrame(table).astype({"label": "category"})):
        assert result_table.csv(rows) == b"label,gain\n'=1+1,-0.5\n-5,1.0\n,2.0\n"


def test_the_picked_row_is_marked_and_another_pick_is_heard(monkeypatch):
    held, drawn, heard = {}, {}, []
    monkeypatch.setattr(result_table.app_state, "set_widget", held.__setitem__)
    monkeypatch.setattr(result_table.app_state, "widget", held.__getitem__)
    monkeypatch.setattr(result_table.st, "dataframe", lambda table, **more: drawn.update(more))
    monkeypatch.setattr(result_table.st, "caption", lambda text: drawn.update(said=text))
    columns = {"group": ["a", "b", "c"]}
    result_table.draw_to_pick(columns, {}, total=5_000, key="k", picked=2, take=heard.append)
    assert held["k"]["selection"]["rows"] == [2]
    assert drawn["said"] == "The first 3 of 5,000. The CSV holds all."
    assert drawn["height"] == "content"
    for rows in ([1], []):
        held["k"] = {"selection": {"rows": rows}}
        drawn["on_select"]()
    assert heard == [1, None]
    result_table.draw_to_pick(columns, {}, total=3, key="k", picked=3, take=heard.append)
    assert held["k"]["selection"]["rows"] == []  # of more rows than are drawn
