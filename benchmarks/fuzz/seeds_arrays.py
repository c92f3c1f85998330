"""Seeds of formats of arrays with names and types: NumPy, SciPy, safetensors, HDF5, Arrow."""

import io
import json
import struct
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import h5py
import numpy as np
import pyarrow as pa
from pyarrow import ipc, parquet
from safetensors.numpy import save
from scipy import sparse

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 4)).astype(np.float32)
Q = RNG.normal(size=(3, 4)).astype(np.float32)
WORDS = np.array(["a", "bc", "d e", "é", "f", "g"])


def npy(array: Any, version: tuple[int, int] | None = None, objects: bool = False) -> bytes:
    """The bytes of a .npy."""
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asanyarray(array), version, allow_pickle=objects)
    return out.getvalue()


def zipped(*named: str | bytes, method: int = ZIP_DEFLATED) -> bytes:
    """A zip of name, content, name, content, …; of no time, so that it is the same each time."""
    out = io.BytesIO()
    with ZipFile(out, "w", method) as archive:
        for name, content in zip(named[::2], named[1::2], strict=True):
            archive.writestr(ZipInfo(str(name)), content, method)
    return out.getvalue()


def npz(method: int = ZIP_STORED, **arrays: Any) -> bytes:
    """The bytes of an .npz."""
    named = [(f"{name}.npy", npy(array, objects=True)) for name, array in arrays.items()]
    return zipped(*chain.from_iterable(named), method=method)


def written(write: Callable[[Path], Any]) -> bytes:
    """What `write` writes to a path."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        write(path)
        return path.read_bytes()


def old_npy() -> bytes:
    """As Python 2 wrote it: lengths with an L."""
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (6L, 4L), }"
    header += b" " * (-len(header) - 11 % 16) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + X.tobytes()


@seeds_for("npy")
def npy_seeds() -> list[Seed]:
    """Every version, order and dtype."""
    dtypes = ("<f4", ">f4", "<f2", ">f8", "<i1", "<u1", ">i4", "<i8", "?")
    kept = [npy((X * 9).astype(dtype)) for dtype in dtypes]
    kept += [npy(X, (2, 0)), npy(X, (3, 0)), npy(np.asfortranarray(X)), npy(X[:1]), old_npy()]
    kept += [npy(X) + b"more"]
    pairs = np.array([(1, 2.0)], [("x", "i4"), ("y", "f8")])
    ragged = np.array([[1], None], dtype=object)
    left = [npy(X[0]), npy(np.float32(1)), npy(X[None]), npy(X * 1j), npy(WORDS), npy(pairs),
            npy(np.zeros((0, 4))), npy(np.zeros((4, 0)))]  # fmt: skip
    return [
        *(seed("items.npy", content) for content in kept),
        *(refused("items.npy", content) for content in [*left, npy(ragged, objects=True)]),
        seed("items.npy", npy(X), "queries.npy", npy(Q)),
        seed("items.npy", npy(X), "labels.npy", npy(WORDS)),
    ]


@seeds_for("npz")
def npz_seeds() -> list[Seed]:
    """One array or several, told apart or not; a classifier layer."""
    layer = {"W": X, "b": X[:, 0], "H": Q}
    kept = [npz(x=X), npz(ZIP_DEFLATED, x=X), npz(items=X, queries=Q),
            npz(item_factors=X, user_factors=Q), npz(embeddings=X, labels=WORDS),
            npz(ZIP_DEFLATED, ids=np.arange(6), embeddings=np.asfortranarray(X)),
            npz(**layer), npz(**layer | {"W": X.T}),
            npz(x=X.astype(">f8"), notes=WORDS[:2])]  # fmt: skip
    left = [npz(), npz(a=X, b=X[:5, :3]), npz(x=X[0]), npz(x=WORDS),
            npz(x=np.array([None], dtype=object))]  # fmt: skip
    return [seed("a.npz", c) for c in kept] + [refused("a.npz", c) for c in left]


@seeds_for("sparse")
def sparse_seeds() -> list[Seed]:
    """SciPy's formats."""
    full = np.where(X > 0, X, 0)
    makes: list[Any] = [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix,
                        sparse.bsr_matrix, sparse.dia_matrix, sparse.csr_array]  # fmt: skip
    return [
        seed("sparse.npz", saved(make(full.astype(dtype)), method))
        for make in makes
        for dtype, method in (("f4", ZIP_DEFLATED), ("f8", ZIP_STORED), ("i4", ZIP_STORED))
    ]


def saved(matrix: Any, method: int) -> bytes:
    """What SciPy saves of a sparse matrix."""
    out = io.BytesIO()
    sparse.save_npz(out, matrix)
    with ZipFile(out) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    return zipped(*chain.from_iterable(members), method=method)


