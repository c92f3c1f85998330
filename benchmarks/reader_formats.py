"""Formats that benchmarks/readers.py measures: a file as people have it, and the obvious call."""

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mips_core.base.arrays import Matrix

Write = Callable[[Path, Matrix], Any]
Load = Callable[[Path], Any]


@dataclass(frozen=True)
class Format:
    """A format, the library call it is set beside, and how much of the rows it is tried with."""

    name: str
    file: str
    write: Write
    library: str
    load: Load | None  # None: there is none, or it is not installed
    share: float = 1.0
    ratings: bool = False


def words(n: int) -> list[str]:
    """A word a row."""
    return [f"word{i}" for i in range(n)]


def _table(X: Matrix) -> pd.DataFrame:
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    table.insert(0, "title", words(len(X)))
    return table


def _text(path: Path, X: Matrix, header: bool = False) -> None:
    with path.open("w") as file:
        if header:
            file.write(f"{len(X)} {X.shape[1]}\n")
        for word, row in zip(words(len(X)), X, strict=True):
            file.write(f"{word} {' '.join(f'{x:.5g}' for x in row)}\n")


def _word2vec(path: Path, X: Matrix) -> None:
    with path.open("wb") as file:
        file.write(f"{len(X)} {X.shape[1]}\n".encode())
        for word, row in zip(words(len(X)), X, strict=True):
            file.write(f"{word} ".encode() + row.tobytes())


def _vecs(path: Path, X: Matrix) -> None:
    rows = np.empty((len(X), X.shape[1] + 1), np.float32)
    rows[:, 0] = np.array([X.shape[1]], np.int32).view(np.float32)
    rows[:, 1:] = X
    rows.tofile(path)


def _fbin(path: Path, X: Matrix) -> None:
    path.write_bytes(np.array(X.shape, np.uint32).tobytes() + X.tobytes())


def _hdf5(path: Path, X: Matrix) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file["train"], file["test"] = X, X[:1]


def _load_hdf5(path: Path) -> Any:
    import h5py

    with h5py.File(path) as file:
        return file["train"][:], file["test"][:]


def _arrow(X: Matrix) -> Any:
    import pyarrow as pa

    return pa.table(
        {"title": words(len(X)), "v": pa.FixedSizeListArray.from_arrays(X.ravel(), X.shape[1])}
    )


def _parquet(path: Path, X: Matrix) -> None:
    from pyarrow import parquet

    parquet.write_table(_arrow(X), path)


def _load_parquet(path: Path) -> Any:
    from pyarrow import parquet

    table = parquet.read_table(path)
    column = table["v"].combine_chunks()
    return column.flatten().to_numpy().reshape(len(column), -1), table["title"].to_pylist()


def _feather(path: Path, X: Matrix) -> None:
    from pyarrow import feather

    feather.write_feather(_arrow(X), path, compression="uncompressed")


def _load_feather(path: Path) -> Any:
    from pyarrow import feather

    column = feather.read_table(path)["v"].combine_chunks()
    return column.flatten().to_numpy().reshape(len(column), -1)


def _safetensors(path: Path, X: Matrix) -> None:
    from safetensors.numpy import save_file

    save_file({"embeddings": X}, path)


def _load_safetensors(path: Path) -> Any:
    from safetensors.numpy import load_file

    return load_file(path)


def _objects(X: Matrix) -> list[dict[str, Any]]:
    rounded = np.round(X.astype(float), 5).tolist()
    return [{"id": w, "embedding": row} for w, row in zip(words(len(X)), rounded, strict=True)]


def _lines(path: Path, X: Matrix) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in _objects(X)))


def _load_lines(path: Path) -> Any:
    with path.open() as file:
        return np.array([json.loads(line)["embedding"] for line in file], np.float32)


def _load_json(path: Path) -> Any:
    return np.array([one["embedding"] for one in json.loads(path.read_text())], np.float32)


def _sparse(path: Path, X: Matrix) -> None:
    from scipy import sparse

    sparse.save_npz(path, sparse.csr_matrix(np.where(X > 1, X, 0)))


def _load_sparse(path: Path) -> Any:
    from scipy import sparse

    return sparse.load_npz(path).toarray()


def _gensim(binary: bool) -> Load | None:
    if find_spec("gensim") is None:
        return None

    def load(path: Path) -> Any:
        from gensim.models import KeyedVectors

        return KeyedVectors.load_word2vec_format(str(path), binary=binary).vectors

    return load


