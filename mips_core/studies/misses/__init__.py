"""Which true answers an index misses, where they lie, and why: over all queries and of one."""

from mips_core.studies.misses.answers import AnswersByEffort, answers_by_effort
from mips_core.studies.misses.contrasts import Boundary, boundary
from mips_core.studies.misses.diagnosis import Diagnosis, as_dict, group_rows, query_rows
from mips_core.studies.misses.efforts import MoreEffort, answer_counts, times_missed
from mips_core.studies.misses.examination import Examined, diagnose, examine
from mips_core.studies.misses.followed_search import FollowedSearch, follow, located
from mips_core.studies.misses.health import Health, health
from mips_core.studies.misses.rates import Rates
from mips_core.studies.misses.trail import walk
