"""Bytes to arrays: one module a format, each imported here, so that a new one is one new file."""

from importlib import import_module
from pkgutil import iter_modules

from mips_core.readers.base import READERS, Rank, Reader, Source, Table, readable
from mips_core.readers.choices import Choices, Offers, RatingsFileError, UnsettledError
from mips_core.readers.reading import Understanding, read, read_queries, understand

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "READERS",
    "Choices",
    "Offers",
    "Rank",
    "RatingsFileError",
    "Reader",
    "Source",
    "Table",
    "Understanding",
    "UnsettledError",
    "read",
    "read_queries",
    "readable",
    "understand",
]
