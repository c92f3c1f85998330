"""Files named at start are opened before anything else is shown; a link goes before them."""

import numpy as np
import pytest

from mips_core.data import folder
from pages._ui.state.session import DEFAULT_DATA
from tests.pages.data_page import numbers, press, read_on, session_of, texts


@pytest.fixture
def files(tmp_path, monkeypatch):
    np.save(tmp_path / "mine.npy", numbers(30))
    (tmp_path / "odd.npy").write_text("no vectors at all")
    np.save(tmp_path / "other.npy", numbers(20))

    def name(*names):
        monkeypatch.delenv(folder.VARIABLE, raising=False)
        monkeypatch.setenv(folder.FILES, "\n".join(str(tmp_path / name) for name in names))

    return name


def test_a_visitor_begins_with_them(app, files):
    files("mine.npy")
    at = read_on(app(settle=False))
    at.run()
    session = session_of(at)
    assert session.source.name == "mine.npy"
    assert session.dataset.n == 30
    assert not session.awaits
    assert at.title[0].value.startswith("Find the largest")


def test_they_alone_are_offered_on_the_data_page(app, files):
    files("mine.npy")
    at = read_on(app("data.py", settle=False))
    at.segmented_control(key="data origin").set_value("Folder").run()
    [shown] = at.multiselect(key="data folder files").options
    assert shown.startswith("mine.npy")
    assert "The files named at start." in texts(at)


def test_what_is_refused_is_said_and_one_may_go_on_without(app, files):
    files("odd.npy")
    at = read_on(app(settle=False))
    assert "Your current data is unchanged" in texts(at)
    assert not at.title
    press(at, "Go on with small")
    assert session_of(at).data == DEFAULT_DATA
    assert at.title[0].value.startswith("Find the largest")


def test_a_link_goes_before_them(app, files):
    files("mine.npy")
    at = app(settle=False, data=DEFAULT_DATA)
    assert session_of(at).data == DEFAULT_DATA
    assert not session_of(at).awaits
