"""A cache folder of the test's own, and a server of look-alike archives as the mirror."""

import pytest

from mips_core.base.cache_folder import VARIABLE
from mips_core.data.published.entries import MIRROR
from tests.mips_core.data.published.server import look_alike, movielens_100k, serving


@pytest.fixture
def store(tmp_path, monkeypatch):
    """The folder of published sets, which is not there yet."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache" / "published"


@pytest.fixture
def way(store, monkeypatch):
    """How the server gives MovieLens 100k."""
    with serving(movielens_100k()) as (way, address):
        monkeypatch.setenv(MIRROR, address)
        yield way


@pytest.fixture
def entry(way):
    """MovieLens 100k with the checksum of what the server has."""
    return look_alike("movielens-100k", way.content)
