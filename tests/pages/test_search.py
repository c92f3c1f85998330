"""Search, run headless: every index can be asked, of whatever data."""

import numpy as np
import pytest

from mips_core import INDEXES, Dataset
from tests.pages.conftest import session_of
from tests.pages.search_page import search, tables, told, words


@pytest.mark.parametrize("key", INDEXES)
def test_every_index_can_be_asked(key):
    at = search(index=[key])
    true, returned = tables(at)
    assert len(true) == 10
    assert session_of(at).index.label.split()[0] in at.selectbox[0].options[0]
    hits = (true["answer"] == "✓ found").sum()
    assert sum(rank.startswith("✓") for rank in returned["true rank"]) == hits
    said = told(at)
    assert sum(part["cost"] for part in said["parts"]) == pytest.approx(said["cost"])
    steps = said["walk"]["steps"]
    assert steps[-1]["soFar"] == f"{said['cost'][said['at']]:,.0f}"
    assert len(said["why"]) == 10
    assert (said["ranks"] is None) != session_of(at).index.opens_groups


def test_a_zero_query_is_said_to_rank_nothing(use):
    Q = np.array([[0, 0], [1, 2]], np.float32)
    use(Dataset(np.array([[1, 2], [0, 0], [3, 1]], np.float32), Q, name="zeros"))
    at = search(query="query 0")
    zero = int(np.flatnonzero(~session_of(at).dataset.queries.any(axis=1))[0])
    at = search(query=f"query {zero}")
    assert f"Query {zero} is zero" in words(at)
    assert told(at) is None
    at = search(query="item 1")
    assert "Row 1 is zero" in words(at)
    at = search(query=f"query {1 - zero}")
    assert len(tables(at)[0]) == 3


@pytest.mark.parametrize("key", INDEXES)
def test_a_single_item_can_be_searched(use, key):
    use(Dataset(np.array([[1, 2]], np.float32), name="one"))
    at = search(index=[key])
    assert len(tables(at)[0]) == 1


def test_a_single_item_has_no_answer_where_its_row_is_left_out(use):
    use(
        Dataset(
            np.array([[1, 2]], np.float32),
            name="one",
            queries=np.array([[1, 2]]),
            query_rows=np.array([0]),
        )
    )
    at = search(queries="own 1 0 no")
    assert not at.exception
    assert "There is no other item" in words(at)
