"""A command in a report measures the same, or there is none."""

from mips_core.report import (
    Origin,
)
from tests.mips_core.report.reports import reported


def test_no_command_is_given_that_would_measure_something_else(case):
    assert reported(*case, origin=Origin()).commands == ()
    assert reported(*case, recipe=None).commands == ()
    assert reported(*case, origin=Origin(files=("a.npy",), own_queries=True)).commands == ()
    (report, _) = reported(*case, origin=Origin(stem="a")).commands
    assert report.startswith("python -m mips_core report FILE --n-queries 120 --query-seed 0 ")
    (report, _) = reported(*case, origin=Origin(files=("-a b.npy",))).commands
    assert "'./-a b.npy'" in report
