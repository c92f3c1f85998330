"""No run is kept by an earlier test."""

import pytest

from tests.pages.runs_page import forget


@pytest.fixture(autouse=True)
def _nothing_kept():
    """Nothing on the server from an earlier test."""
    forget()
