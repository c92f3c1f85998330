"""Sparse matrices saved by SciPy: filled up as SciPy would; no index is followed unchecked."""

import io

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import Source, read
from mips_core.data.readers.arrays.sparse_matrix import is_sparse_file, sparse_triples
from tests.mips_core.data.readers.outcomes import outcome

FORMATS = ["csr", "csc", "coo", "bsr", "dia"]


def saved(matrix, *, compressed=True):
    file = io.BytesIO()
    sp.save_npz(file, matrix, compressed=compressed)
    return file.getvalue()


def parts(**changed):
    """The arrays of a small csr matrix, some of them changed; None leaves one out."""
    A = sp.csr_matrix(np.diag([1.0, 2.0, 3.0]))
    arrays = {"format": b"csr", "shape": A.shape, "data": A.data, "indices": A.indices,
              "indptr": A.indptr} | changed  # fmt: skip
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return file.getvalue()


@given(
    kind=st.sampled_from(FORMATS),
    made=st.sampled_from([sp.coo_matrix, sp.coo_array]),
    dtype=st.sampled_from(["f4", "f8", "i4", "u1", "?", "i8"]),
    shape=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    compressed=st.booleans(),
    seed=st.integers(0, 99),
)
def test_saved_is_read(tmp_path_factory, kind, made, dtype, shape, compressed, seed):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, shape, (8, 2)).T  # some of them twice
    values = rng.integers(1, 4, 8).astype(dtype)
    matrix = made((values, tuple(places)), shape).asformat(kind)
    path = tmp_path_factory.mktemp("sparse") / "a.npz"
    path.write_bytes(saved(matrix, compressed=compressed))
    data = read(path)
    np.testing.assert_array_equal(data.items, matrix.toarray().astype("f4"))
    assert f"A sparse matrix ({kind}) of {shape[0]} × {shape[1]}" in data.notes[0]
    rows, columns, numbers, found = sparse_triples(Source.of(path))
    again = sp.coo_matrix((numbers, (rows, columns)), found)
    assert found == shape
    np.testing.assert_array_equal(again.toarray(), matrix.toarray())


def test_the_note_tells_density_and_the_way_for_ratings(load):
    note = load("a.npz", saved(sp.csr_matrix(np.eye(4))))
    assert "4 entries (25.00%)" in note.notes[0]
    assert "read_ratings" in note.notes[0]


def test_coordinates_in_one_array_are_read(load):
    content = parts(format=b"coo", indices=None, indptr=None,
                    coords=np.array([[0, 2], [1, 0]]), data=np.array([5.0, 7.0]))  # fmt: skip
    np.testing.assert_array_equal(load("a.npz", content).items, [[0, 5, 0], [0, 0, 0], [7, 0, 0]])


def test_text_of_python_2_and_other_byte_orders_are_read(load):
    content = parts(
        format="csr",
        data=np.array([1, 2, 3], ">f8"),
        indices=np.array([0, 1, 2], ">i4"),
        indptr=np.array([0, 1, 2, 3], ">i8"),
    )
    np.testing.assert_array_equal(load("a.npz", content).items, np.diag([1, 2, 3]))


def test_arrays_of_the_same_names_are_no_sparse_matrix(load):
    X = np.ones((3, 2))
    content = parts(format=None, shape=None, data=X, indices=np.arange(3), indptr=None)
    np.testing.assert_array_equal(load("a.npz", content).items, X)


def test_only_sparse_files_are_told_as_such(tmp_path):
    (tmp_path / "s.npz").write_bytes(parts())
    np.savez(tmp_path / "d.npz", x=np.eye(3))
    np.save(tmp_path / "x.npy", np.eye(3))
    found = [is_sparse_file(Source.of(tmp_path / name)) for name in ("s.npz", "d.npz", "x.npy")]
    assert found == [True, False, False]
    with pytest.raises(DataError, match=r"d\.npz is no sparse matrix"):
        sparse_triples(Source.of(tmp_path / "d.npz"))


