"""Files that hold no vectors are named for what they are."""

import io
import pickle
import zipfile

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import read


def zipped(*members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for member in members:
            archive.writestr(member, "content")
    return file.getvalue()


NOISE = np.random.default_rng(0).bytes(2000)
FAISS = (2**20).to_bytes(8, "little") * 2
CASES = [
    ("page.npy", "<!DOCTYPE html><html>quota</html>", "web page"),
    ("page.txt", "\n <HTML lang=en>", "web page"),
    ("x.npy", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n", "git lfs pull"),
    ("book.xlsx", zipped("[Content_Types].xml", "xl/workbook.xml"), "Excel workbook"),
    ("book.csv", zipped("xl/workbook.xml"), "Excel workbook"),
    ("book.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE, "Excel"),
    ("model.pt", zipped("archive/data.pkl"), "PyTorch"),
    ("cut.zip", zipped("glove.6B.50d.txt")[:-20], "ZIP archive"),
    ("array.pkl", pickle.dumps(np.eye(3)), "pickle"),
    ("array.npy", pickle.dumps([1, 2]), "pickle"),
    ("old.pkl", pickle.dumps([1.5, 2.5], protocol=0), "pickle"),
    ("cc.en.bin", b"\xba\x16\x4f\x2f\x0c\0\0\0" + NOISE, "fastText model"),
    ("paper.pdf", b"%PDF-1.7\n" + NOISE, "PDF"),
    ("plot.png", b"\x89PNG\r\n\x1a\n" + NOISE, "image"),
    ("x.tar", NOISE[:257] + b"ustar" + NOISE, "tar archive"),
    ("x.zst", b"\x28\xb5\x2f\xfd" + NOISE, "Zstandard"),
    ("x.h5", b"\x89HDF\r\n\x1a\n" + NOISE, "HDF5"),
    ("u.data", "1\t2\t5\t880000000\n1\t3\t5\t880000001\n2\t2\t1\t880000002\n2\t3\t1\t88000003\n",
     "ratings"),
    ("ratings.csv", "userId,movieId,rating\n1,2,5\n1,3,4\n", "ratings"),
    ("ratings.dat", "1::2::5::880000000\n1::3::5::880000000\n", "ratings"),
    ("old.bin", pickle.dumps({"a": [1.5]}, protocol=0), "pickle"),
    ("old1.bin", pickle.dumps({"a": [1.5]}, protocol=1), "pickle"),
    ("x.sav", b"$FL2@(#) SPSS DATA FILE" + NOISE, "SPSS"),
    ("x.dta", b"<stata_dta><header>" + NOISE, "Stata"),
    ("x.sas7bdat", b"\0" * 12 + b"\xc2\xea\x81\x60" + NOISE, "SAS"),
    ("x.mat", b"\0\0\0\0\x14\0\0\0" + NOISE, "MATLAB"),
    ("x.orc", b"ORC\x0a" + NOISE, "ORC"),
    ("x.avro", b"Obj\x01" + NOISE, "Avro"),
    ("x.duckdb", NOISE[:8] + b"DUCK" + NOISE, "DuckDB"),
    ("x.tflite", b"\x1c\0\0\0TFL3" + NOISE, "TensorFlow Lite"),
    ("x.onnx", b"\x08\x07\x12\x07pytorch" + NOISE, "ONNX"),
    ("x.pb", b"\x0a\x20" + NOISE, "TensorFlow"),
    ("x.ckpt.data-00000-of-00001", NOISE, "TensorFlow"),
    ("x.tfrecord", NOISE, "TFRecord"),
    ("x.Z", b"\x1f\x9d\x90" + NOISE, "compressed"),
    ("x.npy.lzma", b"\x5d\0\0\x80\0" + NOISE, "lzma"),
    ("empty.zip", zipped(), "empty ZIP"),
    *((f"{kind.decode()}.index", kind + b"\x10" + b"\0" * 11 + FAISS + NOISE, "faiss")
      for kind in (b"IxFI", b"Iwrq", b"IPfs", b"Ix9z")),
    ("bits.index", b"IBxF\x80\0\0\0\x10\0\0\0" + NOISE, "faiss"),
    ("dump.sql", "-- a dump\nINSERT INTO items VALUES (0, '[0.1,0.2]');\n", "SQL"),
    ("dump.txt", "/*!40101 SET NAMES utf8 */;\nCREATE TABLE t (a int);\n", "SQL"),
    ("words.txt", "{'alder': [0.1, 0.2],\n 'birch': [0.3, 0.4]}\n", "Python"),
    ("m.mtx", "%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 3\n", "Matrix Market"),
    ("x.arff", "% iris\n\n@RELATION iris\n@ATTRIBUTE a REAL\n@DATA\n5.1\n", "ARFF"),
    ("denied.csv", '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code>', "error message"),
    ("print.txt", str(np.random.default_rng(0).normal(size=(4, 3))), "prints"),
    ("repr.txt", repr(np.random.default_rng(0).normal(size=(4, 3))), "prints"),
    ("half.txt", "a 0.1 0.2\nb 0.3 0.4\n".encode("utf-16-le"), "UTF-16"),
    ("half.csv", "a,b\n0.1,0.2\n".encode("utf-16-be"), "UTF-16"),
    ("accents.csv", "größe,maß\n0.1,0.2\n".encode("utf-16-le"), "UTF-16"),
    ("long.csv", "a,b\n0.1,0.2\n".encode("utf-32"), "UTF-32"),
    ("noise.bin", b"\xfe\xdc" + NOISE, "does not hold what its name says"),
    ("noise.xyz", b"\xfe\xdc" + NOISE, "no format known"),
    ("noise.npy", b"\xfe\xdc" + NOISE, "damaged"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "words"), CASES, ids=[case[0] for case in CASES])
def test_it_is_named_for_what_it_is(refusal, name, content, words):
    assert words in refusal(name, content)


def test_what_can_be_read_now_is_said(refusal):
    found = refusal("noise.xyz", b"\xfe\xdc" + NOISE)
    for words in ("CSV", "Parquet", "HDF5", "safetensors", "JSON", ".npy", "fvecs", ".zip"):
        assert words in found


def test_a_pickle_is_never_opened(refusal):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("the pickle was opened",))

    assert "pickle" in refusal("bomb.pkl", pickle.dumps(Bomb()))


@pytest.mark.parametrize("name", ["x.bin", "x.dat", "x.f32", "x.raw", "x.npy"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i4"])
def test_raw_numbers_are_said_to_have_no_shape(refusal, name, dtype):
    numbers = (np.random.default_rng(0).normal(size=(50, 16)) * 100).round(1).astype(dtype)
    numbers.flat[0] = 0
    found = refusal(name, numbers.tobytes())
    assert name == "x.npy" or all(word in found for word in ("raw numbers", "shape", "fromfile"))


def test_a_long_comment_is_soon_looked_through(refusal):
    assert "no vectors" in refusal("x.txt", "% \n" * 20_000)


@pytest.mark.parametrize("kind", ["Flat", "IDMap2,Flat", "SQ8", "LSH", "PCA4,Flat", "IVF4,Flat"])
def test_the_advice_for_a_faiss_index_gives_its_vectors(tmp_path, kind):
    faiss = pytest.importorskip("faiss", reason="faiss is not installed")
    X = np.random.default_rng(0).normal(size=(200, 8)).astype(np.float32)
    index = faiss.index_factory(8, kind)
    index.train(X)
    index.add(X) if "IDMap" not in kind else index.add_with_ids(X, np.arange(200))
    faiss.write_index(index, str(tmp_path / "x.index"))
    with pytest.raises(DataError, match="faiss index") as caught:
        read(tmp_path / "x.index")
    if kind == "Flat":
        assert "index.reconstruct_n(0, index.ntotal) with numpy.save" in caught.value.remedy
        index = faiss.read_index(str(tmp_path / "x.index"))
        np.save(tmp_path / "x.npy", index.reconstruct_n(0, index.ntotal))
        np.testing.assert_array_equal(read(tmp_path / "x.npy").items, X)
