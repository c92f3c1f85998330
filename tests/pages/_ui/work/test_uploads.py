"""Uploads by fingerprint: kept while held, and a while longer."""

import time
import weakref

from pages._ui.work import uploads
from pages._ui.work.uploads import NOBODY, DataOrigin, Share, new_share, share_of
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


def test_an_upload_is_found_by_its_key_alone():
    dataset, share = small_dataset(n=24), new_share()
    uploads.hold(dataset, DataOrigin("mine", 24, 6), share.key)
    assert uploads.find(dataset.fingerprint, share.key) is dataset
    assert uploads.origin_of(dataset.fingerprint, share.key).name == "mine"
    for key in ("", new_share().key, share.key[:-1]):
        assert uploads.find(dataset.fingerprint, key) is None
        assert uploads.origin_of(dataset.fingerprint, key) is None
    assert uploads.find("0" * 32, share.key) is None


def test_an_address_proves_who_uploaded_and_a_link_does_not():
    share = new_share()
    assert share_of(share.text) == share
    assert share.is_own
    for text in (share.key, f"{share.key}.{'0' * 32}", f"{share.key}.{new_share().proof}"):
        assert share_of(text) == Share(share.key)
        assert not share_of(text).is_own
    for text in ("", "x", share.key + ".", share.text + "0", "٣" * 32, share.text + "\n"):
        assert share_of(text) == NOBODY
    assert not NOBODY.is_own


def test_a_key_that_is_stopped_opens_nothing_and_leads_only_its_owner_on():
    dataset, share = small_dataset(n=23), new_share()
    uploads.hold(dataset, DataOrigin("mine", 23, 6), share.key)
    after = uploads.stop(dataset.fingerprint, share)
    last = uploads.stop(dataset.fingerprint, after)
    uploads.hold(dataset, None, share.key)  # by a page that is open still
    assert uploads.find(dataset.fingerprint, share.key) is None
    assert uploads.find(dataset.fingerprint, last.key) is dataset
    assert uploads.origin_of(dataset.fingerprint, last.key).name == "mine"
    assert (share.stopped, last.stopped, last.is_renewed) == (True, False, True)
    assert share_of(share.text) == last  # the owner's other tab
    assert share_of(share.key) == Share(share.key)


def test_data_whose_file_changed_are_let_go_of_for_all_who_ask():
    dataset, changed = small_dataset(n=23), [False]
    name = dataset.fingerprint
    assert not uploads.drop_changed(name)
    uploads.hold(dataset)
    uploads.watch(name, lambda: changed[0])
    assert not uploads.drop_changed(name)
    assert uploads.find(name) is dataset
    changed[0] = True
    for _ in range(2):
        assert uploads.drop_changed(name)
        assert uploads.find(name) is None
    uploads.watch(name, lambda: False)  # it was read anew
    assert not uploads.drop_changed(name)
