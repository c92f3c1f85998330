"""Every module in this folder is imported, so that a new index is one new file."""

from importlib import import_module
from pkgutil import iter_modules

from mips_core.indexes.base import (
    INDEXES,
    Candidates,
    Index,
    ListSearcher,
    NestedSearcher,
    Searcher,
    Step,
    register,
)

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "INDEXES",
    "Candidates",
    "Index",
    "ListSearcher",
    "NestedSearcher",
    "Searcher",
    "Step",
    "register",
]
