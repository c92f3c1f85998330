"""Every module beside and below this one is imported, so that a new index is one new file."""

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from mips_core.methods.contract import INDEXES, Index, register
from mips_core.methods.searcher import Candidates, ListSearcher, NestedSearcher, Searcher, Step

for _module in walk_packages([str(Path(__file__).parent)], f"{__package__}."):
    if _module.name != __name__:
        import_module(_module.name)
_by_key = sorted(INDEXES.items())
INDEXES.clear()
INDEXES.update(_by_key)  # one order, whatever folder each stands in
