"""Ratings are told from vectors by their beginning."""

import numpy as np
import pytest

from mips_core.data.readers import RatingsFileError
from mips_core.data.readers.ratings_signs import are_ratings, is_ratings, key_of, named

TIMED = "{0}{3}{1}{3}{2}{3}88000000{0}\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ratings.csv", "userId,movieId,rating\n1,2,5\n"),
        ("r.csv", '\ufeff"User-ID";"ISBN";"Book-Rating"\r\n"1";"2";"5"\r\n'),
        ("r.csv", "user_id,item_id\n1,2\n3,4\n"),
        ("r.csv", "userId,Id,rating,timestamp\n1,2,3,4\n"),
        ("r.txt", "user item rating\n1 2 3\n"),
        ("x.inter", "user_id:token\titem_id:token\trating:float\n1\t2\t3\n"),
        ("user_artists.dat", "userID\tartistID\tweight\n2\t51\t13883\n"),
        ("ratings.dat", "1::39::4::880000000\n1::7::2::880000037\n"),
        ("combined_data_1.txt", "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n"),
        ("reviews.json", '{"reviewerID": "A", "asin": "B", "overall": 5.0, "summary": "x"}\n'),
        ("h.csv", "user_id,item_id,rating\n"),
        ("counts.dat", "70\n150\n3\t38\t847\n40\t4\t12\n40\t5\t12\n"),
        *(("u.data", "".join(TIMED.format(k, k + 1, k % 5, s) for k in range(1, 6)))
          for s in ("\t", ",", ";", " ")),
    ],
)  # fmt: skip
def test_ratings_are_refused_where_vectors_are_read(load, name, content):
    with pytest.raises(RatingsFileError, match=r"table of ratings.*mips_core.read_ratings"):
        load(name, content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.csv", "user,item,x,y,z\nanna,tea,1.5,2,3\nben,ale,4,5,6.5\n"),
        ("v.csv", "userId,f1,f2,f3\n1,0.5,2,3\n2,4,5,6.5\n"),
        ("v.csv", "item_id,rating,price\n1,0.5,2\n2,4,5\n"),
        ("v.tsv", "1\t2\t3\t4\n5\t6\t7\t8\n9\t10\t11\t13\n"),
        ("v.txt", "the 0.1 0.2 0.3\nuser 0.3 0.1 0.5\nitem 0.1 0.9 0.3\n"),
        ("v.csv", "0.1,2.5,3,1234567890.5\n0.2,2.5,3,1234567890.5\n0.1,2.5,3,1234567890.5\n"),
    ],
)
def test_vectors_are_not_taken_for_ratings(load, name, content):
    assert load(name, content).n >= 2


def test_names_are_compared_without_case_and_signs():
    for name in (
        "userId",
        "USER_ID",
        "User-ID",
        "user id",
        "review/userId",
        "user_id:token",
        "#userid",
    ):
        assert key_of(name) == "userid"
    assert named(["average_rating", "book_rating"], "value") == 1
    assert named(["asin", "parent_asin", "user"], "item") == 0
    assert named(["x", "y"], "user") is None
    assert not are_ratings(["user", "item", *map(str, range(20))])
    assert not is_ratings(np.random.default_rng(0).bytes(5000))
    assert not is_ratings(b"")


def test_counts_of_plays_by_words_are_ratings_and_vocabularies_are_not(load):
    lines = [f"user{u}\tartist {i}\t{u * i + 1}\n" for u in range(3) for i in range(4)]
    with pytest.raises(RatingsFileError):
        load("plays.tsv", "".join(lines))
    words = "".join(f"word{i}\tnoun\t{i}\n" for i in range(12))
    assert load("words.tsv", words).n == 12


def test_halves_as_ratings_are_remarked_on(load):
    data = load("x.txt", "".join(f"{u} {u + 1} {u / 2}\n" for u in range(1, 9)))
    assert any("read the file as ratings" in note for note in data.notes)


def test_a_matrix_market_file_is_ratings(load):
    with pytest.raises(RatingsFileError, match="Matrix Market"):
        load("r.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n")
