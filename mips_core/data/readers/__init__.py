"""Bytes to arrays: one module a format, each imported here, so that a new one is one new file."""

from importlib import import_module
from pkgutil import walk_packages

from mips_core.data.readers.choices import Choices, Offers, RatingsFileError, UnsettledError
from mips_core.data.readers.contract import READERS, Rank, Reader, Source, Table, readable
from mips_core.data.readers.reading import Understanding, read, read_queries, understand

_modules = [module.name for module in walk_packages(__path__, f"{__name__}.")]
for _name in sorted(_modules, key=lambda name: name.rpartition(".")[2]):
    if ".in_child." not in _name:  # those load large libraries, in a process of their own
        import_module(_name)

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
