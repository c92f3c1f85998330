"""Bytes to arrays: one module a format, each imported here, so that a new one is one new file."""

from importlib import import_module
from pkgutil import iter_modules

from mips_core.readers.base import READERS, Rank, Reader, Source, Table, readable
from mips_core.readers.reading import read, read_queries

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["READERS", "Rank", "Reader", "Source", "Table", "read", "read_queries", "readable"]
