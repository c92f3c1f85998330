"""Which fields of objects hold vectors and labels."""

import pytest

from mips_core.data.readers.choices import NONE, UnsettledError
from tests.mips_core.data.readers.json.json_writing import PAIRS, WORDS, V, check


def test_words_that_are_ids_come_before_texts(shared, table):
    found = table((shared / "cases/bin/embeddings.jsonl").read_bytes(), "embeddings.jsonl")
    assert found.vectors.shape == (14, 6)
    assert found.labels[0] == "amber"
    assert found.labels[-1] == "north"
    assert found.notes == ["Field “id” is taken as labels.", "Field left out: “text”."]


def test_hashes_do_not_come_before_texts(table):
    rows = [{"id": f"{i:032x}", "text": word, "v": v} for i, (word, v) in enumerate(PAIRS)]
    check(table(rows), WORDS)


def test_fields_are_chosen_among_several(table, refused):
    rows = [{"t": word, "a": v, "b": v[::-1], "n": i}
            for i, (word, v) in enumerate(PAIRS)]  # fmt: skip
    offers = refused(rows, UnsettledError).offers
    assert [(offer.name, offer.about) for offer in offers.arrays] == [
        ("a", "lists of 3 numbers"),
        ("b", "lists of 3 numbers"),
    ]
    found = check(table(rows, array="a", label="n"), list("0123"))
    assert [offer.name for offer in found.offers.labels] == ["t", "n"]
    assert found.offers.labels[0].about.startswith("amber, ice cream")
    assert (found.offers.array, found.offers.label, found.offers.header) == ("a", "n", None)
    check(table(rows, array="a", label=NONE), None)
    assert "“zz”" in refused(rows, array="a", label="zz").found
    assert "It has: “a”, “b”." in refused(rows, array="t").remedy


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([{"embedding": [V[0], V[1]]}], "lists of lists in field “embedding”"),
        ([{"a": "x"}, {"a": "y"}], "its fields are “a”"),
        ([{"embedding": "AAAAPwAAgD8AAABAAAAAPwAAgD8AAABA"}], "encoded text: field “embedding”"),
        ([{"reviewerID": "A", "asin": "B", "overall": 5}, {"reviewerID": "A", "asin": "C",
          "overall": 4}], "ratings, not vectors"),
    ],
)  # fmt: skip
def test_fields_that_hold_no_vectors_are_named(refused, content, words):
    assert words in refused(content).found
