"""Vectors in parts, and a cluster in name."""

import pytest

from mips_core.scale import dask_engine
from mips_core.scale.engine import Local
from mips_core.scale.write_parts import write_parts
from pages._ui.work import parts_data
from tests.pages._ui.work.parts_files import X


@pytest.fixture
def manifest(tmp_path):
    return write_parts([("X", X)], tmp_path / "words", rows=90)


@pytest.fixture
def cluster(monkeypatch):
    """Threads in place of one; what was asked of them."""
    asked = []

    def started(address):
        asked.append(address)
        return Local(2)

    monkeypatch.setenv(parts_data.VARIABLE, "tls://somewhere:1")
    monkeypatch.setattr(dask_engine, "Dask", started)
    return asked
