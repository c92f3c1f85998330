"""Measured evaluations kept under a name, shared as files, and held against each other."""

from mips_core.studies.runs.comparing import RunsCompared, Settled, difference_of
from mips_core.studies.runs.differing import Differing, SettingRow, differing
from mips_core.studies.runs.files import read_runs, save_runs
from mips_core.studies.runs.measuring import measure_runs
from mips_core.studies.runs.reaching import AtPrecision, AtSpeedup, common_speedup
from mips_core.studies.runs.run import Groups, Run, RunData, groups_of, unique_name

__all__ = [
    "AtPrecision",
    "AtSpeedup",
    "Differing",
    "Groups",
    "Run",
    "RunData",
    "RunsCompared",
    "SettingRow",
    "Settled",
    "common_speedup",
    "difference_of",
    "differing",
    "groups_of",
    "measure_runs",
    "read_runs",
    "save_runs",
    "unique_name",
]
