"""Measuring stands below pages, and so do its blocks of work."""

import os
import sys
import time

import pytest

from mips_core.base.threads import map_blocks
from pages._ui.work import jobs, priority, results


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has no priority of its own")
def test_measuring_and_its_blocks_stand_below_pages():
    def priorities(*_):
        time.sleep(0.01)
        return os.getpriority(os.PRIO_PROCESS, 0)

    own = priorities()
    below, between = (min(own + steps, 19) for steps in (priority.NICE, priority.BETWEEN))
    assert set(map_blocks(priorities, 8, 1)) == {own}
    for lane, expected in (("measure", below), ("child", between), ("show", own)):
        jobs.start(lane, "", lambda progress: map_blocks(priorities, 8, 1), "me", lane=lane)
        assert jobs.wait(30)
        assert set(results.recall(lane)) == {expected}
    assert set(map_blocks(priorities, 8, 1)) == {own}
