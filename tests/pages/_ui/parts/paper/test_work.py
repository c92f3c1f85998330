"""What the Paper page measures, and where it is kept."""

import numpy as np
import pytest

from mips_core.studies.paper.presets import PRESETS
from pages._ui.parts.paper import work
from pages._ui.parts.paper.work import RememberedUnits, paper_of
from pages._ui.state.paper_state import PaperState
from pages._ui.state.session import usual
from tests.pages.conftest import small_dataset


def session(**values):
    one = usual(small_dataset(), "small")
    one.states["paper"] = PaperState(**values)
    return one


def test_what_is_chosen_names_the_work():
    tasks = [paper_of(session()), paper_of(session(size="full")), paper_of(session(data="own"))]
    assert len({task.key for task in tasks}) == 3
    assert paper_of(session(way="ours", claim=3)).key == tasks[0].key


def test_units_in_memory_are_those_of_one_owner():
    made = []

    def make():
        made.append(1)
        return {"hits": np.zeros(2)}

    for private in ("", "", "key"):
        RememberedUnits(None, private).get(("a", 1), make)
    assert len(made) == 2


@pytest.mark.usefixtures("earlier_store")
def test_units_are_files_where_anything_is_kept():
    assert work._shelf(session()).folder == work.cache_folder() / "paper"


def test_all_experiments_are_those_of_the_presets(monkeypatch):
    monkeypatch.setattr(work, "preset_data", lambda name, quick: (name, quick))
    sets = work._sets("all", small_dataset(), True, lambda *told: None)
    assert sets == [(name, True) for name in PRESETS]
