"""Vectors written by the tools people use are read to the last bit; text to its last digit."""

import warnings

import numpy as np
import pandas as pd
import pytest

from mips_core.data.readers import read

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # gensim's own, at import
    from gensim.models import KeyedVectors

N, D = 40, 7
X = np.random.default_rng(0).normal(size=(N, D)).astype(np.float32)
WORDS = [f"word{i}" for i in range(N - 4)] + ["Señor", "ice cream", "日本", "007"]


@pytest.fixture(scope="module")
def keyed():
    vectors = KeyedVectors(D)
    vectors.add_vectors(WORDS, X)
    return vectors


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2"])
def test_gensim_word2vec(tmp_path, keyed, binary, suffix):
    path = tmp_path / f"v.{'bin' if binary else 'txt'}{suffix}"
    keyed.save_word2vec_format(str(path), binary=binary)
    data = read(path)
    np.testing.assert_array_equal(data.items, X)
    order = [WORDS.index(word) for word in data.labels]
    assert order == list(range(N))


def test_gensim_vocabulary_beside_a_matrix(tmp_path, keyed):
    np.save(tmp_path / "vectors.npy", keyed.vectors)
    (tmp_path / "vocab.txt").write_text("\n".join(keyed.index_to_key))
    data = read([tmp_path / "vectors.npy", tmp_path / "vocab.txt"])
    np.testing.assert_array_equal(data.items, X)
    assert list(data.labels) == WORDS


def frame():
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(D)])
    table.insert(0, "word", WORDS)
    return table


WRITERS = {
    "csv": lambda table, path: table.to_csv(path, index=False),
    "csv with its index": lambda table, path: table.to_csv(path),
    "tsv": lambda table, path: table.to_csv(path, index=False, sep="\t"),
    "csv of other countries": lambda table, path: table.to_csv(
        path, index=False, sep=";", decimal=","
    ),
    "csv.gz": lambda table, path: table.to_csv(path, index=False, compression="gzip"),
    "parquet": lambda table, path: table.to_parquet(path),
    "feather": lambda table, path: table.to_feather(path),
    "json": lambda table, path: table.to_json(path, orient="records", double_precision=15),
    "jsonl": lambda table, path: table.to_json(
        path, orient="records", lines=True, double_precision=15
    ),
}


def lists():
    return pd.DataFrame({"word": WORDS, "embedding": X.tolist()})


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("make", [frame, lists])
def test_pandas(tmp_path, kind, make):
    if make is lists and kind == "csv of other countries":
        pytest.skip("lists have decimal points whatever the table has")
    path = tmp_path / f"v.{kind.split()[0]}"
    WRITERS[kind](make(), path)
    data = read(path)
    np.testing.assert_allclose(data.items, X, rtol=2e-7)
    assert list(data.labels) == WORDS


def test_numpy_as_text(tmp_path):
    np.savetxt(tmp_path / "v.txt", X)
    np.savetxt(tmp_path / "v.csv", X, delimiter=",", header="a table")
    for name in ("v.txt", "v.csv"):
        np.testing.assert_array_equal(read(tmp_path / name).items, X)
