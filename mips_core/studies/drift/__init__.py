"""Vectors that change after an index was built: kept fresh, and when to build anew.

The paper's future work (Auvolat et al. 2015, section 7): changed and new vectors join the clusters
that are there (`updated`), the clusters go on from where they stood (`refreshed`), or all is built
again. `decay` says how long the first will do, `compare_versions` and `kept_fresh` what to do about
changes that have happened.
"""

from mips_core.studies.drift.advice import Advice, advice
from mips_core.studies.drift.change import Change, change_of
from mips_core.studies.drift.decay import Decay, Recipe, decay
from mips_core.studies.drift.measuring import WAYS, Fresh, Outcome, Way
from mips_core.studies.drift.tables import as_dict, rows
from mips_core.studies.drift.updating import (
    build_cost,
    can_update,
    check_can_update,
    refreshed,
    updated,
)
from mips_core.studies.drift.versions import KeptFresh, Versions, compare_versions, kept_fresh

__all__ = [
    "WAYS",
    "Advice",
    "Change",
    "Decay",
    "Fresh",
    "KeptFresh",
    "Outcome",
    "Recipe",
    "Versions",
    "Way",
    "advice",
    "as_dict",
    "build_cost",
    "can_update",
    "change_of",
    "check_can_update",
    "compare_versions",
    "decay",
    "kept_fresh",
    "refreshed",
    "rows",
    "updated",
]
