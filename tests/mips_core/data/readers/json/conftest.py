"""Reading and refusing JSON."""

import json

import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import UnsettledError
from tests.mips_core.data.readers.tables import read_table


@pytest.fixture
def table(tmp_path):
    def table(content, name="x.json", **choices):
        if not isinstance(content, str | bytes):
            content = json.dumps(content)
        return read_table(tmp_path, name, content, **choices)

    return table


@pytest.fixture
def refused(table):
    def refused(content, kind=DataError, **more):
        with pytest.raises(DataError) as caught:
            table(content, **more)
        assert isinstance(caught.value, UnsettledError) == (kind is UnsettledError)
        assert caught.value.remedy
        return caught.value

    return refused
