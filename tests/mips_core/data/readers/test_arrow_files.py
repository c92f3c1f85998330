"""Parquet, Arrow and Feather are told by their first bytes and read in a child."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import read
from mips_core.data.readers.arrow_files import is_arrow
from tests.mips_core.data.readers.in_child.arrow_writing import (
    WORDS,
    WRITERS,
    X,
    lists,
)


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_every_container_is_read_in_a_child(arrow_file, suffix):
    data = read(arrow_file({"word": WORDS, "vector": lists(X)}, suffix))
    np.testing.assert_array_equal(data.items, X)
    assert data.labels == WORDS


def test_old_and_locked_files_are_named(tmp_path):
    for content, words in ((b"FEA1" + bytes(60), "version 1"), (b"PARE" + bytes(60), "encrypted")):
        (tmp_path / "x.feather").write_bytes(content)
        with pytest.raises(DataError, match=words):
            read(tmp_path / "x.feather")


def test_a_stream_is_recognised_by_its_first_bytes(arrow_file):
    head = arrow_file({"v": lists(X)}, "arrows").read_bytes()[:64]
    assert is_arrow(head, "anything")
    assert not is_arrow(np.full(9, np.nan, "f4").tobytes(), "x.bin")
    assert not is_arrow(np.full(64, -1, "i4").tobytes(), "x.bin")
