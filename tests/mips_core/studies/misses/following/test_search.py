"""A search followed over all efforts against asking at each, by candidates alone; its sentences."""

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from mips_core import INDEXES, DataError, Dataset, ParamError, rng_for
from mips_core.base.params import params_of
from mips_core.data.metrics import searched_by
from mips_core.evaluation.one_query import (
    Question,
    Ranked,
    ask,
    question_of_item,
    question_of_query,
    true_answers,
)
from mips_core.groups.clusters import describe
from mips_core.studies.misses.following import follow, located, walk
from mips_core.studies.misses.following.reasons import ordinal
from tests import oracle

K = 4


def smooth(n=300, d=5, m=4):
    """Items of unequal norm, some of them repeated."""
    rng = np.random.default_rng(3)
    X, Q = rng.normal(size=(n, d)) * rng.lognormal(0, 0.4, (n, 1)), rng.normal(size=(m, d))
    X[20:24] = X[7]
    return X.astype(np.float32), Q.astype(np.float32)


SPECS = {
    key: cls(n_tables=12) if "n_tables" in params_of(cls) else cls() for key, cls in INDEXES.items()
}
SPECS |= {
    "hierarchical-3": INDEXES["hierarchical-kmeans"](n_levels=3, n_clusters=80),
    "coarse-probes": INDEXES["hierarchical-kmeans"](n_clusters=80, coarse_probes=2),
    "head-copies": INDEXES["head-kmeans"](head=0.05, copies=2),
    "top-down-copies": INDEXES["top-down-kmeans"](leaf_size=6, epsilon=0.3),
    "pca-tree-plain": INDEXES["pca-tree"](boosting=False),
}


BUILT = {}


def built(index, dataset):
    """A searcher and its levels, made once for all tests."""
    name = index, dataset.fingerprint, dataset.labels is None
    if name not in BUILT:
        searcher = index.searcher(index.build(dataset.items, rng_for(0)))
        BUILT[name] = searcher, describe(searcher, index, dataset)
    return BUILT[name]


class Asked:
    """An index built on a data set, its levels, and a question with its true answers."""

    def __init__(self, index, dataset, question=None, k=K):
        self.index, self.dataset = index, dataset
        self.searcher, self.levels = built(index, dataset)
        self.question = question or question_of_query(dataset, 0, k)
        self.true = true_answers(dataset.items, self.question)
        self.efforts = list(self.searcher.efforts())

    def followed(self):
        return follow(
            self.searcher, self.index, self.dataset, self.question, self.true, self.levels
        )

    def ask(self, effort):
        return ask(self.searcher, self.dataset.items, self.question, self.true, effort)

    @cache  # noqa: B019, it lives as long as a test
    def candidates(self, effort):
        asked = len(self.true.ids) + len(self.question.exclude)
        return set(self.searcher.candidates(self.question.query[None], effort, asked).ids.tolist())


@pytest.fixture(params=SPECS.values(), ids=SPECS)
def index(request):
    return request.param


def questions(exclude, metric):
    X, Q = smooth()
    rows = np.array([3, -1, 7, 200]) if exclude else None
    dataset = searched_by(
        Dataset(X, Q, query_rows=rows, labels=[f"w{i}" for i in range(300)]), metric
    )
    yield dataset, question_of_query(dataset, 0, K)
    yield dataset, question_of_query(dataset, 1, 1)
    yield dataset, question_of_item(dataset, 20, K, exclude_self=exclude)


