"""Errors say what was found and what to do; a request to stop is no error of these."""

import pytest

from mips_core.base.errors import Cancelled, DataError, MipsError, ParamError


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
