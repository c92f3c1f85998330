"""The Data page, headless: what is shown, what is used, what is refused; no file is left behind."""

import gc
import os
from pathlib import Path
from threading import Event
from time import sleep
from unittest.mock import Mock

import numpy as np
import pytest
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from mips_core import DataError, read
from pages._ui.data import queries, reading
from pages._ui.data.draft import Draft
from pages._ui.state import session
from pages._ui.text.safe_name import safe_name
from pages._ui.work import data_files, jobs, results, uploads
from tests.pages.conftest import small_dataset
from tests.pages.data_page import (
    PAGE,
    PAGES,
    Sent,
    button,
    csv,
    leave_and_come_back,
    npy,
    numbers,
    press,
    read_on,
    session_of,
    texts,
    understood,
    upload,
)

HOSTILE = ["<b>bold</b>", "$x^2$", "a|b", "[link](http://x)", "`code`", ":red[no]", "😀" * 200]


@pytest.fixture
def at(app):
    """The Data page on the shipped data, with little measured beside it."""
    return app(PAGE, method="flat-kmeans")


def test_it_opens_on_what_is_searched(at):
    assert not at.exception
    assert at.title[0].value == "Data"
    assert "✓ small is searched now" in texts(at)
    assert understood(at)["Items"] == "400"
    assert understood(at)["Labels"] == "“word 0”, “word 1”, “word 2” …"
    assert button(at, "Use this data").disabled
    assert button(at, "Keep small").disabled
    assert at.dataframe[0].value["label"].tolist()[:2] == ["word 0", "word 1"]


def test_an_upload_is_shown_and_not_used_until_asked(at):
    X = numbers(30)
    upload(at, "mine.npy", npy(X))
    assert understood(at) | {"Items": "30", "Dimensions": "5", "Labels": "none"} == understood(at)
    assert "Not used yet.] small is searched until you use this data." in texts(at)
    assert "whoever has this page’s link" in texts(at)
    assert session_of(at).source.name == "small"
    press(at, "Use this data")
    chosen = session_of(at)
    assert chosen.source.name == "mine"
    assert chosen.data == chosen.source.fingerprint
    assert np.array_equal(chosen.source.items, X)
    assert uploads.find(chosen.data) is chosen.source
    assert "✓ mine is searched now], with 30 queries." in texts(at)
    assert button(at, "Use this data").disabled


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


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.npy", npy(np.array([[1], [2, 3]], dtype=object)), "a.npy holds Python objects"),
        ("b.csv", b"1,2,3\n4,5\n6,7,8\n", "b.csv cannot be read"),
        ("d.npy", b"", "d.npy is empty"),
        ("e.xlsx", b"PK\x03\x04" + bytes(80), "e.xlsx"),
        ("*f* <b>.npy", npy(np.zeros((3, 2))), "_f_ _b_.npy: all rows are zero."),
    ],
    ids=["pickle", "ragged", "empty", "zip", "zeros and Markdown in the name"],
)
def test_a_refusal_says_why_and_changes_nothing(at, name, content, found):
    upload(at, "good.npy", npy(numbers(20)))
    press(at, "Use this data")
    before = session_of(at).source
    upload(at, name, content)
    (error,) = at.error
    assert error.value.startswith("**")
    assert error.value.endswith("Your current data is unchanged.")
    assert found in error.value.replace("\\", "")
    assert session_of(at).source is before
    assert len(at.table) == 0  # the old account is not shown beside the new file
    assert button(at, "Use this data").disabled
    press(at, "Keep good")
    assert len(at.error) == 0
    assert "✓ good is searched now" in texts(at)


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


def test_one_item_can_be_searched_on_every_page(at):
    upload(at, "one.npy", npy(numbers(1)))
    press(at, "Use this data")
    assert (session_of(at).K, session_of(at).dataset.m) == (1, 1)
    assert at.toggle(key="data queries exclude_self").disabled
    at.segmented_control(key="data metric").set_value("euclidean").run()
    press(at, "Use this data")
    for page in ("build.py", "tradeoff.py", "home.py", "search.py", "methods.py", PAGE):
        at.switch_page(str(PAGES / page)).run()
        jobs.wait(60)
        at.run()
        assert not at.exception, page


