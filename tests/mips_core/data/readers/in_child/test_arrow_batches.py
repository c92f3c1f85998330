"""Files that are locked or damaged, in every container."""

from base64 import b64encode

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyarrow.parquet import encryption

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import read
from tests.mips_core.data.readers.in_child.arrow_writing import (
    WORDS,
    WRITERS,
    X,
    lists,
    parsed,
)


class Keys(encryption.KmsClient):
    """Keeps keys as they are."""

    def __init__(self, connection):
        super().__init__()

    def wrap_key(self, key, name):
        return b64encode(key)


@pytest.mark.parametrize("plaintext_footer", [True, False])
def test_encrypted_parquet_is_named(tmp_path, plaintext_footer):
    columns = pa.table({"v": lists(X)})
    chosen = encryption.EncryptionConfiguration(
        "a key", column_keys={"b key": ["v.list.element"]}, plaintext_footer=plaintext_footer
    )
    locked = encryption.CryptoFactory(Keys).file_encryption_properties(
        encryption.KmsConnectionConfig(), chosen
    )
    path = tmp_path / "x.parquet"
    with parquet.ParquetWriter(path, columns.schema, encryption_properties=locked) as writer:
        writer.write_table(columns)
    with pytest.raises(DataError, match="encrypted"):
        read(path)


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_damage_anywhere_ends_in_words_or_in_data(arrow_file, suffix):
    path = arrow_file({"v": lists(np.tile(X, (20, 1))), "title": WORDS * 20}, suffix)
    whole = path.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(40):
        content = bytearray(whole)
        for place in rng.integers(8, len(content), 3):
            content[place] ^= 1 << rng.integers(0, 8)
        path.write_bytes(content[: rng.integers(8, len(whole) * 2)])
        try:
            told = parsed(path).offers.array
        except DataError as error:
            told = error.found
        except MemoryError:
            told = path.name  # told in the child, where memory is bounded
        assert len(told) == 1 or path.name in told  # a name may be what was damaged


def test_numbers_that_grow_out_of_proportion_are_refused_while_they_are_decoded(
    tmp_path, monkeypatch
):
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table({"v": lists(np.zeros((5000, 400), np.float32))}), path)
    assert parsed(path).vectors.shape == (5000, 400)  # small, however much it grew
    monkeypatch.setattr(limits, "SMALL_UNPACKED_BYTES", 2**20)
    with pytest.raises(DataError, match=r"times when unpacked, to . MB; the limit is 200 times"):
        parsed(path)
    array = np.random.default_rng(0).normal(size=(5000, 400)).astype(np.float32)
    parquet.write_table(pa.table({"v": lists(array)}), path)
    assert parsed(path).vectors.shape == (5000, 400)
