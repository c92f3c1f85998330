"""Fixtures of the tests of misses."""

import pytest

from tests.mips_core.studies.misses.search_cases import SPECS


@pytest.fixture(params=SPECS.values(), ids=SPECS)
def index(request):
    return request.param
