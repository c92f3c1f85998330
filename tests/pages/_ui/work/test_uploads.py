"""Uploads by fingerprint: kept while held, and a while longer."""

import time
import weakref

from pages._ui.work import uploads
from pages._ui.work.uploads import DataOrigin
from tests.pages.conftest import small_dataset


def test_uploads_are_found_while_held_and_linger(monkeypatch):
    dataset = small_dataset(n=20)
    name = dataset.fingerprint
    uploads.hold(dataset)
    assert uploads.find(name) is dataset
    del dataset
    assert uploads.find(name) is not None
    monkeypatch.setattr(uploads, "monotonic", lambda: time.monotonic() + uploads.UPLOAD_SECONDS + 1)
    assert uploads.find(name) is None


def test_where_data_came_from_is_known_longer_than_they_are():
    dataset = small_dataset(n=21)
    uploads.hold(dataset)
    assert uploads.origin_of(dataset.fingerprint).in_words() == "small 21 × 6"
    uploads.hold(dataset, DataOrigin("ratings", 9_724, 150, ("ratings.csv",), 2_483_723))
    uploads.hold(dataset)
    told = uploads.origin_of(dataset.fingerprint)
    assert told.in_words() == "ratings 9,724 × 150 (ratings.csv, 2.37 MB)"
    assert DataOrigin("a.csv", 1, 2, ("a.csv",), 12).in_words() == "a.csv 1 × 2 (12 bytes)"
    assert DataOrigin("x", 1, 2, ("a", "b"), 12).in_words() == "x 1 × 2 (2 files, 12 bytes)"
    assert uploads.origin_of("0" * 32) is None


def test_what_lingers_is_let_go_of_though_nobody_asks_for_it(monkeypatch):
    dataset, other = small_dataset(n=22), uploads.Lingering()
    gone = weakref.ref(dataset)
    uploads.hold(dataset)
    other.hold("run", dataset)
    del dataset
    uploads.forget_old()
    assert gone() is not None
    monkeypatch.setattr(uploads, "monotonic", lambda: time.monotonic() + uploads.UPLOAD_SECONDS + 1)
    uploads.forget_old()
    assert gone() is None
