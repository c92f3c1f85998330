"""What pages ask: each page has one state, as it is before anything was chosen."""

import pytest

from mips_core import ParamError
from pages._ui.state.links import changes_text
from pages._ui.state.page_states import STATES, DriftState, TuneState, default_states


def test_every_default_is_said_by_no_word_of_a_link():
    states = default_states()
    assert set(states) == set(STATES)
    assert {changes_text(state) for state in states.values()} == {""}


def test_what_a_page_remembers_for_itself_is_in_no_link():
    assert changes_text(TuneState(search=object())) == ""
    assert changes_text(DriftState(rounds=7, upload=("file",), round=3)) == "rounds=7"


@pytest.mark.parametrize(("page", "wrong"), [("robustness", {"sigma": 9.0}),
                                             ("tune", {"known": "nothing"}),
                                             ("drift", {"rounds": 0})])  # fmt: skip
def test_values_beyond_their_bounds_are_refused(page, wrong):
    with pytest.raises(ParamError):
        STATES[page](**wrong)
