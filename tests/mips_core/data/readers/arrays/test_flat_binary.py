"""BIGANN files: header and size agree, or both are named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.data.readers import Source, read
from mips_core.data.readers.arrays import binary, flat_binary
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.outcomes import outcome

KINDS = {"fbin": "<f4", "f16bin": "<f2", "hbin": "<f2", "u8bin": "u1", "i8bin": "i1"}
X = np.random.default_rng(0).normal(size=(7, 5)).astype("<f4")


def flat(array, n=None, d=None):
    """n and d, then the numbers; other n and d for files that lie."""
    sizes = np.array([array.shape[0] if n is None else n, array.shape[1] if d is None else d])
    return sizes.astype("<u4").tobytes() + array.tobytes()


@given(
    suffix=st.sampled_from(sorted(KINDS)),
    crop=st.sampled_from(["", ".crop_nb_1000"]),
    n=st.integers(1, 40),
    d=st.integers(1, 40),
    seed=st.integers(0, 99),
)
def test_written_is_read(tmp_path_factory, suffix, crop, n, d, seed):
    stored = np.random.default_rng(seed).integers(1, 100, (n, d)).astype(KINDS[suffix])
    path = tmp_path_factory.mktemp("flat") / f"base.{suffix}{crop}"
    path.write_bytes(flat(stored))
    data = read(path, keep_dtype=True)
    assert data.items.dtype == stored.dtype
    np.testing.assert_array_equal(data.items, stored)
    assert not any("size" in note for note in data.notes)


@pytest.mark.parametrize("name", ["base.bin", "base", "base.dat"])
@pytest.mark.parametrize("dtype", ["<f4", "<f2"])
def test_without_a_name_the_size_tells(load, name, dtype):
    data = load(name, flat(X.astype(dtype)))
    np.testing.assert_array_equal(data.items, X.astype(dtype))
    assert f"size alone: 7 × 5 numbers of dtype {np.dtype(dtype).name}" in data.notes[0]


def test_bytes_without_a_name_are_asked_for(refusal):
    text = refusal("base.bin", flat(X.astype("i1")))
    assert "7 × 5 numbers of one byte" in text
    assert ".u8bin" in text


@pytest.mark.parametrize("name", ["gt.ibin", "gt.fbin", "gt.bin"])
def test_ids_are_no_vectors(refusal, name):
    assert "integers, 6 rows of 10" in refusal(
        name, flat(np.arange(60).reshape(6, 10).astype("<i4"))
    )


def test_ids_with_distances_are_no_vectors(refusal):
    ids = flat(np.arange(60).reshape(6, 10).astype("<i4"))
    assert "neighbours" in refusal("gt.ibin", ids + np.ones(60, "<f4").tobytes())


@pytest.mark.parametrize("n", [640, 641])
def test_a_count_that_looks_like_a_pickle_is_read(load, n):
    assert load("x.fbin", flat(np.ones((n, 2), "<f4"))).n == n


def test_bytes_that_look_like_text_are_vectors(load):
    assert load("x.u8bin", flat(np.full((40, 200), 97, "u1"))).n == 40


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.fbin", flat(X)[:-1], "cut short: its header promises 7 × 5 numbers of dtype float32 "
         "(148 bytes), the file has 147 bytes, 6 whole rows. Save or download it again."),
        ("x.fbin", flat(X) + b"abc", "damaged: its header promises 7 × 5 numbers of dtype float32 "
         "(148 bytes), the file has 151 bytes"),
        ("x.u8bin", flat(X), "Its size is that of a .fbin or .ibin file"),
        ("x.fbin", flat(X.astype("u1")), "Its size is that of a .u8bin or .i8bin file"),
        ("x.fbin", flat(X, n=2**32 - 1), "4,294,967,295 × 5 numbers"),
        ("x.fbin", flat(X, n=0), "does not hold what its name says"),
        ("x.fbin", flat(X, d=0), "does not hold what its name says"),
        ("x.fbin", flat(X)[:7], "does not hold what its name says"),
        ("x.bin", flat(X)[:-1], "does not hold what its name says"),
        ("x.dat", flat(X)[:-1], "no format known"),
    ],
    ids=["cut", "more", "f as u8", "u8 as f", "claim", "no rows", "no columns", "no header",
         "cut bin", "cut dat"],
)  # fmt: skip
def test_header_and_size_must_agree(refusal, name, content, words):
    assert words in refusal(name, content)


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 34)
    assert "7 × 5 numbers; the limit is 34" in refusal("many.fbin", flat(X))


def test_progress_is_reported(tmp_path, monkeypatch):
    path = tmp_path / "x.fbin"
    path.write_bytes(flat(np.ones((1000, 25), "<f4")))
    monkeypatch.setattr(binary, "BLOCK", 30_000)
    shares = []
    flat_binary.read(Source.of(path, progress=lambda share, *_: shares.append(share)), Choices())
    assert len(shares) == 4
    assert shares[-1] == 1


@given(st.binary(max_size=30), st.integers(0, 150), st.sampled_from(["x.fbin", "x.u8bin", "x"]))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, at, name):
    whole = flat(X)
    path = tmp_path_factory.mktemp("flat") / name
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)
