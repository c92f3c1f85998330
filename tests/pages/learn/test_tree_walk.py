import numpy as np
import pytest

from mips_core import exact_top_k
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from pages._ui.state.session import shipped, usual
from pages.learn import tree_walk
from pages.learn.tree_walk import (
    ASKED,
    BRANCHES,
    FIRST_ASKED,
    FIRST_ITEM,
    ITEMS,
    LESSON,
    QUERIES,
    SIZES,
    make,
    searcher,
    vectors,
    words,
)

PAIRS = [(q, p) for q in range(len(QUERIES)) for p in BRANCHES]


@pytest.fixture(scope="module")
def data():
    return make()


@pytest.fixture(scope="module")
def rows():
    return vectors(words(FIRST_ITEM, ITEMS))


@pytest.fixture(scope="module")
def tree(rows):
    return searcher("hierarchical-kmeans", rows, n_levels=3, sizes=SIZES)


@pytest.fixture(scope="module")
def flat(rows):
    return searcher("flat-kmeans", rows, n_clusters=SIZES[-1])


def test_words_are_common_ones_and_queries_are_not_among_them(data):
    assert len(set(data["words"])) == ITEMS
    assert not set(data["words"]) & set(QUERIES)
    assert all(len(word) > 3 and word.isalpha() for word in data["words"])


def test_the_flat_search_has_the_same_finest_clusters(data, flat):
    np.testing.assert_array_equal(flat.tree.levels[0].labels, data["up"][-1])
    assert [labels.max() + 1 for labels in data["up"]] == list(SIZES)


@pytest.mark.parametrize(("q", "p"), PAIRS)
def test_a_walk_scores_what_lies_below_what_it_kept(data, q, p):
    walk = data["queries"][q]["walks"][p - 1]
    assert walk["scored"][0].tolist() == list(range(SIZES[0]))
    for level, labels in enumerate(data["up"]):
        assert set(walk["kept"][level]) <= set(walk["scored"][level])
        assert len(walk["kept"][level]) == min(p, len(walk["scored"][level]))
        below = np.flatnonzero(np.isin(labels, walk["kept"][level]))
        assert set(walk["scored"][level + 1]) == set(below)


@pytest.mark.parametrize(("q", "p"), PAIRS)
def test_bills_are_what_the_core_says_a_search_costs(data, tree, flat, q, p):
    walk = data["queries"][q]["walks"][p - 1]
    asked = vectors(QUERIES)[q : q + 1]
    assert tree_walk.spent(walk) == tree.candidates(asked, p, 5).cost
    assert sum(walk["flat"]) == flat.candidates(asked, p, 5).cost


def test_an_answer_is_found_where_its_way_was_never_dropped(data):
    for q, p in PAIRS:
        query = data["queries"][q]
        kept = query["walks"][p - 1]["kept"]
        levels = [tree_walk.dropped_at(data["up"], kept, item) for item in query["truth"]]
        found = query["truth"][np.array(levels) == len(SIZES)]
        assert set(found) == set(tree_walk.hits(query, p))


def test_truth_is_exact(data, rows):
    scores = vectors(QUERIES).astype(np.float64) @ rows.T.astype(np.float64)
    best = np.argsort(-scores, axis=1)[:, :5]
    np.testing.assert_array_equal(best, [query["truth"] for query in data["queries"]])


def test_steps_and_answers_say_what_the_walks_do(data):
    facts, (first, second, *_) = data["facts"], data["queries"]
    assert [facts[f"cost_{p}"] for p in BRANCHES[:3]] == [13, 27, 49]
    assert [len(tree_walk.hits(first, p)) for p in BRANCHES[:3]] == [0, 3, 5]
    assert facts["flat_cost"] == 64 + len(first["walks"][2]["scored"][-1]) == 85
    kept = first["walks"][0]["kept"]
    levels = [tree_walk.dropped_at(data["up"], kept, item) for item in first["truth"]]
    assert sorted(levels) == [0, 0, 1, 1, 1]
    named = "river, southern at level 1; texas, california, florida at level 2"
    assert (facts["dropped"], facts["sum_1"]) == (named, "4 + 5 + 1 + 3")
    lost = data["words"].index(facts["lost"])
    assert lost in tree_walk.hits(second, 1)
    assert lost not in tree_walk.hits(second, 2)
    assert (facts["lost"], facts["level"]) == ("england", 3)


def test_averages_are_those_of_one_query_after_the_other(data, rows, tree, flat):
    Q = vectors(words(FIRST_ASKED, ASKED))
    truth = exact_top_k(rows, Q, 5)
    assert [data["facts"][f"tree_{p}"] for p in BRANCHES] == ["1.3", "2.3", "3.1", "3.6"]
    found = [len(np.intersect1d(truth[i], tree.trace(Q[i], 2, 5)[-1].scored)) for i in range(500)]
    assert np.mean(found) == pytest.approx(2.3, abs=0.2)
    assert (data["facts"]["fewer"], data["facts"]["fewer_cost"]) == ("3.5", "63")
    assert flat.candidates(Q, 2, 5).cost.mean() > 63  # with fewer clusters it costs less


def test_own_data_get_a_tree_of_as_many_levels():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {**LESSON.state, "p": 3})
    assert session.index == HierarchicalKMeans(n_levels=3).explicit(session.source.n)
    assert session.effort == 3
