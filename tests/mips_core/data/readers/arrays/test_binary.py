"""Raw numbers are counted before memory is taken, read block by block, and told from ids."""

import io

import numpy as np
import pytest

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.arrays import binary
from mips_core.data.readers.arrays.binary import check_count, fill, holds_ids


@pytest.mark.parametrize("dtype", [">f4", "<u2", "?"])
def test_an_array_is_filled_block_by_block(monkeypatch, dtype):
    monkeypatch.setattr(binary, "BLOCK", 10)
    stored = np.random.default_rng(0).integers(0, 2, (5, 3)).astype(dtype)
    array, filled = np.zeros_like(stored), []
    assert fill(array, io.BytesIO(stored.tobytes() + b"more"), filled.append) == stored.nbytes
    np.testing.assert_array_equal(array, stored)
    assert filled == [*range(10, stored.nbytes, 10), stored.nbytes]
    assert fill(array, io.BytesIO(stored.tobytes()[:-4]), filled.append) == stored.nbytes - 4


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        (0, 4, r"holds no vectors \(0 rows\)"),
        (4, 0, "has rows without numbers"),
        (5, 4, r"holds 5 × 4 numbers; the limit is 19\."),
    ],
)
def test_none_and_too_many_are_refused(monkeypatch, rows, columns, words):
    monkeypatch.setattr(limits, "MAX_VALUES", 19)
    check_count(4, 4, "x")
    with pytest.raises(DataError, match=f"^x {words}"):
        check_count(rows, columns, "x")


def test_whole_numbers_are_told_from_the_bits_of_floats():
    ids = np.array([0, 7, 2**23 - 1, 2**32 - 1], np.uint32)
    assert holds_ids(ids)
    assert not holds_ids(np.zeros(4, np.uint32))
    assert not holds_ids(np.array([1, 2**23], np.uint32))
    assert not holds_ids(np.array([0, 1e-30, 0.5], np.float32).view(np.uint32))