DIA = {"format": b"dia", "indices": None, "indptr": None}
COO = {"format": b"coo", "indices": None, "indptr": None}
BSR = {"format": b"bsr", "shape": (4, 4), "data": np.ones((2, 2, 2)), "indices": np.array([0, 1])}
BAD = [
    ({"indices": np.array([0, 1, 3])}, "index 3 of entry 2 is outside 0 to 2"),
    ({"indices": np.array([0, -1, 2])}, "index -1 of entry 1 is outside 0 to 2"),
    ({"indices": np.array([0.0, 1.0, 2.0])}, "places (index) are no whole numbers (dtype float64)"),
    ({"indptr": np.array([0, 2, 1, 3])}, "do not ascend"),
    ({"indptr": np.array([1, 1, 2, 3])}, "do not ascend"),
    ({"indptr": np.array([0, 1, 2, 2])}, "do not ascend"),
    ({"indptr": np.array([0, 1, 2, 9])}, "start 9 of entry 3 is outside 0 to 3"),
    ({"indptr": np.array([0, 1, 3])}, "it has 3 starts for 3 rows"),
    ({"data": np.ones(2)}, "not equally many"),
    ({"data": np.ones((3, 1))}, "not equally many"),
    ({"data": np.ones(3, "c8")}, "complex"),
    ({"data": np.array([None] * 3)}, "pickle"),
    ({"shape": (3, -3)}, "shape is 3 × -3"),
    ({"shape": (3, 2**31)}, "its shape is"),
    ({"shape": (3,)}, "1 dimensions"),
    ({"shape": np.arange(100)}, "format or shape"),
    ({"shape": (3.0, 3.0)}, "format or shape"),
    ({"shape": (3, 0), "data": np.ones(0), "indices": np.arange(0), "indptr": np.zeros(4, int)},
     "without numbers"),
    ({"shape": (0, 3), "data": np.ones(0), "indices": np.arange(0), "indptr": np.zeros(1, int)},
     "no vectors"),
    ({"format": b"lil"}, "format is “lil”"),
    ({"format": b"coo"}, "its part “col” is missing"),
    ({"format": 7}, "format or shape"),
    ({**COO, "row": np.array([0, 1, 3]), "col": np.arange(3)}, "row 3 of entry 2"),
    ({**COO, "row": np.arange(3), "col": np.array([0, 1, -1])}, "column -1 of entry 2"),
    ({**COO, "row": np.arange(2), "col": np.arange(3)}, "not equally many"),
    ({**COO, "coords": np.zeros((3, 3), int)}, "not two rows"),
    ({**DIA, "data": np.ones((2, 3)), "offsets": np.array([0, 3])}, "diagonal 3 of entry 1"),
    ({**DIA, "data": np.ones((2, 3)), "offsets": np.array([-3, 0])}, "diagonal -3 of entry 0"),
    ({**DIA, "data": np.ones((2, 3)), "offsets": np.array([1, 1])}, "diagonal twice"),
    ({**DIA, "data": np.ones(3), "offsets": np.array([0])}, "not equally many"),
    ({**BSR, "indptr": np.array([0, 1, 2]), "shape": (3, 4)}, "blocks do not fill"),
    ({**BSR, "indptr": np.array([0, 1, 2]), "data": np.ones(2)}, "blocks do not fill"),
    ({**BSR, "indptr": np.array([0, 1, 2]), "indices": np.array([0, 2])}, "index 2 of entry 1"),
    ({**BSR, "indptr": np.array([0, 1, 2, 2, 2])}, "5 starts for 2 rows"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "words"), BAD, ids=[words for _, words in BAD])
def test_unsound_parts_are_refused(refusal, changed, words):
    assert words in refusal("bad.npz", parts(**changed))


def test_dense_size_is_bounded_before_memory_is_taken(refusal):
    content = saved(sp.csr_matrix((200_000, 3000)))
    assert "200,000 × 3,000 numbers; the limit is 400,000,000" in refusal("wide.npz", content)


def test_a_small_file_stays_small(refusal):
    content = saved(sp.coo_matrix(([1.0] * 3, ([0, 1, 2], [0, 1, 2])), (9, 9_000_000)))
    text = refusal("empty.npz", content)
    assert "9 × 9,000,000 with only 3 entries; the limit is 10,000 zeros an entry" in text


def test_triples_need_no_dense_size(tmp_path, monkeypatch):
    matrix = sp.coo_matrix(([5.0], ([1_999_999], [999_999])), (2_000_000, 1_000_000))
    (tmp_path / "r.npz").write_bytes(saved(matrix))
    rows, columns, values, shape = sparse_triples(Source.of(tmp_path / "r.npz"))
    assert (*rows, *columns, *values, *shape) == (1_999_999, 999_999, 5.0, 2_000_000, 1_000_000)
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 10)
    with pytest.raises(DataError, match="the limit is"):
        sparse_triples(Source.of(tmp_path / "r.npz"))


@given(st.binary(min_size=1, max_size=40), st.floats(0, 1), st.sampled_from(FORMATS))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, share, kind):
    whole = saved(sp.csr_matrix(np.diag(np.arange(1.0, 7))).asformat(kind), compressed=False)
    at = int(share * len(whole))
    path = tmp_path_factory.mktemp("sparse") / "noise.npz"
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)
