"""How reading files goes: refused, waited for, cancelled."""

from threading import Event
from time import sleep

import numpy as np
import pytest

from pages._ui.data import reading
from pages._ui.work import jobs
from tests.pages.data_page import (
    button,
    npy,
    numbers,
    press,
    read_on,
    session_of,
    texts,
    understood,
    upload,
)


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
    assert "✓ good.npy is searched now" in texts(at)


def test_reading_waits_shows_and_can_be_cancelled(at, monkeypatch, temporary):
    monkeypatch.setattr(reading, "PATIENCE", 0.05)
    go, began = Event(), Event()

    def busy(progress):
        began.set()
        go.wait(30)

    jobs.start("busy", "Busy", busy, "someone", lane="read")
    began.wait(30)
    at.segmented_control(key="data origin").set_value("Upload").run()
    at.file_uploader[0].set_value([("mine.npy", npy(numbers(30)), "")]).run()
    assert not at.exception
    assert "Waiting for work of another visitor" in at.get("progress")[0].proto.text
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
