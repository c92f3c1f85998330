import pytest

from mips_core.base.errors import ParamError
from mips_core.commands.parts_work import engine_at
from mips_core.scale.engine import Local


def test_work_is_done_by_threads_unless_a_scheduler_is_named():
    assert isinstance(engine_at(None, False), Local)
    with pytest.raises(ParamError, match="no scheduler"):
        engine_at("http://far", False)
