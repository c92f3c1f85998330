"""What Map is asked: what is selected is in no link and no comparison."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import ParamError
from pages._ui.state.links import changes_text
from pages._ui.state.map_state import MapState, Marked


def test_a_selection_changes_neither_the_link_nor_equality():
    state = MapState(layout="pca", focus=3)
    marked = replace(state, marked=Marked("items", np.arange(5), False), focused=("level", 1))
    assert marked == state
    assert changes_text(marked) == changes_text(state) == "layout=pca,focus=3"


@pytest.mark.parametrize("wrong", [{"layout": "tsne"}, {"level": 31}, {"focus": -2}])
def test_what_is_not_declared_is_refused(wrong):
    with pytest.raises(ParamError):
        MapState(**wrong)
