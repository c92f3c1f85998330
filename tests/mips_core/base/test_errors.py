"""Errors say what was found and what to do; a request to stop is no error of these."""

import errno

import pytest

from mips_core.base.errors import Cancelled, DataError, MipsError, ParamError, disk_full


@pytest.mark.parametrize("kind", [ParamError, DataError])
def test_the_text_is_what_was_found_and_the_remedy(kind):
    error = kind("K is 0.", "Ask for one.")
    assert isinstance(error, MipsError)
    assert isinstance(error, ValueError)
    assert str(error) == "K is 0. Ask for one."
    assert (error.found, error.remedy) == ("K is 0.", "Ask for one.")
    assert str(kind("K is 0.")) == "K is 0."


def test_a_request_to_stop_is_not_caught_as_an_error():
    assert not issubclass(Cancelled, ValueError)


def test_a_full_disk_is_told_from_other_faults_with_its_place():
    full = disk_full(OSError(errno.ENOSPC, "No space left on device", "/somewhere/file"))
    assert (
        str(full)
        == "The disk is full: no room is left for /somewhere/file. Make room and try again."
    )
    assert "no room is left for" in str(disk_full(OSError(errno.EDQUOT, "Quota exceeded")))
    for other in (OSError(errno.EACCES, "Permission denied"), OSError("?"), ValueError("no")):
        assert disk_full(other) is None
