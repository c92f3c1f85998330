"""Vectors that change after an index was built: kept fresh, and when to build anew.

The paper's future work (Auvolat et al. 2015, section 7): changed and new vectors join the clusters
that are there (`updated`), the clusters go on from where they stood (`refreshed`), or all is built
again. `decay` says how long the first will do, `compare_versions` and `kept_fresh` what to do about
changes that have happened.
"""

from mips_core.studies.drift.advice import advice
from mips_core.studies.drift.changes import change_of
from mips_core.studies.drift.decay import Decay, Recipe, decay
from mips_core.studies.drift.tables import as_dict, rows
from mips_core.studies.drift.update import ROUNDS, can_update, check_can_update, refreshed, updated
from mips_core.studies.drift.upkeep import BUILDS, WAYS, Fresh, Way
from mips_core.studies.drift.versions import KeptFresh, Versions, compare_versions, kept_fresh
