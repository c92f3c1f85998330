"""A shortlist keeps whatever may be among the best, and the exact scores decide."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.serving.fast_search.shortlist import (
    SPARE,
    TOO_MANY,
    add_near,
    decide,
    drop_below,
    reach,
    room_for,
)

halves = st.lists(st.integers(-8, 8).map(lambda x: x / 2), min_size=1, max_size=40)


@given(halves, st.integers(-8, 8))
def test_a_list_is_read_as_far_as_its_norms_allow(values, least):
    norms = np.sort(np.abs(np.float32(values)))[::-1]
    assert reach(norms, 0, len(norms), least) == int((norms >= least).sum())


@given(halves, st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0]))
def test_what_may_be_among_the_best_is_kept(values, K, slack):
    scores = np.float32(values)
    near, highest = np.empty(room_for(K), np.int32), np.empty(room_for(K), np.float32)
    lowest = np.full(K, -np.inf, np.float32)
    size = add_near(scores, 100, np.float32(slack), lowest, near, highest, 0)
    size = drop_below(lowest[0], near, highest, size)
    sure = np.sort(scores - np.float32(slack))[::-1][:K]  # so much K rows are known to score
    least = sure[K - 1] if len(scores) >= K else -np.inf
    assert lowest.min() == least
    assert set(near[:size] - 100) == set(np.flatnonzero(scores + np.float32(slack) >= least))


def test_more_than_fit_are_not_shortlisted():
    near, highest = np.empty(room_for(1), np.int32), np.empty(room_for(1), np.float32)
    lowest, size = np.full(1, -np.inf, np.float32), 0
    for _ in range(room_for(1)):
        size = add_near(np.ones(1, np.float32), 0, np.float32(0), lowest, near, highest, size)
    assert size == room_for(1) == 2 + SPARE
    args = (np.float32(0), lowest, near, highest, size)
    assert add_near(np.ones(1, np.float32), 0, *args) == TOO_MANY


def test_equal_scores_go_to_the_lower_id():
    rows, items = np.float32([[1], [3], [3], [2]]), np.int32([7, 9, 4, 5])
    ids, scores = np.full(5, -1), np.full(5, -np.inf)
    decide(np.float32([2]), rows, items, np.int32([3, 1, 0, 2]), ids, scores)
    assert ids.tolist() == [4, 9, 5, 7, -1]
    assert scores.tolist() == [6, 6, 4, 2, -np.inf]
