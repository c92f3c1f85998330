"""The shared field cases of ratings, and the real sets they were taken from."""

import json

import pytest

from mips_core.base.errors import DataError
from mips_core.data.ratings import factored, read_ratings
from tests.conftest import SHARED
from tests.mips_core.data.readers.test_cases import mentions


def cases():
    manifest = SHARED / "cases" / "cases_shared.json"
    known = json.loads(manifest.read_text())["cases"] if manifest.is_file() else []
    return [case for case in known if case["kind"] == "ratings"]


def check(ratings, expect):
    assert (ratings.n_users, ratings.n_items) == (expect["n_users"], expect["n_items"])
    assert ratings.n_ratings == expect.get("n_pairs", expect["n_ratings"])
    if "rating_sum" in expect and "n_pairs" not in expect:
        assert ratings.values.sum() == expect["rating_sum"]
        assert ratings.values.min() == expect["rating_min"]
        assert ratings.values.max() == expect["rating_max"]
        for at, entry in ((0, expect["first"]), (-1, expect["last"])):
            assert [ratings.users[at], ratings.items[at], ratings.values[at]] == entry
    for item, title in expect.get("label_of_item", {}).items():
        assert ratings.title_of(item) == title
    if "value_for_first_pair" in expect:
        assert ratings.values[0] == expect["value_for_first_pair"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_field_case_of_ratings(case):
    expect = case["expect"]
    paths = [SHARED / "cases" / name for name in case["files"]]
    if expect["outcome"] in ("reject", "reject_or_warn"):
        with pytest.raises(DataError) as caught:
            read_ratings(paths)
        assert mentions(str(caught.value), expect["error_mentions"]) == []
        return
    ratings = read_ratings(paths)
    check(ratings, expect)
    if "warning" in expect["outcome"]:
        assert mentions(" ".join(ratings.notes), expect["warning_mentions"]) == []
    asked = factored(ratings).dataset.query_labels
    for user in expect.get("zero_query_users", ()):
        assert user in ratings.user_names
        assert user not in asked


def test_movielens_with_titles(shared):
    folder = shared / "data" / "ml-latest-small"
    ratings = read_ratings([folder / "movies.csv", folder / "ratings.csv"])
    assert (ratings.n_users, ratings.n_items, ratings.n_ratings) == (610, 9724, 100_836)
    found = factored(ratings)
    assert found.dataset.labels[0] == "Toy Story (1995)"
    assert found.dataset.items.shape == (9724, 150)
    assert found.kept == pytest.approx(0.7821, abs=1e-4)
    assert "keeps 78%" in found.dataset.notes[-1]
    assert found.dataset.m == 609  # user 53 gave equal ratings
