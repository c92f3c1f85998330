"""The cheapest setting that holds a precision, or the most precise within a budget.

Settings are ordered on one half of the queries and tested on the other, so that what is promised
was not chosen by luck. `cheapest` keeps a promise, `most_precise` a budget; `tune` is a whole run.
"""

from mips_core.evaluation.builder import Tried
from mips_core.studies.tuning.budget import Within, most_precise
from mips_core.studies.tuning.promise import Tuned, cheapest
from mips_core.studies.tuning.run import further, tune
from mips_core.studies.tuning.trials import Budget, Need, Trial
from mips_core.studies.tuning.wording import as_dict, in_words
