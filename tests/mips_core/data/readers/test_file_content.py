"""A file holds a table or a reason why not, and its name may say what the table is."""

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import READERS
from mips_core.data.readers.arrays.binary import NeighborIdsError
from mips_core.data.readers.contract import Source, Table
from mips_core.data.readers.file_content import FileContent, table_of
from mips_core.data.readers.names import ANSWERS, ITEMS
from tests.mips_core.data.readers.packing import X, npy


def content(name, table=None, error=None):
    return FileContent(Source(None, name, b"", 0), table, error)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "x.npy does not fit into memory. Give its first rows only."),
        (IndexError("axis 3"), "x.npy cannot be read as NumPy .npy: axis 3. It may be damaged."),
        (DataError("Mine."), "Mine."),
        (Cancelled(), ""),
    ],
)
def test_any_failure_of_a_reader_is_told_in_words(tmp_path, monkeypatch, error, words):
    def fails(source, choices):
        raise error

    path = tmp_path / "x.npy"
    path.write_bytes(npy(X))
    np.testing.assert_array_equal(table_of(Source.of(path)).vectors, X)
    reader = READERS["npy"]
    monkeypatch.setitem(READERS, "npy", type(reader)(**vars(reader) | {"read": fails}))
    with pytest.raises(Cancelled if isinstance(error, Cancelled) else DataError) as caught:
        table_of(Source.of(path))
    assert str(caught.value).startswith(words)


def test_a_file_is_described_by_its_table():
    held = content("x.npy", Table(np.zeros((2000, 9), np.float32)))
    assert (held.name, held.d, held.about) == ("x.npy", 9, "2,000 × 9, float32")
    empty = content("x.txt", error=DataError("No."))
    assert (empty.d, empty.about) == (0, "")


@pytest.mark.parametrize(
    ("name", "says"),
    [("items.npy", True), ("My-Items.NPY.gz", True), ("item.vectors.npy", True), ("it.npy", False)],
)
def test_a_word_of_its_name_counts(name, says):
    assert content(name).says(ITEMS) == says


def test_ids_of_neighbors_are_answers_by_their_kind_and_name():
    whole, floats = (Table(np.ones((3, 3), kind)) for kind in ("i4", "f4"))
    assert content("neighbors.npy", whole).holds_answers
    assert not content("neighbors.npy", floats).holds_answers
    assert not content("base.npy", whole).holds_answers
    assert content("x.ivecs", error=NeighborIdsError("Ids.")).holds_answers
    assert not content("x.ivecs", error=DataError("Other.")).holds_answers
    assert ANSWERS
