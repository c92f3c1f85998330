"""Approximate maximum inner product search: indexes, their evaluation, and the data they run on."""

from mips_core.curve import Curve, frontier
from mips_core.dataset import Dataset
from mips_core.errors import Cancelled, DataError, MipsError, ParamError
from mips_core.evaluate import Evaluation, compare, evaluate
from mips_core.exact import exact_top_k
from mips_core.indexes import INDEXES, Candidates, Index, NestedSearcher, Searcher, Step
from mips_core.readers import read
from mips_core.reductions import PadToSphere, PaperAugment, Plain, Reduction
from mips_core.search import search
from mips_core.seeds import rng_for
from mips_core.truth import Truth, truth_of

__all__ = [
    "INDEXES",
    "Cancelled",
    "Candidates",
    "Curve",
    "DataError",
    "Dataset",
    "Evaluation",
    "Index",
    "MipsError",
    "NestedSearcher",
    "PadToSphere",
    "PaperAugment",
    "ParamError",
    "Plain",
    "Reduction",
    "Searcher",
    "Step",
    "Truth",
    "compare",
    "evaluate",
    "exact_top_k",
    "frontier",
    "read",
    "rng_for",
    "search",
    "truth_of",
]
