"""safetensors: the library writes, we read the same bits; no claim of a header is believed."""

import json
import math

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import Source, read
from mips_core.data.readers.arrays import binary, safetensors_file
from mips_core.data.readers.arrays.safetensors_file import widened
from mips_core.data.readers.choices import Choices, UnsettledError
from tests.mips_core.data.readers.outcomes import outcome

X = np.random.default_rng(0).normal(size=(6, 4)).astype("f4")
Y = np.random.default_rng(1).normal(size=(9, 4)).astype("f4")
DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


def saved(**arrays):
    return safetensors.numpy.save(arrays, metadata={"format": "pt"})


def raw(header, data=b""):
    """A file with any header; text as it is, other values as JSON."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(2, 2), start=0, stop=16):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [start, stop]}


@given(
    dtype=st.sampled_from(DTYPES),
    shape=st.tuples(st.integers(1, 9), st.integers(1, 7)),
    seed=st.integers(0, 99),
)
def test_saved_is_read(tmp_path_factory, dtype, shape, seed):
    stored = np.random.default_rng(seed).integers(1, 100, shape).astype(dtype)
    path = tmp_path_factory.mktemp("st") / "model.safetensors"
    safetensors.numpy.save_file({"x": stored, "s": np.ones(3), "e": np.ones((0, 2))}, path)
    data = read(path, keep_dtype=True)
    assert data.items.dtype == stored.dtype
    np.testing.assert_array_equal(data.items, stored)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_bfloat16_is_exact(numbers):
    upper = np.array(numbers, "<f4").view("<u2")[1::2]
    wide = widened(upper, "BF16")
    assert wide.dtype == np.float32
    np.testing.assert_array_equal(wide.view("<u4"), upper.astype("u4") * 2**16)


def test_bfloat16_is_read_as_float32(load):
    stored = np.array([[1, -2], [0.5, 3], [1e10, 2.0**-120]], "f4").view("<u4") >> 16
    stored = stored.astype("<u2")
    content = raw({"embeddings": entry("BF16", (3, 2), 0, 12)}, stored.tobytes())
    assert safetensors.deserialize(content)[0][1]["dtype"] == "BF16"
    data = load("x.safetensors", content)
    np.testing.assert_array_equal(data.items.view("u4") >> 16, stored)
    np.testing.assert_array_equal(data.items[:2], [[1, -2], [0.5, 3]])


def e4m3(byte):
    """By the definition: sign, 4 bits of exponent with bias 7, 3 of fraction; NaN alone is odd."""
    sign, exponent, fraction = -1 if byte >> 7 else 1, byte >> 3 & 15, byte & 7
    if (exponent, fraction) == (15, 7):
        return math.nan
    if exponent == 0:
        return sign * fraction * 2.0**-9
    return sign * (1 + fraction / 8) * 2.0 ** (exponent - 7)


def e5m2(byte):
    """By the definition: sign, 5 bits of exponent with bias 15, 2 of fraction; as IEEE 754."""
    sign, exponent, fraction = -1 if byte >> 7 else 1, byte >> 2 & 31, byte & 3
    if exponent == 31:
        return math.nan if fraction else sign * math.inf
    if exponent == 0:
        return sign * fraction * 2.0**-16
    return sign * (1 + fraction / 4) * 2.0 ** (exponent - 15)


@pytest.mark.parametrize(("kind", "value"), [("F8_E4M3", e4m3), ("F8_E5M2", e5m2)])
def test_every_8_bit_float_is_exact(kind, value):
    found = widened(np.arange(256, dtype="u1").reshape(16, 16), kind)
    expected = np.array([value(byte) for byte in range(256)]).reshape(16, 16)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found[expected == 0]), [False, True])


def test_8_bit_floats_are_read_with_a_note(load):
    data = load("x.safetensors", raw({"x": entry("F8_E4M3", (2, 2), 0, 4)}, b"\x38\x40\xb8\x01"))
    np.testing.assert_array_equal(data.items, [[1, 2], [-1, 2.0**-9]])
    assert any("a scale kept beside them is not applied" in note for note in data.notes)


def test_roles_are_told_by_names(load):
    b = np.arange(6, dtype="f4")
    data = load("m.safetensors", saved(**{"fc.weight": X, "fc.bias": b, "hidden": Y}))
    np.testing.assert_array_equal(data.items, np.column_stack([X, b]))
    np.testing.assert_array_equal(data.queries, np.column_stack([Y, np.ones(9)]))
    assert data.logits
    kernel = load("k.safetensors", saved(**{"d.kernel": X.T.copy(), "d.bias": b}))
    np.testing.assert_array_equal(kernel.items, data.items)
    ids = load("i.safetensors", saved(embeddings=X, ids=np.arange(10, 16)))
    assert ids.labels == ["10", "11", "12", "13", "14", "15"]


def test_matrices_of_a_model_are_listed_and_chosen(tmp_path):
    path = tmp_path / "m.safetensors"
    path.write_bytes(saved(**{"e.embed_tokens.weight": X, "e.embed_positions.weight": Y}))
    with pytest.raises(UnsettledError, match=r"embed_positions.weight” \(9 × 4, float32\)"):
        read(path)
    data = read(path, Choices(array="e.embed_tokens.weight"))
    np.testing.assert_array_equal(data.items, X)
    assert data.m == 0


def test_a_tensor_without_a_name_is_read(load):
    np.testing.assert_array_equal(load("x.safetensors", saved(**{"": X})).items, X)


def test_numbers_not_known_are_no_table(refusal):
    content = raw({"x": entry("F4", (2, 2), 0, 2), "y": entry("C64", (1, 2), 2, 18)}, bytes(18))
    assert "“x” (2 × 2, F4), “y” (1 × 2, complex64)" in refusal("x.safetensors", content)


TWO = {"x": entry(), "y": entry(start=16, stop=32)}
BAD = [
    (saved(x=X)[:-1], "cut short: its header promises"),
    (saved(x=X)[:50], "cut short: its header takes"),
    (saved(x=X) + b"ab", "2 bytes after the last tensor"),
    (raw(b"{" + b" " * 9), "no JSON object"),
    (raw(b'{"x": 1'), "no JSON object"),
    (raw(b'{"x": "\xff"}'), "no JSON object"),
    (raw(b"{" + b'"a":{' * 5000), "no JSON object"),
    (raw(b'{"a":' + b"[" * 100_000), "no JSON object"),
    (raw(b'{"x": {}, "x": {}}'), "each name once"),
    (raw(b'{"x": {"dtype": "F32", "dtype": "F32"}}'), "each name once"),
    (raw(b'{"x": NaN}'), "no JSON object"),
    (raw({"x": 3}), "“x” has no sound dtype, shape and place"),
    (raw({"x": {"dtype": "F32", "shape": [2, 2]}}), "“x” has no sound"),
    (raw({"x": entry(dtype=3)}), "“x” has no sound"),
    (raw({"x": entry(shape=[2.0, 2])}), "“x” has no sound"),
    (raw({"x": entry(shape=[True, 4])}), "“x” has no sound"),
    (raw({"x": entry(shape=[-2, -2])}), "“x” has no sound"),
    (raw({"x": entry(shape=[10**30, 0])}), "“x” has no sound"),
    (raw({"x": entry(shape=[1] * 65)}), "“x” has no sound"),
    (raw({"x": entry(start=-16, stop=0)}), "“x” has no sound"),
    (raw({"x": {**entry(), "data_offsets": [0, 16, 32]}}), "“x” has no sound"),
    (raw({"x": entry(shape=[2, 3])}, bytes(16)), "“x” is said to be 2 × 3 numbers of F32 in 16"),
    (raw({"x": entry(start=16, stop=0)}, bytes(16)), "numbers of F32 in -16"),
    (raw({"x": entry("F4", start=16, stop=0)}, bytes(16)), "“x” leaves a gap"),
    (raw(TWO | {"y": entry(start=8, stop=24)}, bytes(24)), "“y” overlaps"),
    (raw(TWO | {"y": entry(start=0, stop=16)}, bytes(32)), "“y” overlaps"),
    (raw(TWO | {"y": entry(start=20, stop=36)}, bytes(36)), "“y” leaves a gap"),
    (raw({"x": entry(start=4, stop=20)}, bytes(20)), "“x” leaves a gap"),
    (raw({"x": entry(shape=[2**40, 2**20], stop=2**62)}), "cut short: its header promises 4,611"),
    (raw({}), "it is empty"),
    (raw({"__metadata__": {"a": "b"}}), "it is empty"),
    (raw({"x": entry(shape=[4])}, bytes(16)), "“x” (4, float32)"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_unsound_files_are_refused(refusal, content, words):
    assert words in refusal("bad.safetensors", content)


def test_what_the_library_refuses_is_refused():
    refused = [
        content for content, words in BAD if "it is empty" not in words and "(4" not in words
    ]
    for content in refused[:-1]:  # the last one is a claim
        with pytest.raises(safetensors.SafetensorError):
            safetensors.deserialize(content)


def test_limits_are_named(refusal, monkeypatch):
    content = saved(x=X, y=np.ones(3))
    long = (5 * 2**20).to_bytes(8, "little") + b"{" + bytes(99)
    assert "header of 5,242,880 bytes; the limit is 4,194,304" in refusal("h.safetensors", long)
    monkeypatch.setattr(limits, "MAX_ARRAYS", 1)
    assert "2 tensors; the limit is 1" in refusal("a.safetensors", content)
    monkeypatch.undo()
    monkeypatch.setattr(limits, "MAX_VALUES", 23)
    assert "24 numbers in the tensors taken; the limit is 23" in refusal("v.safetensors", content)


def test_progress_is_reported(tmp_path, monkeypatch):
    path = tmp_path / "x.safetensors"
    path.write_bytes(saved(x=np.ones((1000, 25), "f4")))
    monkeypatch.setattr(binary, "BLOCK", 30_000)
    shares = []
    safetensors_file.read(
        Source.of(path, progress=lambda share, *_: shares.append(share)), Choices()
    )
    assert len(shares) == 4
    assert shares[-1] == 1


@given(st.binary(min_size=1, max_size=30), st.integers(0, 300))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, at):
    whole = saved(x=X, y=np.ones(3))
    path = tmp_path_factory.mktemp("st") / "noise.safetensors"
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)


def test_a_file_that_shrinks_is_named(tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(saved(x=X))
    source = Source.of(path)
    path.write_bytes(saved(x=X)[:-9])
    with pytest.raises(DataError, match="ended in “x”"):
        safetensors_file.read(source, Choices())
