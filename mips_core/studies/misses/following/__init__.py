"""One search, followed over all efforts and step by step: what it opens, finds, loses and pays."""

from mips_core.studies.misses.following.answered import Answered, answered
from mips_core.studies.misses.following.places import Located, located
from mips_core.studies.misses.following.search import FollowedSearch, follow
from mips_core.studies.misses.following.walking import WalkStep, walk

__all__ = [
    "Answered",
    "FollowedSearch",
    "Located",
    "WalkStep",
    "answered",
    "follow",
    "located",
    "walk",
]
