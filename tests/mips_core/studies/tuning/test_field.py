"""What counts as useful, and what misses nothing by its nature."""

import pytest

from mips_core import INDEXES, evaluate, rng_for, truth_of
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.tuning import Need, cheapest, tune
from mips_core.studies.tuning.wording import in_words
from tests.mips_core.studies.tuning.tuning_cases import GRID, K, dataset, tried


def test_settings_that_save_nothing_are_no_answer_but_exact_search_is():
    without = cheapest(tried(), K, Need(1.0))
    assert without.chosen is None
    assert without.queries_needed is None
    assert "Only exact search can promise 1" in in_words(without)
    given_it = cheapest(tried((*GRID, ExactSearch())), K, Need(1.0))
    assert given_it.chosen.setting.index == ExactSearch()
    assert given_it.chosen.interval == (1.0, 1.0)
    assert "as many inner products as exact search (900)" in in_words(given_it)
    assert "which is certain" in in_words(given_it)


@pytest.mark.parametrize("key", [key for key, cls in INDEXES.items() if cls.complete])
def test_what_calls_itself_complete_misses_nothing_at_its_last_effort(key):
    for n in (1, 2, 300):
        data = dataset(m=30, n=n, d=3)
        index = INDEXES[key]()
        searcher = index.searcher(index.build(data.items, rng_for(0)))
        curve = evaluate(index, searcher, truth_of(data), 0, K=K).curve((K,))
        assert curve.precision(K)[-1] == 1.0


def test_an_exact_tree_is_an_answer_where_it_saves():
    data = dataset(n=900, d=2, m=60)
    tuned = tune(data, [IPTree()], K, Need(1.0), refine=False)
    assert tuned.chosen.lower == 1.0
    assert tuned.chosen.cost < 900
