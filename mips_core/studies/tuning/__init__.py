"""The cheapest setting that holds a precision, or the most precise within a budget.

Settings are ordered on one half of the queries and tested on the other, so that what is promised
was not chosen by luck. `cheapest` keeps a promise, `most_precise` a budget; `tune` is a whole run.
"""

from mips_core.studies.tuning.further import further
from mips_core.studies.tuning.precision import Tuned, cheapest
from mips_core.studies.tuning.run import tune
from mips_core.studies.tuning.trials import Budget, Need, Trial, Verdict
from mips_core.studies.tuning.within import Within, most_precise

__all__ = [
    "Budget",
    "Need",
    "Trial",
    "Tuned",
    "Verdict",
    "Within",
    "cheapest",
    "further",
    "most_precise",
    "tune",
]