@pytest.mark.parametrize(
    ("exclude", "metric"),
    [(False, "inner product"), (True, "cosine"), (True, "euclidean")],
)
def test_every_position_is_a_search_at_its_effort(index, exclude, metric):
    for dataset, question in questions(exclude, metric):
        asked = Asked(index, dataset, question)
        found = asked.followed()
        assert found.efforts.tolist() == asked.efforts
        assert found.true.tolist() == asked.true.ids.tolist()
        first = np.full(dataset.n, len(asked.efforts))
        for at, effort in enumerate(asked.efforts):
            listed = asked.candidates(effort)
            before = set(np.flatnonzero(first < at).tolist())
            first[[item for item in listed if first[item] > at]] = at
            lost = found.lost_ids[found.lost_starts[at] : found.lost_starts[at + 1]]
            assert lost.tolist() == sorted(before - listed)
            assert found.candidates[at] == len(listed)
            if at % 5 == 0 or effort == asked.efforts[-1]:
                answers = asked.ask(effort)
                assert found.found[at].astype(bool).tolist() == answers.found.tolist()
                assert {part: cost[at] for part, cost in found.costs.items()} == {
                    part: spent[0] for part, spent in answers.costs.items()
                }
        assert found.opened.tolist() == first.tolist()
        for array in (found.efforts, found.opened, found.lost_starts, found.lost_ids):
            assert array.dtype == np.int32
        assert found.found.dtype == np.uint8


def test_flat_clusters_open_in_the_order_of_their_scores():
    X, Q = smooth()
    asked = Asked(SPECS["flat-kmeans"], Dataset(X, Q))
    found = asked.followed()
    tree = asked.searcher.tree
    lifted = tree.lift.queries(Q[:1])[0]
    assert found.order.tolist() == oracle.ranking(tree.levels[0].centroids, lifted)
    assert found.order_at.tolist() == list(range(len(found.order)))


def test_groups_are_opened_as_a_whole_where_an_index_says_so(index):
    X, Q = smooth()
    asked = Asked(index, Dataset(X, Q))
    found, of = asked.followed(), asked.levels[-1].of
    if not index.opens_groups:
        assert len(found.order) == len(found.order_at) == 0
        return
    assert len(set(found.order.tolist())) == len(found.order) > 0
    assert found.order_at.tolist() == sorted(found.order_at)
    copied = index.key == "top-down-kmeans" or getattr(index, "copies", 1) > 1
    for group in range(len(asked.levels[-1].sizes)):
        inside = found.opened[of == group]
        place = np.flatnonzero(found.order == group)
        if len(place):
            assert found.order_at[place[0]] == inside.max() < len(asked.efforts)
            assert copied or inside.min() == inside.max()
        else:
            assert inside.max() == len(asked.efforts)


def test_clusters_opened_at_one_effort_come_in_the_order_of_their_scores():
    X, Q = smooth(n=2000)
    asked = Asked(SPECS["hierarchical-kmeans"], Dataset(X, Q))
    found, tree = asked.followed(), asked.searcher.tree
    assert len(np.unique(found.order_at)) < len(found.order)  # a ladder leaves efforts out
    ranking = oracle.ranking(tree.levels[-1].centroids, tree.lift.queries(Q[:1])[0])
    rank = {group: place for place, group in enumerate(ranking)}
    keys = [(at, rank[group]) for at, group in zip(found.order_at, found.order, strict=True)]
    assert keys == sorted(keys)


def test_leaves_opened_at_one_effort_come_in_the_order_of_the_visit():
    X, Q = smooth(n=1000, d=16)
    asked = Asked(SPECS["ip-tree"], Dataset(X, Q))
    found = asked.followed()
    assert len(np.unique(found.order_at)) < len(found.order)
    steps = asked.searcher.trace(asked.question.query, asked.efforts[-1], K)
    visits = asked.levels[-1].of[steps[-1].kept]
    assert found.order.tolist() == list(dict.fromkeys(visits.tolist()))


def test_the_query_s_own_leaf_comes_first_in_a_tree_of_medians():
    X, Q = smooth()
    dataset = Dataset(X, Q)
    for query in range(dataset.m):
        asked = Asked(SPECS["pca-tree"], dataset, question_of_query(dataset, query, K))
        assert asked.followed().order[0] == asked.searcher.leaves(Q[[query]])[0]


