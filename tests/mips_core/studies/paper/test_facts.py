"""PaperFacts of a data set: what it is asked with, and what it stands for."""

import numpy as np

from mips_core import Dataset, truth_of
from mips_core.studies.paper.facts import facts_of
from tests.mips_core.studies.paper.paper_cases import users, whole


def test_queries_that_are_their_own_best_answer_are_counted():
    items = np.eye(6, dtype=np.float32)
    queries = np.concatenate([items[:3], items[3:] * 2])
    searched = Dataset(items, queries, name="Unit")
    facts = facts_of(searched, truth_of(searched), "words", (1,), own_queries=False)
    assert facts.best_self == 0.5  # the others find an item that is half as long
    assert not facts.uneven
    assert facts.title == "Unit, in place of words"
    assert facts.as_dict()["K"] == [1]


def test_what_some_much_longer_items_are_and_the_figure_of_users():
    searched = users().searched
    facts = facts_of(searched, truth_of(searched), "", (1,), own_queries=True)
    assert facts.uneven
    assert (facts.title, facts.stem) == ("Few users", "few-users")
    assert facts.curves_figure == "figure-1-ours"
    assert whole().sets[0].facts.curves_figure == "figure-2-ours"
