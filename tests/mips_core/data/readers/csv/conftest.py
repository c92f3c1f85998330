"""Reading one table of text."""

import pytest

from tests.mips_core.data.readers.tables import read_table


@pytest.fixture
def table_of(tmp_path):
    def table_of(content, **choices):
        return read_table(tmp_path, "t.csv", content, **choices)

    return table_of