NUMBER = r"([\d,]+) \w+"
FOUND = re.compile(
    rf"(?:Found with |.*: )(?:the first \w+|{NUMBER})(?: a level)?(?: find it)?\.(.*)"
)
LOST = re.compile(rf" {NUMBER} lose it again\.")


HELD_BACK = r"(, under .*)?, ([\d,]+)\w\w of ([\d,]+) at level (\d): ([\d,]+) branches a level"


def number(text):
    return int(text.replace(",", "")) if text else 1


def test_a_sentence_names_the_effort_that_finds_an_answer_and_the_one_that_loses_it(index):
    X, Q = smooth()
    for query in range(3):
        dataset = Dataset(X, Q)
        asked = Asked(index, dataset, question_of_query(dataset, query, 20))
        why = asked.followed().why
        assert len(why) == 20
        held = [asked.candidates(effort) for effort in asked.efforts]
        for text, item in zip(why, asked.true.ids, strict=True):
            has = [item in listed for listed in held]
            if text.startswith("No effort finds it: "):
                assert not any(has)
                continue
            effort, rest = FOUND.fullmatch(text).groups()
            first = asked.efforts.index(number(effort))
            assert has[: first + 1] == [False] * first + [True]
            gone = LOST.fullmatch(rest)
            if gone:
                later = asked.efforts.index(number(gone[1]))
                assert has[first : later + 1] == [True] * (later - first) + [False]
            else:
                assert rest == ""
                assert all(has[first:])


def test_sentences_of_a_flat_index_name_the_cluster_and_its_rank():
    X, Q = smooth()
    dataset = Dataset(X, Q, labels=[f"w{i}" for i in range(len(X))])
    asked = Asked(SPECS["flat-kmeans"], dataset, question_of_query(dataset, 0, 30))
    found, level = asked.followed(), asked.levels[-1]
    order = found.order.tolist()
    for text, item in zip(found.why, found.true, strict=True):
        group = level.of[item]
        rank = order.index(group) + 1
        expected = (
            f"In cluster {group} ({level.names[group]}), the {ordinal(rank)} opened for this "
            f"query: {rank} probes find it."
        )
        assert text == ("Found with the first probe." if rank == 1 else expected)


def test_sentences_below_coarse_probes_name_the_rank_among_the_clusters_opened():
    X, Q = smooth()
    asked = Asked(SPECS["coarse-probes"], Dataset(X, Q), k=50)
    found, groups = asked.followed(), asked.levels[-1].of
    order = found.order.tolist()
    assert len(order) > 5
    for text, item in zip(found.why, found.true, strict=True):
        group = groups[item]
        if group not in order:
            assert text == f"No effort finds it: cluster {group} is never opened for this query."
        elif group != order[0]:
            rank = order.index(group) + 1
            opened = f"the {ordinal(rank)} opened for this query: {rank} branches find it."
            assert text == f"In cluster {group}, {opened}"


def test_a_name_is_one_line_of_its_sentence():
    X, Q = smooth(n=320)
    dataset = Dataset(X, Q, labels=[f"w{i}\n" + 10_000 * "x" for i in range(len(X))])
    why = Asked(SPECS["flat-kmeans"], dataset, question_of_query(dataset, 0, 30)).followed().why
    told = [text for text in why if "(" in text]
    assert told
    for text in told:
        assert re.match(r"In cluster \d+ \(w\d+ x+…\), the ", text)
        assert len(text) < 200


def test_a_cluster_without_a_name_of_its_own_is_named_once():
    X, Q = smooth()
    found = Asked(SPECS["flat-kmeans"], Dataset(X, Q), k=50).followed()
    assert any(re.match(r"In cluster \d+, the ", text) for text in found.why)


