"""Readers are known once, named in one order, and asked the surest first."""

from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.fuzz.seeds import SEEDS
from mips_core.base.errors import DataError
from mips_core.data.readers import READERS, readable
from mips_core.data.readers.contract import (
    HEAD_BYTES,
    Rank,
    Source,
    damage_told,
    recognise,
    register,
)

ROOT = Path(__file__).parents[4]


def source(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return Source.of(path)


@pytest.mark.parametrize("key", READERS)
def test_a_reader_has_all_that_belongs_to_it(key):
    reader = READERS[key]
    module = reader.read.__module__
    assert reader.rank == Rank.TEXT or not reader.matches(b"", ""), (
        f"{key} takes an empty file for its own"
    )
    assert all(s.startswith(".") and s == s.lower() for s in reader.suffixes), (
        f"suffixes of {key} are written in lower case, with their dot"
    )
    assert import_module(module).__doc__, f"{module} says nothing of its format"
    folder, _, name = module.rpartition(".")
    test = ROOT / "tests" / folder.replace(".", "/") / f"test_{name}.py"
    assert test.exists(), f"{key} has no test: write {test.relative_to(ROOT)}"
    assert key in SEEDS, f"{key} has no seeds: add them with @seeds_for in benchmarks/fuzz/seeds_*"


def test_formats_are_named_in_one_order_and_those_not_read_are_not():
    assert readable().startswith(
        "Read are: NumPy .npy, Parquet, Arrow and Feather, fvecs and bvecs, fbin, u8bin and i8bin, "
        "HDF5, JSON and JSON Lines, MATLAB .mat, NumPy .npz, safetensors, CSV and TSV tables, "
        "word2vec, GloVe or fastText text, word2vec .bin"
    )
    assert readable().endswith("; each also in .gz, .bz2, .xz or .zip.")


def test_each_key_is_taken_once():
    reader = next(iter(READERS.values()))
    with pytest.raises(ValueError, match=f"two readers are called {reader.key}"):
        register(reader)


def test_the_surest_reader_that_fits_is_taken(tmp_path):
    assert recognise(source(tmp_path, "x.csv", b"\x93NUMPY")).key == "npy"  # content before name
    assert recognise(source(tmp_path, "x.npy", b"1,2\n3,4\n")).key == "table"
    ranks = [reader.rank for reader in READERS.values() if reader.key in ("npy", "table")]
    assert ranks == [Rank.MAGIC, Rank.SEPARATED]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x.safetensors", "does not hold what its name says, safetensors."),
        ("x.what", "is no format known here. Read are: NumPy .npy, "),
    ],
)
def test_what_nobody_knows_is_refused_with_what_to_do(tmp_path, name, words):
    with pytest.raises(DataError) as caught:
        recognise(source(tmp_path, name, b"\0\1\2\3" * 9))
    assert words in str(caught.value)
    assert "numpy.fromfile" in caught.value.remedy


def test_a_source_knows_its_names_its_beginning_and_how_far_it_was_read(tmp_path):
    seen = []
    of_words = source(tmp_path, "Words.Vec.GZ", bytes(HEAD_BYTES + 1))
    assert (of_words.stem, of_words.plain_name) == ("Words", "words.vec")
    assert (len(of_words.head), of_words.size) == (HEAD_BYTES, HEAD_BYTES + 1)
    told = Source.of(of_words.path, "a", lambda share, message, partial=None: seen.append(share))
    told.reached(told.size // 2)
    told.reached(2 * told.size)
    assert seen == [pytest.approx(0.5, abs=1e-4), 1.0]


def test_damage_is_told_and_refusals_and_want_of_memory_pass(tmp_path):
    damaged = pytest.raises(DataError, match=r"x is an X that is damaged or cut short\.")
    with damaged, damage_told("x is an X", (OSError,)):
        raise BlockingIOError
    for error in (DataError("Mine."), MemoryError(), KeyError()):
        with pytest.raises(type(error)) as caught, damage_told("x is an X", (OSError, ValueError)):
            raise error
        assert caught.value is error
