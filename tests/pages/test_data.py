"""The Data page, headless: what is shown, what is used, what is refused; no file is left behind."""

import io
import tempfile
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from mips_core import read
from pages._ui import choices, data_draft, data_files, data_reading, jobs, results, uploads
from tests.pages.conftest import small_dataset

PAGE = "data.py"
HOSTILE = ["<b>bold</b>", "$x^2$", "a|b", "[link](http://x)", "`code`", ":red[no]", "😀" * 200]


@pytest.fixture
def at(app):
    """The Data page on the shipped data."""
    return app(PAGE)


@pytest.fixture
def temporary(monkeypatch, tmp_path):
    """Where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def session_of(at):
    return at.session_state["session"]


def npy(X):
    file = io.BytesIO()
    np.save(file, X)
    return file.getvalue()


def csv(labels, X):
    rows = [
        f'"{label}",' + ",".join(map(str, row))
        for label, row in zip(labels, X.tolist(), strict=True)
    ]
    return "\n".join(["title," + ",".join(f"v{j}" for j in range(X.shape[1])), *rows]).encode()


def numbers(n, d=5, seed=1):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def upload(at, name, content, which=0):
    if session_of(at).draft.origin != data_draft.UPLOAD:
        at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[which].set_value((name, content, "")).run()
    jobs.wait(30)
    at.run()
    assert not at.exception
    return at


def button(at, label):
    return next(b for b in at.button if b.label.startswith(label))


def press(at, label):
    button(at, label).click().run()
    assert not at.exception


def understood(at):
    """The account of the data as a dict, its escapes undone."""
    table = at.table[0].value
    return {k: v.replace("\\", "") for k, v in table.itertuples(index=False)}


def texts(at):
    kinds = (at.markdown, at.info, at.warning, at.error, at.caption)
    return " ".join(e.value.replace("\\", "").replace("**", "") for kind in kinds for e in kind)


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
    assert session_of(at).draft.reading is None
    assert understood(at)["Items"] == "400"
    assert "✓ small is searched now" in texts(at)


def test_removing_the_file_returns_to_the_start(at):
    upload(at, "mine.npy", npy(numbers(30)))
    at.file_uploader[0].clear().run()
    assert not at.exception
    assert len(at.table) == 0
    assert "Upload a file to see here" in texts(at)
    assert button(at, "Use this data").disabled


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.npy", npy(np.array([[1], [2, 3]], dtype=object)), "a.npy holds Python objects"),
        ("b.csv", b"1,2,3\n4,5\n6,7,8\n", "b.csv cannot be read"),
        ("c.npy", npy(numbers(1)), "c.npy holds one vector only."),
        ("d.npy", b"", "d.npy is empty"),
        ("e.xlsx", b"PK\x03\x04" + bytes(80), "e.xlsx"),
        ("*f* <b>.npy", npy(np.zeros((3, 2))), "_f_ _b_.npy: all rows are zero."),
    ],
    ids=["pickle", "ragged", "one vector", "empty", "zip", "zeros and Markdown in the name"],
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


def test_two_files_items_and_queries(at):
    upload(at, "mine.npy", npy(numbers(30)))
    upload(at, "queries.npy", npy(numbers(1, seed=2)), which=1)
    assert understood(at)["Queries found"] == "1"
    assert at.segmented_control(key="data queries source").value == "own"
    assert "Second file" in at.segmented_control(key="data queries source").options
    press(at, "Use this data")
    assert session_of(at).recipe.source == "own"
    assert session_of(at).dataset.m == 1


def test_two_files_vectors_and_labels_and_a_pair_that_does_not_fit(at):
    upload(at, "mine.npy", npy(numbers(3)))
    upload(at, "labels.txt", b"one\ntwo\nthree\n", which=1)
    assert at.dataframe[0].value["label"].tolist() == ["one", "two", "three"]
    upload(at, "queries.npy", npy(numbers(4, 7)), which=1)
    assert "7 dimensions" in at.error[0].value


def test_labels_are_text_everywhere(at):
    X = numbers(len(HOSTILE))
    X[0] *= 50
    upload(at, "hostile.csv", csv(HOSTILE, X))
    shown = at.dataframe[0].value["label"].tolist()
    assert shown == HOSTILE[: len(shown)]
    cells = dict(at.table[0].value.itertuples(index=False))
    assert "\\<b\\>bold\\</b\\>" in cells["Labels"]
    assert "“\\<b\\>bold\\</b\\>”" in at.warning[0].value
    long = data_files.safe_name("../../etc/<i>x</i>.csv")
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
    monkeypatch.setattr(choices, "load_from_catalog", sets.__getitem__)
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


def test_nothing_is_left_on_disk(at, temporary):
    upload(at, "mine.npy", npy(numbers(30)))
    upload(at, "bad.npy", b"nothing")
    assert list(temporary.iterdir()) == []
    assert data_reading._COPIES == {}


def test_a_full_disk_is_said(at, monkeypatch, temporary):
    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    upload(at, "mine.npy", npy(numbers(30)))
    assert "could not be stored: No space left on device." in at.error[0].value.replace("\\", "")
    assert list(temporary.iterdir()) == []
    assert session_of(at).source.name == "small"


def test_reading_waits_shows_and_can_be_cancelled(at, monkeypatch, temporary):
    monkeypatch.setattr(data_reading, "PATIENCE", 0.05)
    go, began = Event(), Event()

    def busy(progress):
        began.set()
        go.wait(30)

    jobs.start("busy", "Busy", busy, "someone")
    began.wait(30)
    at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[0].set_value(("mine.npy", npy(numbers(30)), "")).run()
    assert not at.exception
    assert len(list(temporary.glob("*/0/mine.npy"))) == 1
    assert "Waiting behind 1 other job" in at.get("progress")[0].proto.text
    at.button(key="data cancel").click().run()
    assert "Cancelled. Nothing was read." in texts(at)
    assert list(temporary.iterdir()) == []
    go.set()
    jobs.wait(30)
    at.button(key="data again").click().run()
    jobs.wait(30)
    at.run()
    assert understood(at)["Items"] == "30"


def test_what_was_read_and_then_forgotten_is_read_again(at):
    upload(at, "mine.npy", npy(numbers(30)))
    results._KEPT.clear()
    at.run()
    jobs.wait(30)
    at.run()
    assert understood(at)["Items"] == "30"


def test_the_draft_outlasts_another_page(at):
    upload(at, "mine.npy", npy(numbers(30)))
    pages = Path(choices.__file__).parents[1]
    at.switch_page(str(pages / "build.py")).run()
    at.switch_page(str(pages / PAGE)).run()
    assert not at.exception
    assert understood(at)["Items"] == "30"
    assert "Not used yet" in texts(at)


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
    assert data_files.safe_name(given) == safe
