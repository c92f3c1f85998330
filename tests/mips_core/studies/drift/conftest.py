"""Fixtures of the tests of drift."""

import pytest

from mips_core.studies.drift import decay
from tests.mips_core.studies.drift.drift_cases import FLAT, SMALL, data
from tests.mips_core.studies.drift.update_cases import SPECS


@pytest.fixture(params=SPECS.values(), ids=SPECS)
def index(request):
    return request.param


@pytest.fixture(scope="module")
def measured():
    return decay(data(), data(), FLAT, 5, SMALL)
