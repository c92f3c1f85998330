"""Approximate maximum inner product search: indexes, their evaluation, and the data they run on.

Each name is imported when it is first used, so that a process which only reads files need not load
the compiled parts.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from mips_core.base import numba_cache

_MODULES = {
    "studies.wall_clock": ("Clock",),
    "groups.clusters": ("GroupLevel", "Moved", "describe", "moved", "outlines_of"),
    "evaluation.curve": ("Curve", "frontier"),
    "data.dataset": ("Dataset",),
    "studies.misses.diagnosis": ("Diagnosis", "Examined", "diagnose", "examine"),
    "studies.comparison": ("Compared", "Difference", "compare_at_precision", "compare_at_speedup"),
    "studies.drift": (
        "Decay",
        "KeptFresh",
        "Updated",
        "Versions",
        "change_of",
        "compare_versions",
        "decay",
        "kept_fresh",
        "refreshed",
        "updated",
    ),
    "base.errors": ("Cancelled", "DataError", "MipsError", "ParamError"),
    "evaluation.evaluate": ("Evaluation", "compare", "evaluate"),
    "methods.exact": ("exact_top_k",),
    "serving.faiss_export": ("faiss_file", "faiss_index", "faiss_snippet"),
    "studies.misses.following": ("FollowedSearch", "follow", "walk"),
    "methods.indexes": (
        "INDEXES",
        "Candidates",
        "Index",
        "ListSearcher",
        "NestedSearcher",
        "Searcher",
        "Step",
    ),
    "data.metrics": ("searched_by",),
    "studies.misses": ("Health", "answer_counts", "health", "times_missed"),
    "studies.noise": ("NoisyQueries", "UnderNoise", "noisy_queries", "under_noise"),
    "data.open_files": ("Opened", "open_files"),
    "groups.projection": ("Layout", "ProjectionRecipe", "project", "trustworthiness"),
    "data.ratings": ("Factored", "RatingChoices", "Ratings", "factored", "read_ratings"),
    "data.readers": ("Choices", "read"),
    "methods.reductions": ("PadToSphere", "PaperAugment", "Plain", "Reduction"),
    "studies.runs": (
        "Run",
        "RunsCompared",
        "difference_of",
        "measure_runs",
        "read_runs",
        "save_runs",
    ),
    "studies.growth": ("Scaling", "measure_scaling"),
    "report": ("Report", "report_of"),
    "serving.fast_search": ("Retriever", "retriever_of"),
    "methods.search": ("search",),
    "base.seeds": ("rng_for",),
    "evaluation.setting": ("Setting",),
    "serving.store": ("StoredIndex", "load", "save", "stored_index"),
    "evaluation.truth": ("Truth", "truth_of"),
    "studies.tuning": (
        "Budget",
        "Need",
        "Tried",
        "Tuned",
        "Within",
        "cheapest",
        "most_precise",
        "tune",
    ),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_HOME)


class _Package(ModuleType):
    """The package. Where a function has the name of its module, the name means the function."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        vars(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        imported = isinstance(value, ModuleType) and name in _HOME  # by the import of a submodule
        if not imported:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *__all__})


numba_cache.find_place()
sys.modules[__name__].__class__ = _Package
