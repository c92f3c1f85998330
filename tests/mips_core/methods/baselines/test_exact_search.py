"""Exact search: every item for every query, at a speedup of 1."""

import numpy as np
import pytest

from mips_core import INDEXES, rng_for
from mips_core.methods.baselines.exact_search import AllItems, ExactSearch
from mips_core.methods.soundness import UnsoundError


def test_it_proposes_every_item_and_nothing_else_does(items, queries):
    structure = ExactSearch().build(items, rng_for(0))
    assert structure.n == len(items)
    searcher = ExactSearch().searcher(structure)
    found = searcher.candidates(queries, 1, 1)
    assert found.cost.tolist() == [len(items)] * len(queries)
    assert found.ids.reshape(len(queries), -1).tolist() == [list(range(len(items)))] * len(queries)
    wanted = np.array([[0, -1]])
    assert searcher.sweep(queries[:1], wanted)[0].tolist() == [[0, 1]]
    searchers = {k: cls().searcher(cls().build(items, rng_for(0))) for k, cls in INDEXES.items()}
    assert [key for key, one in searchers.items() if one.takes_all] == ["exact"]


def test_of_another_number_of_items_it_is_refused():
    AllItems(5).check(5, 3)
    with pytest.raises(UnsoundError, match="it searches 5 items, not 6"):
        AllItems(5).check(6, 3)
