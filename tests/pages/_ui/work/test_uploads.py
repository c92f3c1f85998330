"""Uploads by fingerprint: kept while held, and a while longer."""

import time

from pages._ui.work import uploads
from tests.pages.conftest import small_dataset


def test_uploads_are_found_while_held_and_linger(monkeypatch):
    dataset = small_dataset(n=20)
    name = dataset.fingerprint
    uploads.hold(dataset)
    assert uploads.find(name) is dataset
    del dataset
    assert uploads.find(name) is not None
    monkeypatch.setattr(uploads, "monotonic", lambda: time.monotonic() + uploads.LINGER + 1)
    assert uploads.find(name) is None
