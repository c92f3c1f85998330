"""A whole run: 17 claims on every data set, and the scale."""

import pytest

from mips_core import ParamError
from mips_core.studies.paper.run import PaperResult, run_paper
from mips_core.studies.paper.units import UnitFolder
from tests.mips_core.studies.paper.paper_cases import data, whole


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