def test_sentences_of_a_beam_name_the_level_that_held_an_answer_back():
    X, Q = smooth(n=1500)
    dataset = Dataset(X, Q, labels=[f"w{i}" for i in range(len(X))])
    asked = Asked(SPECS["hierarchical-kmeans"], dataset, question_of_query(dataset, 0, 100))
    levels = asked.searcher.tree.levels
    q = asked.searcher.tree.lift.queries(Q[:1])[0]
    coarse = oracle.ranking(levels[0].centroids, q)
    seen = set()
    for text, item in zip(asked.followed().why, asked.true.ids, strict=True):
        told = re.search(HELD_BACK, text)
        if told is None:
            assert text.startswith("Found with the first branch.")
            continue
        under, rank, scored, level, effort = told.groups()
        rank, effort = number(rank), number(effort)
        assert asked.efforts[asked.efforts.index(effort) - 1] < rank <= effort
        fine = levels[-1].labels[item]
        if level == "1":
            assert under
            assert coarse.index(levels[0].labels[fine]) + 1 == rank
            assert number(scored) == len(coarse)
        else:
            children = np.flatnonzero(np.isin(levels[0].labels, coarse[:effort]))
            assert number(scored) == len(children)
            assert oracle.ranking(levels[-1].centroids, q, children).index(fine) + 1 == rank
        seen.add(level)
    assert seen == {"1", "2"}


def test_a_rank_is_told_only_where_fewer_branches_did_not_reach_it():
    X, Q = smooth(n=500, d=10, m=30)
    dataset = Dataset(X, Q)
    index = INDEXES["hierarchical-kmeans"](n_levels=6, n_clusters=300)
    told = []
    for query in range(10, 16):
        asked = Asked(index, dataset, question_of_query(dataset, query, 100))
        for text in asked.followed().why:
            if "branches a level" in text:
                effort = number(re.search(r"([\d,]+) branches a level", text)[1])
                less = asked.efforts[asked.efforts.index(effort) - 1]
                held_back = re.search(HELD_BACK, text)
                told.append(held_back is not None)
                assert held_back is None or less < number(held_back[2]) <= effort
    assert 1 <= told.count(False) < 10  # at six levels, a wider beam may lead another way down


def test_sentences_of_tables_say_that_no_bucket_is_shared():
    X, Q = smooth()
    why = Asked(SPECS["srp-hash"], Dataset(X, Q), k=50).followed().why
    assert "No effort finds it: it shares no bucket with the query." in why
    plain = Asked(SPECS["pca-tree-plain"], Dataset(X, Q), k=50).followed().why
    never = r"No effort finds it: leaf \d+ is never opened for this query\."
    assert any(re.fullmatch(never, text) for text in plain)


def test_a_copy_in_another_leaf_is_told():
    X, Q = smooth()
    dataset = Dataset(X, Q)
    texts = []
    for query in range(4):
        asked = Asked(SPECS["top-down-copies"], dataset, question_of_query(dataset, query, 50))
        texts += asked.followed().why
    assert any("with a copy in a leaf that is opened earlier: " in text for text in texts)


def test_ordinals():
    said = [ordinal(n) for n in (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111, 112, 1002)]
    assert " ".join(said) == (
        "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 22nd 101st 111th 112th 1,002nd"
    )