def _gzipped(write: Write) -> Write:
    def packed(path: Path, X: Matrix) -> None:
        write(path, X)
        path.write_bytes(gzip.compress(path.read_bytes(), 1))

    return packed


def _load_gzipped_npy(path: Path) -> Any:
    with gzip.open(path) as file:
        return np.load(file)


def _triples(X: Matrix) -> pd.DataFrame:
    """As many ratings as X has numbers, of a twentieth as many users."""
    rng = np.random.default_rng(1)
    count = X.size
    return pd.DataFrame(
        {
            "userId": np.sort(rng.integers(1, 2 + count // 20, count)),
            "movieId": rng.zipf(1.3, count) % 20_000,
            "rating": rng.integers(1, 11, count) / 2,
            "timestamp": rng.integers(800_000_000, 1_600_000_000, count),
        }
    )


def _dat(path: Path, X: Matrix) -> None:
    path.write_text(_triples(X).to_csv(index=False, header=False, sep="|").replace("|", "::"))


def _read_text(path: Path) -> Any:
    return pd.read_csv(path, sep=" ", header=None, quoting=3, na_filter=False)


FORMATS: Sequence[Format] = (
    Format("npy", "x.npy", np.save, "numpy.load", np.load),
    Format("npy, float64", "x.npy", lambda path, X: np.save(path, X.astype(float)), "numpy.load",
           lambda path: np.load(path).astype(np.float32)),
    Format("npz, deflated", "x.npz", lambda path, X: np.savez_compressed(path, x=X), "numpy.load",
           lambda path: np.load(path)["x"]),
    Format("npy.gz", "x.npy.gz", _gzipped(lambda path, X: _save(path, X)), "gzip + numpy.load",
           _load_gzipped_npy),
    Format("CSV with titles", "x.csv", lambda path, X: _table(X).to_csv(path, index=False),
           "pandas.read_csv", lambda path: pd.read_csv(path), 0.2),
    Format("TSV of numbers", "x.tsv", lambda path, X: np.savetxt(path, X, "%.5g", "\t"),
           "numpy.loadtxt", lambda path: np.loadtxt(path, np.float32), 0.2),
    Format("GloVe text", "glove.txt", _text, "pandas.read_csv", _read_text, 0.2),
    Format("word2vec text", "x.vec", lambda path, X: _text(path, X, True), "gensim",
           _gensim(False), 0.2),
    Format("word2vec binary", "x.bin", _word2vec, "gensim", _gensim(True)),
    Format("fvecs", "x.fvecs", _vecs, "numpy.fromfile",
           lambda path: _from_vecs(np.fromfile(path, np.float32))),
    Format("fbin", "x.fbin", _fbin, "numpy.fromfile",
           lambda path: np.fromfile(path, np.float32, offset=8)),
    Format("safetensors", "x.safetensors", _safetensors, "safetensors", _load_safetensors),
    Format("SciPy sparse", "x.npz", _sparse, "scipy.sparse", _load_sparse),
    Format("HDF5", "x.hdf5", _hdf5, "h5py", _load_hdf5),
    Format("Parquet", "x.parquet", _parquet, "pyarrow", _load_parquet),
    Format("Feather", "x.feather", _feather, "pyarrow", _load_feather),
    Format("JSON lines", "x.jsonl", _lines, "json.loads", _load_lines, 0.2),
    Format("JSON", "x.json", lambda path, X: path.write_text(json.dumps(_objects(X))),
           "json.loads", _load_json, 0.2),
    Format("ratings.csv", "ratings.csv", lambda path, X: _triples(X).to_csv(path, index=False),
           "pandas.read_csv", lambda path: pd.read_csv(path), 0.1, ratings=True),
    Format("ratings.dat", "ratings.dat", _dat, "pandas.read_csv",
           lambda path: pd.read_csv(path, sep="::", engine="python", header=None), 0.02,
           ratings=True),
)  # fmt: skip


def _save(path: Path, X: Matrix) -> None:
    with path.open("wb") as file:
        np.save(file, X)


def _from_vecs(values: np.ndarray) -> np.ndarray:
    d = int(values[:1].view(np.int32)[0])
    return values.reshape(-1, d + 1)[:, 1:].copy()
