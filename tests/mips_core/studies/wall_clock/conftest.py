"""Fixtures of the tests of the clock."""

import pytest

from mips_core.serving.other_libraries import contract
from mips_core.studies.wall_clock import run
from tests.mips_core.studies.wall_clock.clock_cases import Scan


@pytest.fixture
def scan(monkeypatch):
    """The one rival there is."""
    monkeypatch.setattr(contract, "RIVALS", {"scan": Scan})
    monkeypatch.setattr(run, "RIVALS", {"scan": Scan})
    return Scan
