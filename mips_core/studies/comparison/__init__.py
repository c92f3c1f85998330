"""Two methods held against each other, at one speedup and over several builds."""

from mips_core.studies.comparison.methods import (
    Compared,
    ScoredBuilds,
    compare_at_precision,
    compare_at_speedup,
    compared,
)
from mips_core.studies.comparison.paired import FEWEST_SEEDS, Difference, difference
