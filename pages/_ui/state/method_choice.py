"""Which methods are compared: all there are, those seen first, those that must be seen."""

from mips_core import INDEXES, Dataset
from mips_core.figures.styles import METHODS

# What the paper compares.
DEFAULT_METHODS = ("flat-kmeans", "hierarchical-kmeans", "pca-tree", "srp-hash", "wta-hash")


def methods() -> list[str]:
    """Keys of what can be compared, in the order of pictures; exact search is always drawn."""
    return [key for key in METHODS if key in INDEXES and key != "exact"]


def baselines(source: Dataset) -> list[str]:
    """What must stand beside the other methods on this data, so that they are not praised for it.

    Where queries come with the items, as users do with what they rate, much of what a search gains
    is often just that it looks at long items first.
    """
    return ["largest-norm"] if source.m else []
