"""Entries: each can be fetched or placed, and says on what terms."""

import re

import pytest

from mips_core.base.errors import MipsError
from mips_core.data.published.entries import MIRROR, PUBLISHED, published


@pytest.mark.parametrize("entry", PUBLISHED.values(), ids=lambda entry: entry.key)
def test_each_says_its_terms_and_what_is_read(entry):
    assert entry.licence
    assert entry.files
    assert re.match("https://[a-z.]+/", entry.terms)
    for archive in entry.archives:
        if archive.address:
            assert archive.address.endswith("/" + archive.name)
            assert archive.size
            assert re.fullmatch("[0-9a-f]{64}", archive.sha256)


def test_a_mirror_gives_the_same_names_and_must_be_an_address(monkeypatch):
    archive = published("movielens-10m").archive
    assert archive.host == "files.grouplens.org"
    monkeypatch.setenv(MIRROR, "http://127.0.0.1:9/sets/")
    assert archive.source == "http://127.0.0.1:9/sets/ml-10m.zip"
    monkeypatch.setenv(MIRROR, "file:///etc")
    with pytest.raises(MipsError, match="http or https"):
        archive.source  # noqa: B018


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(MipsError, match=r"no published set 'x'.*netflix"):
        published("x")
