"""Nearest rows by clusters, however few there are."""

import pytest

from mips_core.groups.projection import neighbours


@pytest.fixture
def by_clusters(monkeypatch):
    monkeypatch.setattr(neighbours, "EXACT_ROWS", 100)
