"""Files of either kind: what they are taken for, and what a person may say instead."""

import io
import json
import subprocess
import sys
import tracemalloc
import zipfile
from textwrap import dedent
from time import process_time

import h5py
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from safetensors.numpy import save_file

from mips_core.base.errors import DataError
from mips_core.data.open_files import open_files
from mips_core.data.readers import RatingsFileError
from mips_core.data.readers.choices import Choices, RatingChoices

TRIPLES = "user,item,score\n" + "".join(
    f"{u},{i},{1 + (3 * u + 2 * i) % 5}\n" for u in range(6) for i in range(5)
)
MATRIX = "userId,m1,m2,m3,m4\n" + "".join(
    f"{u},{u % 5},{1 + u * u % 5},{2 + u * 7 % 4},{u % 3}\n" for u in range(9)
)


@pytest.fixture
def put(tmp_path):
    def put(name, content):
        (tmp_path / name).write_text(content)
        return tmp_path / name

    return put


def test_what_looks_like_ratings_may_be_vectors(put, tmp_path):
    path = put("scores.csv", TRIPLES)
    assert open_files(path).ratings.n_ratings == 30
    opened = open_files(path, kind="vectors")
    assert opened.ratings is None
    assert (opened.dataset.n, opened.dataset.d) == (30, 2)
    assert opened.may_be_ratings
    columns = {"user": range(6), "item": [0.5] * 6, "score": [1.5] * 6}
    parquet.write_table(pa.table(columns), tmp_path / "scores.parquet")
    assert open_files(tmp_path / "scores.parquet", kind="vectors").dataset.n == 6
    matrix = put("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 3\n")
    with pytest.raises(RatingsFileError):
        open_files(matrix, kind="vectors")


def test_what_looks_like_vectors_may_be_ratings(put):
    path = put("m.csv", MATRIX)
    opened = open_files(path)
    assert opened.may_be_ratings
    assert opened.ratings is None
    ratings = open_files(path, kind="ratings").ratings
    assert (ratings.n_users, ratings.n_items, ratings.offers.layout) == (9, 4, "user")
    one_a_line = RatingChoices(layout="rating", user="m4", item="m1", value="m3")
    ratings = open_files(path, rating_choices=one_a_line, kind="ratings").ratings
    assert (ratings.n_items, ratings.offers.layout) == (5, "rating")


def test_vectors_with_labels_and_fractions_are_no_ratings(put):
    rows = np.random.default_rng(0).normal(size=(6, 5)).tolist()
    lines = [",".join(map(str, [f"w{i}", *row])) for i, row in enumerate(rows)]
    path = put("words.csv", "\n".join(["word,a,b,c,d,e", *lines]))
    assert not open_files(path).may_be_ratings


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("names", [("ids", "vector"), ("text", "ids", "score", "vector")])
def test_a_list_beside_the_vectors_never_stands_for_them_wherever_a_file_is_cut(put, names, indent):
    rows = [
        {"text": f"t{i}", "ids": [5 + i, 3 + i], "score": 0.5, "vector": [i + 0.5, 0.25, 0.125]}
        for i in range(2)
    ]
    lines = [json.dumps({name: row[name] for name in names}, indent=indent) for row in rows]
    whole = "\n".join(lines)
    for length in range(5, len(whole)):
        try:
            opened = open_files([put("cut.jsonl", whole[:length])], Choices(skip_bad=True))
        except DataError:
            continue
        items = opened.dataset.items.tolist()
        assert items == [row["vector"] for row in rows][: len(items)], whole[:length]


N, D = 5_000_000, 100  # as float32 2 GB


def npy_header():
    file = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": (N, D)}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue()


