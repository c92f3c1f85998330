"""Bytes to arrays: one module a format, each imported here, so that a new one is one new file."""

from importlib import import_module
from pkgutil import walk_packages

from mips_core.data.readers.choices import Choices, Offers, RatingsFileError, UnsettledError
from mips_core.data.readers.contract import READERS, Source, readable
from mips_core.data.readers.understanding import read, read_queries, understand

ORDER = ("npy", "parquet", "arrow", "vecs", "flat_binary", "foreign", "hdf5", "json", "matlab",
         "npz", "safetensors", "table", "vectors_text", "word2vec_binary")  # fmt: skip
"""In which readers are named, and asked where they are equally sure; new ones come last."""

for _module in walk_packages(__path__, f"{__name__}."):
    if ".in_child." not in _module.name:  # those load large libraries, in a process of their own
        import_module(_module.name)
for _key in sorted(READERS, key=lambda key: ORDER.index(key) if key in ORDER else len(ORDER)):
    READERS[_key] = READERS.pop(_key)