@pytest.mark.parametrize("n", [2, 3])
def test_a_handful_of_items(at, n):
    upload(at, "few.npy", npy(numbers(n, 2)))
    press(at, "Use this data")
    assert (session_of(at).K, session_of(at).dataset.m) == (n, n)
    at.toggle(key="data queries exclude_self").set_value(True).run()
    at.segmented_control(key="data queries source").set_value("noisy").run()
    assert not at.exception
    press(at, "Use this data")
    assert (session_of(at).K, session_of(at).dataset.m) == (n - 1, n)


def test_files_uploaded_together_take_their_roles(at):
    upload(at, batch={"mine.npy": npy(numbers(30)), "queries.npy": npy(numbers(1, seed=2))})
    assert understood(at)["Queries found"] == "1"
    assert at.segmented_control(key="data queries source").value == "own"
    assert "Its own queries" in at.segmented_control(key="data queries source").options
    press(at, "Use this data")
    assert session_of(at).recipe.source == "own"
    assert session_of(at).dataset.m == 1


def test_an_upload_replaces_the_one_before_or_joins_it(at):
    upload(at, "mine.npy", npy(numbers(3)))
    at.toggle(key="data adding").set_value(True).run()
    upload(at, "labels.txt", b"one\ntwo\nthree\n")
    assert at.dataframe[0].value["label"].tolist() == ["one", "two", "three"]
    upload(at, "labels.txt", b"a\nb\nc\n")  # the later of one name counts
    assert at.dataframe[0].value["label"].tolist() == ["a", "b", "c"]
    upload(at, "queries.npy", npy(numbers(4, 7)))
    assert "7 dimensions" in at.error[0].value
    at.toggle(key="data adding").set_value(False).run()
    upload(at, "other.npy", npy(numbers(5)))
    assert understood(at)["Items"] == "5"
    assert [file.name for file in session_of(at).draft.files] == ["other.npy"]


def test_nothing_joins_files_whose_copies_are_gone(at):
    upload(at, "mine.npy", npy(numbers(30)))
    at.toggle(key="data adding").set_value(True).run()
    press(at, "Use this data")
    assert not at.toggle(key="data queries exclude_self").value
    assert "data adding" not in [toggle.key for toggle in at.toggle]
    upload(at, "queries.npy", npy(numbers(4, seed=2)))
    assert [file.name for file in session_of(at).draft.files] == ["queries.npy"]
    assert understood(at)["Items"] == "4"


def test_more_answers_than_there_are_items_come_back_with_more_items(at):
    upload(at, "few.npy", npy(numbers(5)))
    press(at, "Use this data")
    assert session_of(at).K == 5
    assert at.query_params["k"] == "5"
    upload(at, "more.npy", npy(numbers(60)))
    press(at, "Use this data")
    assert session_of(at).K == 10


def test_a_field_that_reports_what_it_was_drawn_with_chose_nothing(at, monkeypatch):
    chosen = session_of(at)
    monkeypatch.setattr(queries.app_state, "current", lambda: chosen)
    for value, taken in ((24, None), (None, None), (25, 25)):
        monkeypatch.setattr(queries.app_state, "widget", lambda key, value=value: value)
        queries._take("count", chosen.recipe, 24)
        assert (chosen.draft.recipe and chosen.draft.recipe.count) == taken


def test_one_of_several_files_is_taken_away(at):
    upload(at, batch={"mine.npy": npy(numbers(3)), "queries.npy": npy(numbers(4, 7))})
    assert "7 dimensions" in at.error[0].value
    at.button(key="data remove 1 1").click().run()
    read_on(at)
    assert understood(at)["Items"] == "3"


def test_labels_are_text_everywhere(at):
    X = numbers(len(HOSTILE))
    X[0] *= 50
    upload(at, "hostile.csv", csv(HOSTILE, X))
    shown = at.dataframe[0].value["label"].tolist()
    assert shown == HOSTILE[: len(shown)]
    cells = dict(at.table[0].value.itertuples(index=False))
    assert "\\<b\\>bold\\</b\\>" in cells["Labels"]
    assert "“\\<b\\>bold\\</b\\>”" in at.warning[0].value
    long = safe_name("../../etc/<i>x</i>.csv")
    assert "/" not in long
    assert "<" not in long


def test_changed_queries_are_used_with_the_same_data(at):
    at.number_input(key="data queries count").set_value(20).run()
    assert "Not used yet" in texts(at)
    assert session_of(at).recipe.count == 500
    press(at, "Use this data")
    assert session_of(at).recipe.count == 20
    at.segmented_control(key="data queries source").set_value("noisy").run()
    at.number_input(key="data queries noise").set_value(0.5).run()
    press(at, "Use this data")
    recipe = session_of(at).recipe
    assert (recipe.source, recipe.count, recipe.noise) == ("noisy", 20, 0.5)
    at.segmented_control(key="data queries source").set_value("rows").run()
    press(at, "Keep small")
    assert session_of(at).recipe == recipe
    assert at.segmented_control(key="data queries source").value == "noisy"


