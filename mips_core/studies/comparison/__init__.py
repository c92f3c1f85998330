"""Two methods held against each other, at one speedup and over several builds."""

from mips_core.studies.comparison.methods import (
    Compared,
    ScoredBuilds,
    as_set,
    compare_at_precision,
    compare_at_speedup,
    compared,
    rival_of,
)
from mips_core.studies.comparison.paired import FEWEST_SEEDS, Difference, difference
