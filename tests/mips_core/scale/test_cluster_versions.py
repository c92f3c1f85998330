import pytest

from mips_core.base.errors import DataError
from mips_core.scale.cluster_versions import OF_ALL, OF_WORKERS, refuse_others

HAVE = {"python": "3.11.7.final.0", **dict.fromkeys(OF_WORKERS, "2.4.6"), "toolz": "1.0"}


def test_the_same_versions_are_taken_and_others_refused_by_name():
    here = {"packages": HAVE}
    refuse_others(here, "The worker", {"packages": {**HAVE, "toolz": "1.1"}}, OF_WORKERS)
    refuse_others(here, "It", {"packages": {**HAVE, "python": "3.11.9.final.0"}}, OF_WORKERS)
    for package, version in (("numpy", "2.4.5"), ("numba", None), ("dask", "1")):
        there = {"packages": {**HAVE, package: version}}
        with pytest.raises(DataError, match=f"The worker has {package} .*program 2.4.6"):
            refuse_others(here, "The worker", there, OF_WORKERS)
    with pytest.raises(DataError, match=r"has Python 3\.12, this program 3\.11"):
        refuse_others(here, "It", {"packages": {**HAVE, "python": "3.12.1"}}, OF_ALL)


def test_a_scheduler_computes_nothing_and_needs_no_numpy():
    there = {"packages": {**HAVE, "numpy": None, "numba": None}}
    refuse_others({"packages": HAVE}, "The scheduler", there, OF_ALL)
