"""Searches timed by the clock, at equal precision, beside what the ledger of inner products says.

Ours, those of other libraries and exact search answer the same queries on the same items in one
run, in turns, so that a busy machine is busy for all of them.
"""

from mips_core.studies.wall_clock.run import clock
from mips_core.studies.wall_clock.timings import WAYS, Clock, Timed
from mips_core.studies.wall_clock.wording import in_words, remarks
