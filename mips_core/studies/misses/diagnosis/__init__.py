"""Why an evaluated index misses what it misses, over all queries, read off its evaluation."""

from mips_core.studies.misses.diagnosis.causes import Cause, Contrast
from mips_core.studies.misses.diagnosis.diagnosis import Diagnosis
from mips_core.studies.misses.diagnosis.examined import Examined, diagnose, examine
from mips_core.studies.misses.diagnosis.group_losses import GroupLosses
from mips_core.studies.misses.diagnosis.more_effort import MoreEffort
from mips_core.studies.misses.diagnosis.query_losses import QueryLosses
from mips_core.studies.misses.diagnosis.rates import Rates
from mips_core.studies.misses.diagnosis.tables import as_dict, group_rows, query_rows, rate_rows

__all__ = [
    "Cause",
    "Contrast",
    "Diagnosis",
    "Examined",
    "GroupLosses",
    "MoreEffort",
    "QueryLosses",
    "Rates",
    "as_dict",
    "diagnose",
    "examine",
    "group_rows",
    "query_rows",
    "rate_rows",
]