def test_a_shipped_set_with_users(app, monkeypatch):
    sets = {
        "glove-6b-50d": small_dataset(),
        "simulated-ratings": small_dataset(
            60, queries=numbers(9, 6), name="Made up", simulated=True
        ),
    }
    monkeypatch.setattr(session, "load_from_catalog", sets.__getitem__)
    at = app(PAGE)
    at.radio(key="data shipped").set_value("simulated-ratings").run()
    assert "Simulated ratings. Made by the seeded generator" in texts(at)
    assert at.segmented_control(key="data queries source").options[-1] == "Users"
    assert session_of(at).data == "glove-6b-50d"
    press(at, "Use this data")
    assert session_of(at).data == "simulated-ratings"
    assert session_of(at).recipe.source == "own"
    assert session_of(at).dataset.m == 9


def test_a_link_to_data_that_is_gone_and_the_same_file_again(app, tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, items=numbers(30, seed=9), queries=numbers(8, seed=2))
    fingerprint = read(path).fingerprint
    at = app(PAGE, data=fingerprint, queries="own 6 0.1 no", k="7", seed="3")
    assert f"This link is from other data (fingerprint {fingerprint[:4]}…" in texts(at)
    assert fingerprint in at.query_params["data"]
    assert "own 6 0.1 no" in at.query_params["queries"]
    upload(at, "renamed.npz", path.read_bytes())
    press(at, "Use this data")
    chosen = session_of(at)
    assert (chosen.data, chosen.missing, chosen.K) == (fingerprint, "", 7)
    assert (chosen.recipe.source, chosen.recipe.count, chosen.seed) == ("own", 6, 3)
    assert "This link is from other data" not in texts(at)


def test_copies_stay_while_they_may_be_read_again_and_no_longer(at, temporary):
    upload(at, "mine.npy", npy(numbers(30)))
    assert [path.name for path in temporary.glob("*/*")] == ["mine.npy"]
    upload(at, "bad.npy", b"nothing")
    assert [path.name for path in temporary.glob("*/*")] == ["bad.npy"]
    press(at, "Keep small")
    assert list(temporary.iterdir()) == []
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    assert list(temporary.iterdir()) == []
    assert understood(at)["Items"] == "30"
    assert "upload them again" in texts(at)


def test_copies_go_when_nothing_refers_to_them(temporary):
    draft = Draft("Upload", "", files=data_files.store([Sent("a.npy", b"1")]))
    assert len(list(temporary.glob("*/a.npy"))) == 1
    del draft
    assert list(temporary.iterdir()) == []


def test_copies_nobody_looks_at_go_after_a_time(temporary, monkeypatch):
    (copy,) = data_files.store([Sent("a.npy", b"1")])
    data_files.sweep()
    assert copy.here
    monkeypatch.setattr(data_files, "KEPT", 0.0)
    data_files.sweep()
    assert not copy.here
    assert list(temporary.iterdir()) == []
    with pytest.raises(DataError, match="is gone: it was used"):
        copy.path()


def test_copies_together_take_no_more_than_the_limit(temporary, monkeypatch):
    monkeypatch.setattr(data_files, "MAX_COPIED_BYTES", 25)
    first, second = data_files.store([Sent("a", b"1" * 10), Sent("b", b"2" * 10)])
    assert first.here
    (third,) = data_files.store([Sent("c", b"3" * 10)])
    assert [copy.remove.alive for copy in (first, second, third)] == [True, False, True]


def test_the_end_of_the_app_removes_all_copies(temporary):
    copies = data_files.store([Sent("a.npy", b"1"), Sent("a.npy", b"2")])
    assert len(list(temporary.glob("*/a.npy"))) == 2
    data_files.remove_all()
    assert list(temporary.iterdir()) == []
    assert not any(copy.here for copy in copies)


def test_what_a_killed_process_left_is_removed(temporary, monkeypatch):
    old, young = (temporary / f"{data_files.PREFIX}{name}" for name in ("old", "young"))
    for folder in (old, young):
        folder.mkdir()
        (folder / "a.npy").touch()
    os.utime(old, (0, 0))
    monkeypatch.setattr(data_files, "_SWEEPER", [])
    monkeypatch.setattr(data_files, "Thread", lambda **_: Mock())
    kept = data_files.store([Sent("b.npy", b"1")])
    assert sorted(path.name for path in temporary.glob("*/*")) == ["a.npy", "b.npy"]
    assert not old.exists()
    data_files.remove(kept)


