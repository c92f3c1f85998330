import sys

import pytest

from mips_core.base.errors import ParamError
from mips_core.scale.local_cluster import local_cluster


def test_without_the_extra_the_line_that_adds_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ParamError, match="requirements-scale"), local_cluster(1):
        pass