@pytest.mark.parametrize("exclude", [False, True])
def test_a_walk_sums_to_the_ledger_and_ends_in_the_candidates(index, exclude):
    for dataset, question in questions(exclude, "inner product"):
        asked = Asked(index, dataset, question)
        for effort in asked.efforts[:: max(len(asked.efforts) // 4, 1)]:
            steps = walk(asked.searcher, index, question, effort, len(asked.true.ids), asked.levels)
            assert sum(step.spent for step in steps) == asked.ask(effort).cost
            assert set(steps[-1].kept.tolist()) == asked.candidates(effort)
            for step in steps:
                assert step.label
                if step.level >= 0:
                    assert set(step.kept.tolist()) <= set(step.scored.tolist())
                    assert step.scored.max() < len(asked.levels[step.level].sizes)


def test_a_walk_goes_down_the_levels_of_a_beam():
    X, Q = smooth()
    asked = Asked(SPECS["hierarchical-3"], Dataset(X, Q))
    steps = walk(asked.searcher, asked.index, asked.question, 2, K, asked.levels)
    assert [step.level for step in steps] == [0, 1, 2, -1]
    for above, below in pairwise(steps[:3]):
        held_by = asked.levels[below.level].parents[below.scored]
        assert set(held_by.tolist()) <= set(above.kept.tolist())
    items = np.flatnonzero(np.isin(asked.levels[2].of, steps[2].kept))
    assert set(items.tolist()) == set(steps[3].kept.tolist())
    top, last = len(steps[0].scored), len(items)
    assert steps[0].label == f"Level 1: {top} clusters scored, 2 kept"
    assert steps[3].label == f"{last} items scored"


def test_a_walk_of_several_clusterings_tells_them_apart():
    X, Q = smooth()
    asked = Asked(SPECS["multi-kmeans"], Dataset(X, Q))
    steps = walk(asked.searcher, asked.index, asked.question, 1, K, asked.levels)
    assert [step.level for step in steps] == [0, 1, 2, -1]
    opened = [np.isin(asked.levels[s.level].of, s.kept) for s in steps[:3]]
    assert set(np.flatnonzero(np.any(opened, axis=0))) == set(steps[3].kept)
    assert re.fullmatch(r"Clustering 2 of 3: \d+ clusters scored, 1 kept", steps[1].label)


def test_a_walk_at_an_effort_that_is_not_offered_is_refused():
    X, Q = smooth()
    asked = Asked(SPECS["flat-kmeans"], Dataset(X, Q))
    with pytest.raises(ParamError, match=r"Effort 0 is not offered"):
        walk(asked.searcher, asked.index, asked.question, 0, K, asked.levels)


def test_answers_are_located_in_their_groups(index):
    X, Q = smooth()
    asked = Asked(index, Dataset(X, Q), k=20)
    found = asked.followed()
    level = asked.levels[-1]
    where = located(found, level)
    order = found.order.tolist()
    assert where.opened == len(order)
    for item, group, rank, effort in zip(
        found.true, where.groups, where.ranks, where.efforts, strict=True
    ):
        assert group == level.of[item]
        assert rank == (order.index(group) + 1 if group in order else 0)
        finds = [e for e in asked.efforts if item in asked.candidates(e)]
        assert effort == min(finds, default=-1)


def test_an_index_of_other_items_is_refused():
    X, Q = smooth()
    asked = Asked(SPECS["flat-kmeans"], Dataset(X, Q))
    asked.dataset = Dataset(X[:50], Q, name="words")
    with pytest.raises(DataError, match="The index holds 300 items, words has 50"):
        asked.followed()


def test_one_item_can_be_followed(index):
    X = np.array([[3.0, 4.0]], np.float32)
    asked = Asked(index, Dataset(X, X), k=1)
    found = asked.followed()
    assert found.true.tolist() == [0]
    assert found.found.shape == (len(asked.efforts), 1)
    assert len(found.why) == 1


def test_a_search_without_true_answers_can_be_followed(index):
    X = np.array([[3.0, 4.0]], np.float32)
    dataset = Dataset(X, X)
    asked = Asked(index, dataset)
    asked.question = Question(X[0], 1, (0,), 0.0)
    asked.true = Ranked(np.empty(0, np.int64), np.empty(0))
    found = asked.followed()
    assert found.why == []
    assert found.found.shape == (len(asked.efforts), 0)


def test_equal_items_and_a_zero_query_can_be_followed(index):
    X = np.tile(np.float32([1.0, 2.0]), (9, 1))
    Q = np.zeros((1, 2), np.float32)
    found = Asked(index, Dataset(X, Q), k=9).followed()
    assert len(found.why) == 9
