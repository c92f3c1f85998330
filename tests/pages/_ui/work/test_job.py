"""How a job ends, and what it tells meanwhile."""

import pytest

from mips_core.base.errors import DataError
from pages._ui.work import jobs


@pytest.mark.parametrize(
    ("error", "words"),
    [(DataError("Row 3 is short.", "Mend it."), "Row 3 is short. Mend it."),
     (MemoryError(), "not enough memory"), (ZeroDivisionError("1/0"), "The log of the server")],
)  # fmt: skip
def test_a_failure_is_told_in_words(error, words):
    def work(progress):
        raise error

    job = jobs.start("bad", "", work, "me")
    jobs.wait(5)
    assert job.state == "failed"
    assert words in job.error
    assert "Traceback" not in job.error
