"""What the Paper page asks, in a link."""

import pytest

from mips_core import ParamError
from pages._ui.state.links import changes_text, spec_of
from pages._ui.state.paper_state import PaperState


def test_a_link_holds_what_differs():
    state = PaperState(data="netflix", way="ours", figure="x-figure-2", claim=4)
    text = changes_text(state)
    assert text == "data=netflix,way=ours,figure=x-figure-2,claim=4"
    assert spec_of(PaperState(), text) == state


@pytest.mark.parametrize("values", [{"data": "imagenet"}, {"size": "huge"}, {"claim": -1}])
def test_what_cannot_be_is_refused(values):
    with pytest.raises(ParamError):
        PaperState(**values)
