"""No damaged or foreign file is taken for an index: each is refused, in words."""

import io
import pickle

import numpy as np
import pytest
import safetensors.numpy

from mips_core import (
    load,
    save,
)
from mips_core.base.errors import DataError
from mips_core.serving.store.tensors import BEGINNING, DIGITS, START
from tests.mips_core.serving.store.built_indexes import built, data
from tests.mips_core.serving.store.crafted_files import (
    ITEMS,
    content_of,
    refusal,
    resigned,
    stored,
    with_header,
)


def test_a_bit_that_changes_anywhere_is_seen():
    """1,000 bits, those of the length, the checksum, the header and its padding among them."""
    content = content_of(stored())
    header = START + int.from_bytes(content[:START], "little")
    assert content[header - 1 : header] == b" "
    rng = np.random.default_rng(0)
    bits = [
        *range(8 * START),
        *rng.integers(8 * (START + DIGITS.start), 8 * (START + DIGITS.stop), 200),
        *range(8 * (header - 1), 8 * header),
        *rng.integers(0, 8 * header, 300),
    ]
    bits += rng.integers(8 * header, 8 * len(content), 1000 - len(bits)).tolist()
    for bit in bits:
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        words = refusal(bytes(changed))
        assert any(why in words for why in ("damaged", "cut short", "of this program")), words
    assert load(io.BytesIO(content)).n == 80


def test_a_file_that_is_cut_short_or_longer_is_refused():
    content = content_of(stored())
    for length in (*range(START + DIGITS.stop, len(content), 211), len(content) - 1):
        assert "cut short" in refusal(content[:length])
    for length in (0, 7, 8, 20):
        assert "is not an index file of this program" in refusal(content[:length])
    assert "damaged" in refusal(content + b"\0")


def test_foreign_files_are_named_as_such(tmp_path):
    foreign = safetensors.numpy.save({"items": ITEMS}, metadata={"format": "pt"})
    assert "a safetensors file, but not an index" in refusal(foreign)
    assert "is not an index file" in refusal(b"IxFI" + bytes(400))  # of faiss
    assert "is not an index file" in refusal(b"PK\3\4" + bytes(400))
    with pytest.raises(DataError, match=r"nothing\.mips cannot be read: No such file"):
        load(tmp_path / "nothing.mips")
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path)


def test_nothing_in_a_file_is_run(tmp_path):
    class Bad:
        def __reduce__(self):
            return (open, (str(tmp_path / "was run"), "w"))

    assert "is not an index file" in refusal(pickle.dumps(Bad()))
    assert not (tmp_path / "was run").exists()


def test_a_newer_format_is_told_from_damage():
    content = content_of(stored())
    assert resigned(content, b"a", b"a") == content
    newer = resigned(content, b'"version":"1"', b'"version":"2"')
    assert "made by a newer version (MIPS Explorer" in refusal(newer)
    assert "its format is 2, the newest read here is 1" in refusal(newer)
    assert "damaged" in refusal(newer[:-1] + b"x")
    assert "unknown version" in refusal(resigned(content, b'"version":"1"', b'"version":"x"'))
    other = {"made_by": "a\n\ud800" * 99, "version": "3"}
    words = refusal(with_header(content, other))
    assert "made by a newer version (a ?a " in words
    assert (words.count("\n"), len(words) < 300) == (0, True)
    assert "unknown version" in refusal(with_header(content, {"version": "9" * 5000}))


@pytest.mark.parametrize("shape", [[0, 2**62], [0, 2**70], [2**40, 0, 2**40], [0] * 99, [2**80]])
def test_arrays_that_cannot_be_are_refused_before_they_are_made(shape):
    content = content_of(stored())
    end = len(content) - START - int.from_bytes(content[:START], "little")
    more = {"dtype": "F32", "shape": shape, "data_offsets": [end, end]}
    assert "is damaged" in refusal(with_header(content, more=more))


def test_the_checksum_stands_where_the_format_says():
    content = content_of(stored())
    assert content[START:].startswith(BEGINNING)
    digits = content[START + DIGITS.start : START + DIGITS.stop].decode()
    assert digits == digits.lower()
    assert int(digits, 16) > 0


def test_other_programs_read_the_arrays(tmp_path):
    _, _, dataset = data()
    stored = built(dataset)
    save(tmp_path / "a.mips", stored)
    arrays = safetensors.numpy.load_file(tmp_path / "a.mips")
    assert np.array_equal(arrays["items"], dataset.items)
    level = stored.structure.levels[0]
    assert np.array_equal(arrays["structure.levels.0.centroids"], level.centroids)
    with safetensors.safe_open(tmp_path / "a.mips", "numpy") as file:
        assert file.metadata()["format"] == "mips-explorer-index"


def test_the_same_index_makes_the_same_bytes(tmp_path):
    _, _, dataset = data()
    for name in ("a", "b"):
        save(tmp_path / name, built(dataset))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_one_that_does_not_fit_into_memory_is_refused_in_words(monkeypatch):
    def full(*args, **options):
        raise MemoryError

    content = content_of(stored())
    monkeypatch.setattr(np, "empty", full)
    assert refusal(content) == "The file does not fit into memory."
