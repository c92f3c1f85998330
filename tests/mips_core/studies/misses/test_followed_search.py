"""A search followed over all efforts against asking at each, by candidates alone; its sentences."""

import numpy as np
import pytest

from mips_core import DataError, Dataset
from mips_core.groups.typed_queries.one_query import Question, Ranked
from mips_core.studies.misses import located
from tests.mips_core.studies.misses.search_cases import SPECS, SearchCase, questions, smooth


@pytest.mark.parametrize(
    ("exclude", "metric"),
    [(False, "inner product"), (True, "cosine"), (True, "euclidean")],
)
def test_every_position_is_a_search_at_its_effort(index, exclude, metric):
    for dataset, question in questions(exclude, metric):
        case = SearchCase(index, dataset, question)
        followed = case.followed()
        assert followed.efforts.tolist() == case.efforts
        assert followed.true.tolist() == case.true.ids.tolist()
        first = np.full(dataset.n, len(case.efforts))
        for at, effort in enumerate(case.efforts):
            listed = case.candidates(effort)
            before = set(np.flatnonzero(first < at).tolist())
            first[[item for item in listed if first[item] > at]] = at
            lost = followed.lost_ids[followed.lost_starts[at] : followed.lost_starts[at + 1]]
            assert lost.tolist() == sorted(before - listed)
            assert followed.candidates[at] == len(listed)
            if at % 5 == 0 or effort == case.efforts[-1]:
                answers = case.ask(effort)
                assert followed.found[at].astype(bool).tolist() == answers.found.tolist()
                assert {part: cost[at] for part, cost in followed.costs.items()} == {
                    part: spent[0] for part, spent in answers.costs.items()
                }
        assert followed.opened.tolist() == first.tolist()
        for array in (followed.efforts, followed.opened, followed.lost_starts, followed.lost_ids):
            assert array.dtype == np.int32
        assert followed.found.dtype == np.uint8


def test_answers_are_located_in_their_groups(index):
    X, Q = smooth()
    case = SearchCase(index, Dataset(X, Q), k=20)
    followed = case.followed()
    level = case.levels[-1]
    where = located(followed, level)
    order = followed.order.tolist()
    assert where.opened == len(order)
    for item, group, rank, effort in zip(
        followed.true, where.groups, where.ranks, where.efforts, strict=True
    ):
        assert group == level.of[item]
        assert rank == (order.index(group) + 1 if group in order else 0)
        finds = [e for e in case.efforts if item in case.candidates(e)]
        assert effort == min(finds, default=-1)


def test_an_index_of_other_items_is_refused():
    X, Q = smooth()
    case = SearchCase(SPECS["flat-kmeans"], Dataset(X, Q))
    case.dataset = Dataset(X[:50], Q, name="words")
    with pytest.raises(DataError, match="The index holds 300 items, words has 50"):
        case.followed()


def test_one_item_can_be_followed(index):
    X = np.array([[3.0, 4.0]], np.float32)
    case = SearchCase(index, Dataset(X, X), k=1)
    followed = case.followed()
    assert followed.true.tolist() == [0]
    assert followed.found.shape == (len(case.efforts), 1)
    assert len(followed.why) == 1


def test_a_search_without_true_answers_can_be_followed(index):
    X = np.array([[3.0, 4.0]], np.float32)
    dataset = Dataset(X, X)
    case = SearchCase(index, dataset)
    case.question = Question(X[0], 1, (0,), 0.0)
    case.true = Ranked(np.empty(0, np.int64), np.empty(0))
    followed = case.followed()
    assert followed.why == []
    assert followed.found.shape == (len(case.efforts), 0)


def test_equal_items_and_a_zero_query_can_be_followed(index):
    X = np.tile(np.float32([1.0, 2.0]), (9, 1))
    Q = np.zeros((1, 2), np.float32)
    followed = SearchCase(index, Dataset(X, Q), k=9).followed()
    assert len(followed.why) == 9
