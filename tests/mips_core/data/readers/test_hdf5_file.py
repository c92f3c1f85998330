"""HDF5 is read in a child, which may break down over it."""

import time

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import UnsettledError, read
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.in_child.hdf5_writing import WORDS, X, Y, refusal


def test_a_benchmark_set_is_read_in_a_child(hdf5_file):
    path = hdf5_file({"train": X, "test": Y, "neighbors": np.zeros((9, 3), "i4"),
                    "distances": np.zeros((9, 3), "f4")},
                   {"distance": "angular", "type": "dense"}, name="toy-angular.hdf5")  # fmt: skip
    data = read(path)
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)
    [note] = [note for note in data.notes if "angular" in note]
    assert "neighbors and distances are not used" in note


def test_several_tables_are_listed_and_one_is_chosen(hdf5_file):
    path = hdf5_file({"a": X, "g/b": Y})
    with pytest.raises(UnsettledError, match="“g/b”") as caught:
        read(path)
    assert [offer.name for offer in caught.value.offers.arrays] == ["a", "g/b"]
    assert read(path, Choices(array="g/b")).n == 9
    assert "no table “c”" in refusal(path, array="c")


def test_damage_anywhere_ends_in_words_or_in_data(hdf5_file):
    path = hdf5_file({"train": X, "meta/words": WORDS}, compression="gzip", chunks=True)
    whole = path.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(8):  # each in a child: HDF5 crashes over some
        content = bytearray(whole)
        for place in rng.integers(16, len(content), 5):
            content[place] ^= 1 << rng.integers(0, 8)
        path.write_bytes(content[: rng.integers(16, len(whole) * 2)])
        try:
            told = read(path).name
        except DataError as error:
            told = error.found
        assert told.startswith("file")


def test_text_over_which_hdf5_loops_forever_is_given_up(hdf5_file):
    path = hdf5_file({"x": X, "words": WORDS})
    content = bytearray(path.read_bytes())
    heap = content.index(b"GCOL")  # where strings lie, each after its length
    content[heap + 40 : heap + 64] = bytes(24)
    path.write_bytes(content)
    start = time.monotonic()
    with pytest.raises(DataError, match=r"file\.h5 could not be read as HDF5"):
        read(path)
    assert time.monotonic() - start < 30
    assert read(path, Choices(label="-")).n == 6
