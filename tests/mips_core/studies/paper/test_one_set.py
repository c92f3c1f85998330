"""One data set: measured in steps, taken from the shelf where it is there."""

import numpy as np
import pytest

from mips_core import Cancelled
from mips_core.base.progress import silent
from mips_core.studies.paper.one_set import OneSet
from mips_core.studies.paper.units import UnitFolder
from tests.mips_core.studies.paper.paper_cases import data, few


def test_a_run_that_is_stopped_goes_on_and_measures_nothing_twice(tmp_path, monkeypatch):
    few(monkeypatch)
    fractions, messages = [], []

    def stop(fraction, message, partial=None):
        fractions.append(fraction)
        messages.append(message)
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(OneSet(data(), UnitFolder(tmp_path), quick=True).run(stop))
    assert fractions == sorted(fractions)
    assert messages[0] == "Few words · Flat k-means"  # which data and method, at every report
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert before
    steps = list(OneSet(data(), UnitFolder(tmp_path), quick=True).run(silent))
    after = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert {name: after[name] for name in before} == before
    assert [len(step.sums) for step in steps] == sorted(len(step.sums) for step in steps)
    monkeypatch.setattr("mips_core.studies.paper.one_set.truth_of", None)  # not looked for again
    (*_, again) = OneSet(data(), UnitFolder(tmp_path), quick=True).run(silent)
    for name, sums in steps[-1].sums.items():
        assert np.array_equal(sums.hits, again.sums[name].hits, equal_nan=True), name
    assert again.rounds == steps[-1].rounds
