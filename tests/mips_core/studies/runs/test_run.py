"""Names and notes of runs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import ParamError
from mips_core.studies.runs import unique_name
from mips_core.studies.runs.run import MAX_NAME


@pytest.mark.parametrize(("name", "note"), [("", ""), (" ", ""), ("x" * 81, ""), ("x", "y" * 2001)])
def test_a_name_or_note_that_cannot_be_is_refused(runs, name, note):
    with pytest.raises(ParamError):
        replace(runs[0], name=name, note=note)


@given(st.lists(st.sampled_from(["a", "a (2)", "x" * MAX_NAME]), max_size=8))
def test_names_are_made_unique_and_stay_short(names):
    taken = []
    for name in names:
        taken.append(unique_name(name, taken))
    assert len(set(taken)) == len(taken)
    assert all(len(name) <= MAX_NAME for name in taken)
