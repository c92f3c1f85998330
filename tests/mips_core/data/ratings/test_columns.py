"""Which columns are users, items and ratings; where they do not tell, a person is asked."""

import numpy as np
import pandas as pd
import pytest

from mips_core.data.ratings import UnsettledRatingsError
from tests.mips_core.data.ratings.written import THREE, table


@pytest.mark.parametrize(
    "names",
    ["userId movieId rating", "user item rating", "USER_ID ITEM_ID SCORE",
     "User-ID ISBN Book-Rating",
     "uid iid value", "customer product stars", "reviewerID asin overall", "userID artistID weight",
     "user_id track_id plays", "user_id:token item_id:token rating:float", "user id rating",
     "visitorid itemid preference", "#user item rating",
     "review/userId product/productId review/score"],
)  # fmt: skip
def test_names_of_columns(triples, load, names):
    assert triples("any.csv", table(",", names.replace(" ", ","))) == THREE
    reordered = pd.DataFrame(THREE, columns=names.split())[names.split()[::-1]]
    assert triples("any.tsv", reordered.to_csv(sep="\t", index=False)) == THREE
    assert triples("index.csv", reordered.to_csv()) == THREE
    assert load("any.csv", table(",", names.replace(" ", ","))).offers.value == names.split()[2]


def test_amazon_puts_its_products_first(triples):
    text = "B000639705,A60XNB876KYML,3.0,1397779200\n0005019281,A1YJEY40YUW4SE,1.0,1391040000\n"
    assert triples("Books.csv", text)[0] == ("A60XNB876KYML", "B000639705", 3.0)
    swapped = "".join(",".join(np.array(line.split(","))[[1, 0, 2, 3]]) + "\n"
                      for line in text.split())  # fmt: skip
    assert triples("Old.csv", swapped)[0] == ("A60XNB876KYML", "B000639705", 3.0)


def test_columns_without_known_names_are_asked_for(load):
    text = "who,what,how\na,x,3\nb,y,4\n"
    with pytest.raises(UnsettledRatingsError, match="“what” \\(such as “x”, “y”\\)") as caught:
        load("w.csv", text)
    offers = caught.value.offers
    assert [offer.name for offer in offers.columns] == ["who", "what", "how"]
    ratings = load("w.csv", text, user="what", item="who")
    assert (ratings.users, ratings.values.tolist()) == (["x", "y"], [3.0, 4.0])
    assert ratings.offers.value == "how"
    assert load("w.csv", text, user="what", item="who", value="-").implicit


@pytest.mark.parametrize(
    ("choices", "words"),
    [({"user": "nix"}, "no column “nix”"), ({"user": "who", "item": "who"}, "chosen twice")],
)
def test_choices_that_do_not_fit_are_refused(refusal, choices, words):
    assert words in refusal("w.csv", "who,what,how\na,x,3\nb,y,4\n", **choices)


def test_a_third_column_of_words_is_asked_about(load):
    with pytest.raises(UnsettledRatingsError):
        load("w.csv", "a,x,good\nb,y,bad\na,y,bad\n")


def test_coordinates_are_no_ids(refusal):
    found = refusal("glove.txt", "a 0.11 0.25 0.3\nb 0.21 0.35 0.4\nc -0.21 0.37 0.1\n")
    assert "does not say which column holds users" in found
