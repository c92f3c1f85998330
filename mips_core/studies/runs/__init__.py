"""Measured evaluations kept under a name, shared as files, and held against each other."""

from mips_core.studies.runs.comparison import RunsCompared, common_speedup, difference_of
from mips_core.studies.runs.files import digest_of, read_runs, save_runs
from mips_core.studies.runs.measurement import measure_runs
from mips_core.studies.runs.run import Run, groups_of, unique_name
