"""The runs that are kept, as a list: kept, renamed, deleted, opened from files."""

import re

from streamlit.runtime.uploaded_file_manager import DeletedFile

from mips_core.studies.runs.files import written
from pages._ui.compare import runs_list, runs_shelf
from tests.pages.conftest import session_of, texts
from tests.pages.runs_page import HOSTILE, keep, labelled, names, new_session, section, table


def test_files_are_opened_together_and_the_bad_ones_refused():
    at = keep(keep(section(), 0, HOSTILE), 2)
    file = written(runs_shelf.runs_of(session_of(at)))
    again = new_session()
    files = [
        ("good.run.json", file, ""),
        ("<b>bad</b>.json", file[:-9], ""),
        ("no.json", b"{}", ""),
    ]
    again.file_uploader[0].set_value(files).run()
    assert not again.exception
    assert names(again) == names(at)
    assert table(again).equals(table(at))
    assert "2 runs were added" in texts(again)
    assert [not re.search(r"(?<!\\\\)<b>", e.value) for e in again.error] == [True, True]
    assert "cannot be read as JSON" in texts(again).replace("\\", "")
    assert "The runs that are kept are unchanged" in texts(again)
    again.file_uploader[0].set_value([("again.run.json", file, "")]).run()
    assert len(names(again)) == 2
    assert "0 runs were added; 2 are kept already" in texts(again)


def test_a_file_that_the_server_lost_is_to_be_uploaded_again(monkeypatch):
    at = new_session()
    monkeypatch.setattr(runs_list.app_state, "widget", lambda key: [DeletedFile("7")])
    session = session_of(at)
    runs_list._open(session, f"runs files {runs_shelf.state_of(session).opened.round}")
    [refused] = runs_shelf.state_of(session).opened.refused
    assert "Upload it again" in refused.replace("\\", "")


def test_changing_a_run_keeps_it_in_the_picture():
    at = keep(keep(section(), 0, "one"), 2, "two")
    labelled(at.text_input, "Name").set_value("one").run()
    labelled(at.text_area, "Note").set_value("a note").run()
    at.button(key="runs save").click().run()
    assert names(at) == ["one", "one (2)"]
    assert list(table(at)["name"]) == ["one", "one (2)"]
    assert runs_shelf.runs_of(session_of(at))[1].note == "a note"
    labelled(at.text_input, "Name").set_value(" ").run()
    at.button(key="runs save").click().run()
    assert "The run has no name" in at.error[0].value.replace("\\", "")
    assert names(at) == ["one", "one (2)"]


def test_hostile_names_are_shown_as_text():
    at = keep(keep(section(), 0, HOSTILE), 2)
    assert names(at)[0] == HOSTILE
    shown = [m.value for m in at.markdown if "script" in m.value]
    assert shown
    for text in shown:
        assert not re.search(r"(?<!\\)(<script|\*\*\[)", text)
