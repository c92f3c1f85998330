"""One query asked of the index under the slider."""

import pytest

from mips_core import exact_top_k
from mips_core.data.queries import QueryRecipe, with_queries
from tests.pages.conftest import small_dataset
from tests.pages.search_page import search, tables, told


def test_a_first_query_is_asked_at_once():
    at = search()
    true, returned = tables(at)
    dataset = with_queries(small_dataset(), QueryRecipe())
    expected = exact_top_k(dataset.items, dataset.queries[:1], 10)[0]
    assert true["row"].tolist() == expected.tolist()
    assert true["label"].tolist() == [f"word {row}" for row in expected]
    scores = dataset.items[expected] @ dataset.queries[0]
    assert true["Inner product"].to_numpy() == pytest.approx(scores, rel=1e-5)
    hits = (true["answer"] == "✓ found").sum()
    assert told(at)["found"][told(at)["at"]].sum() == hits
    assert told(at)["words"]["saves"].startswith(
        "**{name}.** Opening **{effort} of {live} clusters**"
    )
    assert set(true["row"][true["answer"] == "✓ found"]) == set(true["row"]) & set(returned["row"])
    ranks = returned["true rank"][returned["row"].isin(true["row"])]
    assert [f"✓ {true.index[true['row'] == row][0] + 1}" for row in returned["row"][ranks.index]] \
        == ranks.tolist()  # fmt: skip


def test_own_rows_are_left_out_where_the_recipe_says_so():
    at = search(queries="rows 400 0.1 yes", query="item 5", k="100")
    assert 5 not in tables(at)[0]["row"].tolist()
    at = search(queries="rows 400 0.1 no", query="item 5", k="100")
    assert 5 in tables(at)[0]["row"].tolist()
