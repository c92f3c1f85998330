"""Approximate maximum inner product search: indexes, their evaluation, and the data they run on.

The public names stand in __init__.pyi. Each is imported when it is first used, so that a process
which only reads files need not load the compiled parts.
"""

import lazy_loader

from mips_core.base import numba_cache

numba_cache.find_place()
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
