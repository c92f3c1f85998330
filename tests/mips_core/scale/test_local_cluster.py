import sys

import pytest

from mips_core.base.errors import ParamError
from mips_core.scale.local_cluster import local_cluster


@pytest.mark.parametrize("package", ["distributed", "cryptography"])
def test_without_the_extra_the_line_that_adds_it_is_told(monkeypatch, package):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ParamError, match="requirements-scale"), local_cluster(1):
        pass


def test_a_memory_limit_that_is_none_is_told():
    with pytest.raises(ParamError, match=r"'much'.* Write 2GB"), local_cluster(1, "much"):
        pass
