"""Arrays and zips as NumPy and others write them."""

import io
import warnings
import zipfile

import numpy as np

X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)


def npz(save=np.savez, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def zipped(*members, method=zipfile.ZIP_STORED):
    """A zip of (name, bytes), whatever the names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names held twice
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()