def archive(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in members.items():
            made.writestr(f"{name}.npy", content)
    return file.getvalue()


def of_numpy(*values):
    file = io.BytesIO()
    np.save(file, np.array(*values))
    return file.getvalue()


def sparse():
    """A matrix of zeros in scipy's layout."""
    none = of_numpy([], "f4"), of_numpy([], "i4")
    rows = {"format": of_numpy(b"coo"), "shape": of_numpy([N, D]), "data": none[0]}
    return archive(**rows, row=none[1], col=none[1])


def safetensors():
    tensor = {"dtype": "F32", "shape": [N, D], "data_offsets": [0, 4 * N * D]}
    header = json.dumps({"x": tensor}).encode()
    return len(header).to_bytes(8, "little") + header


def matlab():
    """MATLAB 5: a header, and a matrix of single floats whose numbers are to follow."""
    name = np.array([1, 1], "<i4").tobytes() + b"x".ljust(8, b"\0")
    about = np.array([6, 8, 7, 0, 5, 8, N, D], "<i4").tobytes() + name
    about += np.array([7, 4 * N * D], "<i4").tobytes()
    begins = np.array([14, len(about) + 4 * N * D], "<i4").tobytes()
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + begins + about


def hdf5():
    """Chunks of which none was written."""
    file = io.BytesIO()
    with h5py.File(file, "w", libver="latest") as made:
        made.create_dataset("x", (N, D), "f4", chunks=(1024, D), compression="gzip")
    return file.getvalue()


DECLARING = {
    "big.npy": npy_header,
    "big.npz": lambda: archive(x=npy_header()),
    "sparse.npz": sparse,
    "big.safetensors": safetensors,
    "big.fbin": lambda: np.array([N, D], np.int32).tobytes(),
    "big.f16bin": lambda: np.array([2 * N, D], np.int32).tobytes(),
    "big.u8bin": lambda: np.array([4 * N, D], np.int32).tobytes(),
    "big.bin": lambda: f"{N} {D}\n".encode(),
    "big.fvecs": lambda: np.int32(N * D).tobytes(),
    "big.bvecs": lambda: np.int32(4 * N * D).tobytes(),
}
IN_CHILD = {"big.mat": matlab, "big.h5": hdf5}  # whose process must start, which takes longer


def write_declaring(name, folder):
    """The path of a kilobyte or so whose header promises 2 GB of numbers."""
    content = {**DECLARING, **IN_CHILD}[name]()
    path = folder / name
    path.write_bytes(content.ljust(1024 if name in DECLARING else 0, b"\0"))
    assert path.stat().st_size < 2048
    return path


@pytest.mark.parametrize("name", DECLARING)
def test_a_kilobyte_that_declares_2_gb_is_refused_at_once(name, tmp_path):
    path = write_declaring(name, tmp_path)
    small = tmp_path / f"small{path.suffix}"
    small.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DataError):  # what is imported at first is not counted
        open_files([small], kind="vectors")
    tracemalloc.start()
    began = process_time()
    try:
        with pytest.raises(DataError):
            open_files([path], kind="vectors")
        seconds, peak = process_time() - began, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seconds < 0.1
    assert peak < 50e6


@pytest.mark.parametrize("name", IN_CHILD)
def test_a_process_that_parses_a_promise_of_2_gb_takes_little_for_it(name, tmp_path):
    script = """
        import resource, sys
        from mips_core.base.errors import DataError
        from mips_core.data.open_files import open_files

        sizes = []
        for path in sys.argv[1:]:
            try:
                open_files([path], kind="vectors")
            except DataError as error:
                print(error, file=sys.stderr)
            sizes.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        print(*sizes)
    """
    path = write_declaring(name, tmp_path)
    small = tmp_path / f"small{path.suffix}"
    small.write_bytes(path.read_bytes()[:-1])
    command = [sys.executable, "-c", dedent(script), str(small), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert len(done.stderr.splitlines()) == 2
    before, after = map(int, done.stdout.split())
    assert after - before < 50_000  # kB, beside what the parser is itself


def parquet_of(X, path):
    lists = pa.array(list(X), pa.list_(pa.float16()))
    parquet.write_table(pa.table({"embedding": lists}), path)


def hdf5_of(X, path):
    with h5py.File(path, "w") as file:
        file["train"] = X


HALVES = {
    "x.npz": lambda X, path: np.savez(path, items=X, queries=X[:3].astype(np.float64)),
    "x.safetensors": lambda X, path: save_file({"x": X}, path),
    "x.parquet": parquet_of,
    "x.h5": hdf5_of,
    "x.npy": lambda X, path: np.save(path, X.astype(">f2")),
}


@pytest.mark.parametrize("name", HALVES)
@given(seed=st.integers(0, 999))
@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_float16_of_any_format_may_be_kept_and_is_the_same_numbers(name, seed, tmp_path):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(20, 6)) * 2.0 ** rng.integers(-20, 12, (20, 1))).astype(np.float16)
    HALVES[name](X, tmp_path / name)
    whole, kept = (
        open_files(tmp_path / name, Choices(keep_float16=keep), kind="vectors")
        for keep in (False, True)
    )
    assert (whole.offers.float16, kept.offers.float16) == (True, True)
    assert (whole.dataset.items.dtype, kept.dataset.items.dtype) == (np.float32, np.float16)
    assert kept.dataset.queries.dtype == np.float32
    np.testing.assert_array_equal(kept.dataset.items, whole.dataset.items)
    np.testing.assert_array_equal(kept.dataset.items, X)
    assert kept.dataset.fingerprint == whole.dataset.fingerprint
    assert kept.dataset.query_fingerprint == whole.dataset.query_fingerprint
    assert kept.dataset.notes == whole.dataset.notes