def test_what_was_used_and_forgotten_by_the_cache_is_still_shown(at):
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    results._KEPT.clear()
    at.run()
    assert not at.exception
    assert understood(at)["Items"] == "30"
    assert "✓ mine is searched now" in texts(at)


def test_uploads_do_not_stay_in_memory(at):
    """Streamlit would keep all of them for as long as the visitor stays."""
    files = [npy(numbers(30, seed=seed)) for seed in range(20)]
    for content in files:
        upload(at, "mine.npy", content)
    held = [f for f in gc.get_objects() if isinstance(f, UploadedFileRec) and f.data in files]
    assert len(held) <= 1
    assert sum(copy.remove.alive for copy in data_files._COPIES) == 1


def test_a_full_disk_is_said(at, monkeypatch, temporary):
    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    upload(at, "mine.npy", npy(numbers(30)))
    assert "could not be stored: No space left on device." in at.error[0].value.replace("\\", "")
    assert list(temporary.iterdir()) == []
    assert session_of(at).source.name == "small"


def test_reading_waits_shows_and_can_be_cancelled(at, monkeypatch, temporary):
    monkeypatch.setattr(reading, "PATIENCE", 0.05)
    go, began = Event(), Event()

    def busy(progress):
        began.set()
        go.wait(30)

    jobs.start("busy", "Busy", busy, "someone")
    began.wait(30)
    at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[0].set_value([("mine.npy", npy(numbers(30)), "")]).run()
    assert not at.exception
    assert "Waiting behind 1 other job" in at.get("progress")[0].proto.text
    at.button(key="data cancel").click().run()
    assert "Cancelled. Nothing was read." in texts(at)
    go.set()
    jobs.wait(30)
    at.button(key="data again").click().run()
    read_on(at)
    assert understood(at)["Items"] == "30"


def test_reading_shows_how_far_it_is_and_stops_within_a_second(at, monkeypatch):
    monkeypatch.setattr(reading, "PATIENCE", 0.1)

    def slow(paths, *asked, progress, **known):
        for step in range(2000):
            progress(step / 2000, f"Reading a.npy: {step / 2000:.0%}")
            sleep(0.02)

    monkeypatch.setattr(reading, "open_files", slow)
    at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[0].set_value([("a.npy", npy(numbers(30)), "")]).run()
    assert at.get("progress")[0].proto.text.startswith("Reading a\\.npy\\: ")
    at.button(key="data cancel").click().run()
    assert jobs.wait(1)
    assert "Cancelled. Nothing was read." in texts(at)


def test_what_is_kept_of_a_refusal_holds_no_arrays(at):
    upload(at, "b.csv", b"1,2,3\n4,5\n6,7,8\n")
    draft = session_of(at).draft
    error = reading.result(reading.key_of(draft.files, draft.interpretation)).error
    assert (error.__traceback__, error.__cause__, error.__context__) == (None, None, None)


def test_who_drops_files_does_not_wait_for_them(at, monkeypatch, temporary):
    monkeypatch.setattr(reading, "PATIENCE", 0.05)
    go = Event()
    jobs.start("busy", "Busy", lambda progress: go.wait(30), "someone")
    at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[0].set_value([("mine.npy", npy(numbers(30)), "")]).run()
    key = reading.key_of(session_of(at).draft.files, session_of(at).draft.interpretation)
    press(at, "Keep small")
    assert jobs.find(key) is None
    assert list(temporary.iterdir()) == []
    go.set()
    jobs.wait(30)
    assert results.recall(key) is None


def test_what_was_read_and_then_forgotten_is_read_again(at):
    upload(at, "mine.npy", npy(numbers(30)))
    results._KEPT.clear()
    at.run()
    read_on(at)
    assert understood(at)["Items"] == "30"


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


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("a.csv", "a.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\words.vec.gz", "words.vec.gz"),
        ("..", "upload"),
        ("", "upload"),
        (".npy", "upload.npy"),
        ("a\x00b\n.npy", "a_b_.npy"),
        ("字" * 300 + ".csv.gz", "字" * 50 + ".csv.gz"),
    ],
)
def test_file_names_are_harmless(given, safe):
    assert safe_name(given) == safe
