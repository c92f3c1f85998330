"""Seeds of packed files, and of files that are not vectors."""

import bz2
import gzip
import lzma
import pickle
from zipfile import ZIP_STORED

import numpy as np

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for
from benchmarks.fuzz.seeds_arrays import X, npy, npz, zipped
from benchmarks.fuzz.seeds_binary import word2vec
from benchmarks.fuzz.seeds_tables import csv, frame
from benchmarks.fuzz.seeds_text import LABELS, lines


@seeds_for("unpack")
def packed_seeds() -> list[Seed]:
    """gzip, bzip2, xz and zip of a few formats; several members; packed twice."""
    inner = {"w.txt": lines(["a", "b", "c", "d", "e", "f"]).encode(), "x.npy": npy(X),
             "t.csv": csv(frame(), index=False).encode(),
             "w.bin": word2vec(True, [b"a", b"b", b"c", b"d", b"e", b"f"])}  # fmt: skip
    found: list[Seed] = []
    for name, content in inner.items():
        found += [
            seed(f"{name}.gz", gzip.compress(content, mtime=0)),
            seed(f"{name}.bz2", bz2.compress(content)),
            seed(f"{name}.xz", lzma.compress(content)),
            seed("a.zip", zipped(name, content)),
        ]
    bomb = bytes(3_000_000)
    return [
        *found,
        seed("w.txt.gz", gzip.compress(inner["w.txt"][:60], mtime=0)
             + gzip.compress(inner["w.txt"][60:], mtime=0)),
        seed("two.zip", zipped("vectors.tsv", lines(cut="\t"), "metadata.tsv", "\n".join(LABELS))),
        seed("stored.zip", zipped("x.npy", inner["x.npy"], method=ZIP_STORED)),
        refused("twice.gz", gzip.compress(gzip.compress(inner["w.txt"], mtime=0), mtime=0)),
        refused("bomb.txt.gz", gzip.compress(bomb, mtime=0)),
        refused("bomb.txt.bz2", bz2.compress(bomb)),
        refused("bomb.txt.xz", lzma.compress(bomb)),
        refused("empty.zip", zipped()),
        refused("folder.zip", zipped("folder/", b"")),
    ]  # fmt: skip


@seeds_for("foreign")
def foreign_seeds() -> list[Seed]:
    """The beginnings of what people give by mistake."""
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n"
    page = "<!DOCTYPE html><html><head><title>Quota exceeded</title></head></html>"
    sheet = zipped("[Content_Types].xml", "<x/>", "xl/workbook.xml", "<x/>")
    model = zipped("archive/data.pkl", pickle.dumps(1), "archive/version", "3")
    named: dict[str, bytes | str] = {
        "v.npy": pointer, "v.txt": page, "v.xml": "<?xml version='1.0'?><a/>", "v.xlsx": sheet,
        "m.pt": model, "p.pkl": pickle.dumps([1.0, "a"]), "q.pkl": pickle.dumps([1], 0),
        "d.pdf": b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n", "i.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "i.jpg": b"\xff\xd8\xff\xe0\0\x10JFIF", "a.7z": b"7z\xbc\xaf\x27\x1c\0\4",
        "f.bin": b"\xba\x16\x4f\x2f\x0c\0\0\0" + bytes(40), "g.gguf": b"GGUF\3\0\0\0" + bytes(20),
        "s.sqlite": b"SQLite format 3\0" + bytes(90), "m.mtx": "%%MatrixMarket matrix\n1 1 1\n",
        "t.tar": bytes(257) + b"ustar\x0000" + bytes(248),
        "m.mat": b"MATLAB 5.0 MAT-file" + bytes(99),
        "e.exe": b"MZ\x90\0" + bytes(60), "o.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99),
        "z.zst": b"\x28\xb5\x2f\xfd\x04\0", "x.bin": bytes(range(256)), "e.npz": b"\0" * 50,
        "r.csv": "userId,movieId,rating\n1,2,3\n", "empty.txt": b"", "space.txt": " \n \n",
    }  # fmt: skip
    layer = npz(weight=X, bias=X[:, 0], hidden=np.ones((2, 4), "f4"))
    return [*(refused(name, content) for name, content in named.items()), seed("l.npz", layer)]
