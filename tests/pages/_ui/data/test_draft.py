"""The draft of the Data page: what it leads to, how long it lasts."""

from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from mips_core import read
from mips_core.data.folder import VARIABLE
from pages._ui.data import draft, reading
from pages._ui.state import session
from pages._ui.work import jobs, results
from pages._ui.work.uploads import origin_of
from tests.pages.conftest import small_dataset
from tests.pages.data_page import (
    PAGE,
    button,
    csv,
    leave_and_come_back,
    npy,
    numbers,
    press,
    session_of,
    texts,
    understood,
    upload,
)


def test_keep_forgets_the_upload(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Keep small")
    assert session_of(at).draft.files == ()
    assert understood(at)["Items"] == "400"
    assert "✓ small is searched now" in texts(at)


def test_removing_the_file_returns_to_the_start(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "✕")
    assert len(at.table) == 0
    assert "Here you see how files are understood" in texts(at)
    assert button(at, "Use this data").disabled


def test_the_same_name_with_other_content_is_other_data(at):
    first, second = numbers(4000, 30), numbers(4000, 30)
    second[1234, 5] = 1e6
    upload(at, "same.npy", npy(first))
    press(at, "Use this data")
    upload(at, "same.npy", npy(second))
    assert "Not used yet" in texts(at)
    press(at, "Use this data")
    assert session_of(at).source.items[1234, 5] == 1e6
    assert "One norm is" in texts(at)


def test_nothing_joins_files_whose_copies_are_gone(at):
    upload(at, "mine.npy", npy(numbers(30)))
    at.toggle(key="data adding").set_value(True).run()
    press(at, "Use this data")
    assert not at.toggle(key="data queries exclude_self").value
    assert "data adding" not in [toggle.key for toggle in at.toggle]
    upload(at, "queries.npy", npy(numbers(4, seed=2)))
    assert [file.name for file in session_of(at).draft.files] == ["queries.npy"]
    assert understood(at)["Items"] == "4"


def test_a_link_to_data_that_is_gone_and_the_same_file_again(app, tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, items=numbers(30, seed=9), queries=numbers(8, seed=2))
    fingerprint = read(path).fingerprint
    at = app(PAGE, data=fingerprint, queries="own 6 0.1 no", k="7", seed="3")
    assert f"with the fingerprint {fingerprint[:4]}… is no longer in memory" in texts(at)
    assert fingerprint in at.query_params["data"]
    assert "own 6 0.1 no" in at.query_params["queries"]
    upload(at, "renamed.npz", path.read_bytes())
    press(at, "Use this data")
    session = session_of(at)
    assert (session.data, session.missing, session.K) == (fingerprint, "", 7)
    assert (session.recipe.source, session.recipe.count, session.seed) == ("own", 6, 3)
    assert "no longer in memory" not in texts(at)


def test_what_was_used_and_forgotten_by_the_cache_is_still_shown(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    results.forget_all()
    at.run()
    assert not at.exception
    assert understood(at)["Items"] == "30"
    assert "✓ mine.npy is searched now" in texts(at)


def test_who_drops_files_does_not_wait_for_them(at, monkeypatch, temporary):
    monkeypatch.setattr(reading, "PATIENCE", 0.05)
    go = Event()
    jobs.start("busy", "Busy", lambda progress: go.wait(30), "someone", lane="read")
    at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[0].set_value([("mine.npy", npy(numbers(30)), "")]).run()
    key = reading.key_of(session_of(at).draft.files, session_of(at).draft.interpretation)
    press(at, "Keep small")
    assert jobs.find(key) is None
    assert list(temporary.iterdir()) == []
    go.set()
    jobs.wait(30)
    assert results.recall(key) is None


def test_the_draft_outlasts_another_page(at):
    upload(at, "mine.npy", npy(numbers(30)))
    leave_and_come_back(at)
    assert understood(at)["Items"] == "30"
    assert "Not used yet" in texts(at)


def test_a_refusal_does_not_outlast_another_page(at):
    upload(at, "bad.npy", b"nothing")
    assert len(at.error) == 1
    leave_and_come_back(at)
    assert len(at.error) == 0
    assert "Here you see how files are understood" in texts(at)
    assert session_of(at).draft.files == ()


def test_nothing_changes_where_data_cannot_be_searched_so():
    chosen = session.Session(small_dataset(), "small", session.QueryRecipe())
    layer = small_dataset(30, logits=True)
    with pytest.raises(ValueError, match="softmax layer"):
        chosen.use(layer, layer.fingerprint, session.QueryRecipe(), "cosine")
    assert chosen.source.name == "small"
    assert not chosen.source.logits


class TestNames:
    def test_data_are_called_as_their_file_until_it_is_said_otherwise(self, at):
        upload(at, "ratings.csv", csv("abcdef", numbers(6)))
        assert at.text_input(key="data name").value == "ratings.csv"
        press(at, "Use this data")
        assert "✓ ratings.csv is searched now" in texts(at)
        at.text_input(key="data name").set_value("  Our  films ").run()
        assert "Not used yet" in texts(at)
        press(at, "Use this data")
        assert "✓ Our films is searched now" in texts(at)
        session = session_of(at)
        assert session.dataset.name == "Our films"
        assert (
            "Our films 6 × 5 (ratings.csv, "
            in origin_of(session.data, session.share.key).in_words()
        )
        at.text_input(key="data name").set_value("").run()
        assert at.text_input(key="data name").value == "ratings.csv"

    def test_files_of_one_folder_have_its_name(self, monkeypatch):
        monkeypatch.setenv(VARIABLE, "/data/ml-latest")
        named = {
            ("ratings.csv", "movies.csv"): "ml-latest",
            ("25m/ratings.csv", "25m/movies.csv"): "25m",
            ("25m/ratings.csv",): "ratings.csv",
        }
        for names, name in named.items():
            files = tuple(SimpleNamespace(name=file) for file in names)
            chosen = draft.Draft(draft.FOLDER, "", files, draft.FOLDER)
            assert draft.name_of(chosen, small_dataset(name="ratings")) == name
            chosen = draft.Draft(draft.UPLOAD, "", files, draft.UPLOAD)
            assert draft.name_of(chosen, small_dataset(name="ratings")) == "ratings.csv"


def test_a_manifest_has_the_name_of_its_data_which_tells_a_sample():
    asked = SimpleNamespace(
        name="", reads=[SimpleNamespace(name="words/manifest.json")], origin="Folder"
    )
    dataset = SimpleNamespace(name="words, sample of 3 of 9")
    assert draft.name_of(asked, dataset) == "words, sample of 3 of 9"
    asked.name = "mine"
    assert draft.name_of(asked, dataset) == "mine"
