import sys

import pytest

from mips_core.base.errors import ParamError
from mips_core.scale import cluster_client
from mips_core.scale.cluster_client import connected
from mips_core.scale.scheduler_address import AbsentError


def test_where_nobody_answers_that_is_told(monkeypatch):
    monkeypatch.setattr(cluster_client, "CONNECT_SECONDS", 0.2)
    with pytest.raises(AbsentError, match=r"No scheduler answers at tcp://127\.0\.0\.1:1"):
        connected("tcp://127.0.0.1:1", {})


def test_without_dask_it_is_told_what_to_add(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ParamError, match=r"requirements-scale\.txt"):
        connected("tcp://127.0.0.1:1", {})
