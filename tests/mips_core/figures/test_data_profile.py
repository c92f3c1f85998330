"""The figure of singular values shows the rank in use and what it keeps."""

import numpy as np
import pytest

from mips_core.figures.data_profile import singular_values
from mips_core.figures.styles import resolve, tokens

SINGULAR = np.array([5.0, 4.0, 2.0, 1.0])
KEPT = np.cumsum(SINGULAR**2) / 50


@pytest.mark.parametrize(
    ("rank", "words"), [(1, "rank 1 keeps 50%"), (2, "rank 2 keeps 82%"), (4, "rank 4 keeps 92%")]
)
def test_the_rank_is_marked(rank, words):
    figure = singular_values(SINGULAR, KEPT, rank)
    line, mark = figure["data"]
    np.testing.assert_array_equal(line["x"], [1, 2, 3, 4])
    np.testing.assert_array_equal(line["y"], SINGULAR)
    assert (mark["x"], mark["y"]) == ([rank], [SINGULAR[rank - 1]])
    assert figure["layout"]["annotations"][0]["text"] == words
    assert figure["layout"]["yaxis"]["type"] == "log"
    resolve(figure, tokens("dark"))


def test_one_value_is_a_point():
    assert singular_values(SINGULAR[:1], np.ones(1), 1)["data"][0]["mode"] == "markers"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([540, 100, 8], [10, 20, 50, 100, 200, 500]),
        ([82, 40, 9.5], [10, 20, 50]),
        ([5, 4, 2, 1], [1, 2, 3, 4, 5]),
        ([1e5, 1e-9], [1e-9, 1e-6, 1e-3, 1, 1e3]),
        ([3.3, 3.1, 0], [3.1]),
        ([0.0], []),
    ],
)
def test_ticks_are_few_round_numbers(values, ticks):
    shown = singular_values(np.array(values, float), np.ones(len(values)), 1)["layout"]["yaxis"]
    assert shown["tickvals"] == pytest.approx(ticks)
