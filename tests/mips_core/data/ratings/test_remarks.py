"""What a person should know of ratings: counts, implicit feedback, values that mean none."""

import numpy as np
import pytest

from mips_core.data.ratings import RatingChoices, UnsettledRatingsError, read_ratings


@pytest.mark.parametrize(("odd", "scale"), [(-1, "1 to 9"), (99, "1 to 9")])
def test_a_value_that_may_mean_not_rated_is_remarked_on(load, odd, scale):
    values = [*range(1, 10), odd, odd]
    lines = "".join(f"{u % 3},{u},{value}\n" for u, value in enumerate(values))
    notes = " ".join(load("r.csv", "user,item,rating\n" + lines).notes)
    assert f"The value {odd} occurs 2 times; all others are from {scale}" in notes


def test_scales_without_a_value_apart_are_not_remarked_on(load):
    lines = "".join(f"{u % 3},{u},{value}\n" for u, value in enumerate([-2, -1, 0, 1, 2, 98, 99]))
    assert "not rated" not in " ".join(load("r.csv", "user,item,rating\n" + lines).notes)


def test_counts_may_be_read_as_logarithms(load):
    text = "user,artist,plays\na,x,3000\na,y,10\nb,x,1\nb,z,2\n"
    ratings = load("plays.csv", text)
    assert ratings.offers.log
    assert any("look like counts, from 1 to 3,000" in note for note in ratings.notes)
    logs = load("plays.csv", text, scale="log")
    np.testing.assert_allclose(logs.values, np.log1p(ratings.values))
    assert not load("r.csv", "user,item,rating\na,x,100\na,y,10\n").offers.log


def test_pairs_alone_are_implicit(load):
    for text in ("user,item\na,x\nb,y\n", "a,x\nb,y\na,y\n", "user,item,rating\na,x,1\nb,y,1\n"):
        ratings = load("pairs.csv", text)
        assert ratings.implicit
        assert (ratings.values == 1).all()
        assert any("implicit" in note for note in ratings.notes)


def test_equal_ratings_offer_their_columns(tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("user,item,rating\n" + "".join(f"{u},{i},4\n" for u in "abc" for i in "xyz"))
    with pytest.raises(UnsettledRatingsError) as caught:
        read_ratings(path)
    assert [offer.name for offer in caught.value.offers.columns] == ["user", "item", "rating"]
    implicit = read_ratings(path, RatingChoices(value="-"))
    assert implicit.implicit
    assert implicit.n_ratings == 9
