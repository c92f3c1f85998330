"""TEXMEX files: every bit as it is stored, told by content, refused where rows do not agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled
from mips_core.data.readers import Source, read
from mips_core.data.readers.arrays import vecs
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.outcomes import outcome

X = np.random.default_rng(0).normal(size=(7, 5)).astype("<f4")
BYTES = np.random.default_rng(1).integers(0, 256, (7, 5)).astype("u1")


def rows(array):
    """Each row behind its length, written one by one as the format is defined."""
    return b"".join(np.int32(len(row)).astype("<i4").tobytes() + row.tobytes() for row in array)


@given(
    kind=st.sampled_from([("fvecs", "<f4"), ("bvecs", "u1")]),
    n=st.integers(1, 40),
    d=st.integers(1, 40),
    seed=st.integers(0, 99),
)
def test_written_is_read(tmp_path_factory, kind, n, d, seed):
    suffix, dtype = kind
    stored = np.random.default_rng(seed).integers(1, 256, (n, d)).astype(dtype)
    path = tmp_path_factory.mktemp("vecs") / f"base.{suffix}"
    path.write_bytes(rows(stored))
    data = read(path, keep_dtype=True)
    assert data.items.dtype == stored.dtype
    np.testing.assert_array_equal(data.items, stored)
    assert (data.name, data.notes) == ("base", read(path).notes)


@pytest.mark.parametrize("name", ["x.fvecs", "x.bvecs", "x.bin", "x", "x.npy.part"])
@pytest.mark.parametrize("stored", [X, BYTES], ids=["fvecs", "bvecs"])
def test_the_content_decides_between_widths(load, name, stored):
    data = load(name, rows(stored))
    np.testing.assert_array_equal(data.items, stored)
    kind = ".bvecs" if stored is BYTES else ".fvecs"
    note = f"Told by its rows, not its name: they are those of {kind}."
    assert (note in data.notes) == (not name.endswith(kind))


@pytest.mark.parametrize("d", [640, 896, 1152, 1408])
def test_a_dimension_that_looks_like_a_pickle_is_read(load, d):
    stored = np.ones((3, d), "<f4")
    np.testing.assert_array_equal(load("x.fvecs", rows(stored)).items, stored)


def test_bytes_that_look_like_text_are_vectors(load):
    stored = np.full((40, 200), 97, "u1")
    np.testing.assert_array_equal(load("x.bvecs", rows(stored)).items, stored)


def test_long_rows_are_read_in_blocks(load, tmp_path, monkeypatch):
    stored = np.random.default_rng(2).normal(size=(9, 30_000)).astype("<f4")
    monkeypatch.setattr(vecs, "BLOCK", 250_000)
    np.testing.assert_array_equal(load("x.fvecs", rows(stored)).items, stored)
    shares = []
    path = tmp_path / "x.fvecs"
    vecs.read(Source.of(path, progress=lambda share, *_: shares.append(share)), Choices())
    assert len(shares) == 5
    assert shares[-1] == 1

    def cancel(*_):
        raise Cancelled

    with pytest.raises(Cancelled):
        vecs.read(Source.of(path, progress=cancel), Choices())


@pytest.mark.parametrize("name", ["gt.ivecs", "gt.fvecs", "gt.bin"])
@pytest.mark.parametrize("first", [0, -1])
def test_ids_are_no_vectors(refusal, name, first):
    text = refusal(name, rows(np.arange(first, first + 60, dtype="<i4").reshape(6, 10)))
    assert "integers, 6 rows of 10" in text
    assert "neighbours" in text


@pytest.mark.parametrize("first", [0, np.frombuffer(b"\1\0\xa0\x7f", "<f4")[0]])
def test_zeros_and_nan_are_no_ids(refusal, first):
    stored = np.zeros((3, 5), "<f4")
    stored[0] = first
    assert "integers" not in refusal("x.fvecs", rows(stored))


def test_integers_of_any_size_are_no_vectors_where_the_name_says_so(refusal):
    assert "integers" in refusal("x.ivecs", rows(np.full((6, 10), -5, "<i4")))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (rows(X)[:-1], "cut short in row 6: 23 of 24 bytes"),
        (rows(X)[:-20], "cut short in row 6: 4 of 24 bytes"),
        (rows(X) + b"\5\0", "cut short in row 7: 2 of 24 bytes"),
        (rows(X)[:20], "cut short in row 0: it is 20 of 24 bytes"),
        (rows(X[:4]) + rows(X[4:, :4]), "row 4 says it has 4 numbers, the rows before have 5"),
        (rows(X[:4]) + bytes(24), "row 4 says it has 0 numbers"),
        (b"\xff\xff\xff\xff" + bytes(40), "does not hold what its name says"),
        (bytes(40), "does not hold what its name says"),
        (b"\5\0\0\0", "does not hold what its name says"),
        (rows(np.full((4, 5), np.nan, "<f4")), "nan in row 0, column 0"),
    ],
    ids=["last byte", "last row", "more", "first row", "narrower", "zero", "negative", "zeros",
         "header", "nan"],
)  # fmt: skip
def test_damage_is_named(refusal, content, words):
    assert words in refusal("bad.fvecs", content)


def test_damage_beyond_the_beginning_is_named(refusal):
    content = bytearray(rows(np.ones((9000, 5), "<f4")))
    content[24 * 8000] = 6
    assert "row 8,000 says it has 6 numbers" in refusal("bad.fvecs", bytes(content))


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 34)
    assert "7 × 5 numbers; the limit is 34" in refusal("many.fvecs", rows(X))


@given(st.binary(max_size=60), st.integers(0, 160), st.sampled_from(["x.fvecs", "x.bvecs", "x"]))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, at, name):
    whole = rows(X)
    path = tmp_path_factory.mktemp("vecs") / name
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)