@seeds_for("safetensors")
def safetensors_seeds() -> list[Seed]:
    """Every dtype, bfloat16 and float8 too, several tensors, and metadata."""
    kept = [save({"weight": (X * 9).astype(dtype)})
            for dtype in ("f4", "f2", "f8", "i1", "u1", "i4", "i8", "?")]  # fmt: skip
    kept += [save({"embed.weight": X}, {"model": "é"}),
             save({"items": X, "queries": Q}), save({"fc.weight": X, "fc.bias": X[:, 0].copy()}),
             save({"ids": np.arange(6), "embeddings": X}), bfloat16()]  # fmt: skip
    left = [save({}), save({"a": X, "b": X[:5, :3].copy()}), save({"x": X[0].copy()})]
    return [seed("m.safetensors", c) for c in kept] + [refused("m.safetensors", c) for c in left]


def bfloat16() -> bytes:
    """A tensor of a dtype that NumPy has not."""
    data = (X.view(np.uint32) >> 16).astype("<u2").tobytes()
    entry = {"w": {"dtype": "BF16", "shape": list(X.shape), "data_offsets": [0, len(data)]}}
    header = json.dumps(entry).encode()
    return struct.pack("<Q", len(header)) + header + data


def hdf5(fill: Callable[[h5py.File], None], **how: Any) -> bytes:
    """The bytes of an HDF5 file that `fill` fills."""

    def write(path: Path) -> None:
        with h5py.File(path, "w", **how) as out:
            fill(out)

    return written(write)


def _benchmark(out: h5py.File) -> None:
    out["train"], out["test"] = X, Q
    out["neighbors"], out["distances"] = np.zeros((3, 2), "i4"), np.zeros((3, 2), "f4")
    out.attrs["distance"] = "angular"


def _nested(out: h5py.File) -> None:
    out["model/embeddings"] = X.astype(">f8")
    out["model/labels"] = [str(word).encode() for word in WORDS]
    out["model/mean"] = 1.0


def _chunked(out: h5py.File) -> None:
    out.create_dataset("x", data=X, chunks=(2, 2), compression="gzip", shuffle=True,
                       fletcher32=True, maxshape=(None, 4))  # fmt: skip


def _layer(out: h5py.File) -> None:
    out["weight"], out["bias"] = X.astype("f2"), X[:, 0]


def _linked(out: h5py.File) -> None:
    out["x"], out["far"] = X, h5py.ExternalLink("other.h5", "/x")
    out["loop"] = h5py.SoftLink("/")


def _virtual(out: h5py.File) -> None:
    space, how = h5py.h5s.create_simple((6, 4)), h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    how.set_virtual(space, b"other.h5", b"x", space)
    how.set_obj_track_times(False)  # as a virtual dataset made at a higher level does not
    h5py.h5d.create(out.id, b"x", h5py.h5t.IEEE_F32LE, space, how)


@seeds_for("hdf5")
def hdf5_seeds() -> list[Seed]:
    """The layout of ann-benchmarks, nested groups, chunks and filters, text, links."""
    return [
        seed("words.hdf5", hdf5(_benchmark)),
        seed("words.h5", hdf5(_nested)),
        seed("x.h5", hdf5(_chunked)),
        seed("layer.h5", hdf5(_layer)),
        seed("layer.hdf5", hdf5(_layer, libver="latest")),
        seed("linked.h5", hdf5(_linked)),
        refused("virtual.h5", hdf5(_virtual)),
    ]


def frames() -> list[pa.Table]:
    """Lists, fixed lists, columns of numbers, ids and labels."""
    lists = pa.array(X.tolist(), pa.list_(pa.float32()))
    words = pa.array(WORDS.tolist())
    return [
        pa.table({"embedding": lists}),
        pa.table({"title": words, "v": pa.FixedSizeListArray.from_arrays(X.ravel(), 4)}),
        pa.table({f"f{j}": X[:, j] for j in range(4)}),
        pa.table({"id": range(6), "x": X[:, 0].astype("f2"), "y": X[:, 1].astype("f8")}),
        pa.table({"word": words.dictionary_encode(), "v": lists.cast(pa.large_list(pa.float64()))}),
    ]


@seeds_for("parquet")
def parquet_seeds() -> list[Seed]:
    """As pyarrow writes it by default, and in the oldest way, in several groups of rows."""
    old = {"compression": "gzip", "version": "1.0", "use_dictionary": False, "row_group_size": 2}
    found = []
    for table in frames():
        for how in ({}, old):
            out = io.BytesIO()
            parquet.write_table(table, out, **how)
            found.append(seed("a.parquet", out.getvalue()))
    return found


@seeds_for("arrow")
def arrow_seeds() -> list[Seed]:
    """Files and streams, plain and compressed (as Feather is)."""
    found = []
    packed = ipc.IpcWriteOptions(compression="lz4")
    for i, table in enumerate(frames()):
        options = packed if i % 2 else ipc.IpcWriteOptions()
        for name, open_file in (("a.arrow", ipc.new_file), ("a.arrows", ipc.new_stream)):
            out = io.BytesIO()
            with open_file(out, table.schema, options=options) as writer:
                writer.write_table(table, max_chunksize=4)
            found.append(seed(name, out.getvalue()))
    return found
