"""A whole run: 17 claims on every data set, and the scale."""

import pytest

from mips_core import ParamError
from mips_core.studies.paper import run
from mips_core.studies.paper.run import PaperResult, run_paper
from mips_core.studies.paper.units import UnitFolder
from tests.mips_core.studies.paper.paper_cases import data, users, whole


def test_every_claim_is_judged_on_every_data_set():
    result = whole()
    assert result.done
    for name in ("Few words", "Few users"):
        numbers = [one.claim.number for one in result.judgements if one.data == name]
        assert numbers == list(range(1, 18))
    assert [one.claim.number for one in result.judgements[34:]] == [12]
    judged = [c for one in result.judgements for c in (*one.conditions, one.mean) if c is not None]
    assert result.comparisons == len(judged)
    assert not PaperResult((), None, quick=True).done


def test_two_data_sets_of_one_name_are_refused():
    with pytest.raises(ParamError, match="Two data sets have one name"):
        run_paper([data(), data()], UnitFolder(None))


def test_the_bar_never_goes_back(monkeypatch):
    class Measured:
        def __init__(self, data, *more):
            self.part = whole().sets[data.own_queries]

        def run(self, progress):
            for fraction in (0.2, 0.5, 1.0):
                progress(fraction, "")
                yield self.part

    told = []
    monkeypatch.setattr(run, "OneSet", Measured)
    monkeypatch.setattr(run, "_scale", lambda *more: whole().scale)
    monkeypatch.setattr(run, "judged", lambda views: (whole().judgements, 1))
    run_paper([data(), users()], UnitFolder(None), True, lambda at, *more: told.append(at))
    assert told == sorted(told)
    assert told[-1] == 1
