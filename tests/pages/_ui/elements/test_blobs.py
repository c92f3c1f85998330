"""Blocks for the browser: one address for the same numbers, dropped beyond a limit, made again."""

import numpy as np
import pytest

from pages._ui.elements import blobs
from pages._ui.work import memory


def test_the_same_numbers_have_one_address_and_others_another():
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    first = blobs.of_array(rows)
    assert blobs.of_array(np.asfortranarray(rows)) == first
    assert blobs.of_array(rows + 1).address != first.address
    assert (first.type, first.size) == ("float32", 24)
    assert blobs._KEPT[first.address.rpartition("/")[2]] == rows.astype("<f4").tobytes()


def test_while_nobody_has_a_page_open_none_is_kept():
    blob = blobs.of_texts(["here"])
    assert blobs.forget_all in memory.WHEN_ALONE
    blobs.forget_all()
    assert not blobs.known(blob)


def test_what_browsers_do_not_know_is_refused():
    with pytest.raises(TypeError, match="not float64"):
        blobs.of_array(np.zeros(3))


def test_a_block_is_made_again_of_another_object_or_where_it_was_dropped(monkeypatch):
    labels = ["a", "\ud800"]
    blob = blobs.block("labels", labels)
    assert blobs.block("labels", labels) is blob
    assert blobs.block("labels", ["b"]).address != blob.address
    monkeypatch.setattr(blobs, "MAX_BLOB_BYTES", 1)
    blobs.of_texts(["pushes all others out"])
    assert not blobs.known(blob)
    assert blobs.known(blobs.block("labels", labels))
