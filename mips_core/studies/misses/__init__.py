"""Which items are true answers, which are missed, and which groups of an index miss them."""

from mips_core.studies.misses.counts import answer_counts, missed, times_missed
from mips_core.studies.misses.groups import Health, health
from mips_core.studies.misses.nearness import Boundary, boundary, nearness_to_boundary

__all__ = [
    "Boundary",
    "Health",
    "answer_counts",
    "boundary",
    "health",
    "missed",
    "nearness_to_boundary",
    "times_missed",
]
