"""What the tests of a report share."""

import pytest

from tests.mips_core.report.reports import data, measured, reported


@pytest.fixture(scope="module")
def case():
    raw, searched = data()
    return raw, searched, measured(searched)


@pytest.fixture(scope="module")
def made(case):
    return reported(*case)
