"""Vectors as text and as .npy, packed in every way."""

import bz2
import gzip
import io
import lzma
import zipfile

import numpy as np

X = np.random.default_rng(0).normal(size=(6, 4)).round(4).astype(np.float32)
TEXT = "\n".join(f"w{i} " + " ".join(f"{v:.4f}" for v in row) for i, row in enumerate(X)).encode()
PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()
