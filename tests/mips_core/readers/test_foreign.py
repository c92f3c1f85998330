"""Files that hold no vectors are named for what they are."""

import io
import pickle
import zipfile

import numpy as np
import pytest


def zipped(*members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for member in members:
            archive.writestr(member, "content")
    return file.getvalue()


NOISE = np.random.default_rng(0).bytes(2000)
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
    ("x.zst", b"\x28\xb5\x2f\xfd" + NOISE, "compressed"),
    ("x.h5", b"\x89HDF\r\n\x1a\n" + NOISE, "HDF5"),
    ("u.data", "1\t2\t5\t880000000\n1\t3\t5\t880000001\n2\t2\t1\t880000002\n2\t3\t1\t88000003\n",
     "ratings"),
    ("ratings.csv", "userId,movieId,rating\n1,2,5\n1,3,4\n", "ratings"),
    ("ratings.dat", "1::2::5::880000000\n1::3::5::880000000\n", "ratings"),
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
