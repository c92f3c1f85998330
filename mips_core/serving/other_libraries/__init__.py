"""Indexes of other libraries, to be timed beside ours. A new one is one new file."""

from importlib import import_module
from pkgutil import iter_modules

from mips_core.serving.other_libraries.contract import (
    RIVALS,
    Rival,
    available,
    load,
    missing,
    version,
)

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
