"""Which columns hold the vectors and which one names the rows; what is no vector is named."""

import base64

import numpy as np
import pandas as pd
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import UnsettledError
from tests.mips_core.data.readers.csv.written import (
    FILMS,
    LISTS,
    PLAIN,
    TITLES,
    X,
    check,
    frame,
    text,
)


def test_pandas_default_index_is_no_coordinate(load):
    data = check(load("p.csv", pd.DataFrame(X).to_csv()), list("012345"))
    assert data.notes == ("Column 1, which has no name, is taken as labels.",)


def test_id_title_and_genre_are_no_coordinates(load):
    content = (
        frame(id=range(501, 507), title=TITLES).assign(genre=list("ababab")).to_csv(index=False)
    )
    data = check(load("p.csv", content), TITLES)
    assert "Column 2, “title”, is taken as labels." in data.notes
    assert "Columns left out: “id”, “genre”." in data.notes


@pytest.mark.parametrize("choice", [{"label": "nothing"}, {"array": "nothing"}])
def test_a_choice_that_is_not_there_is_refused(table_of, choice):
    with pytest.raises(DataError, match="nothing"):
        table_of(FILMS, **choice)


def test_a_column_of_lists_is_chosen(table_of):
    content = text("word;p;q", PLAIN, LISTS, LISTS[::-1], sep=";")
    with pytest.raises(UnsettledError) as caught:
        table_of(content)
    offers = caught.value.offers.arrays
    assert [(offer.name, offer.about) for offer in offers] == [
        ("p", "lists of 4 numbers"),
        ("q", "lists of 4 numbers"),
    ]
    found = table_of(content, array="p")
    np.testing.assert_allclose(found.vectors, X, rtol=1e-5)
    assert (found.labels, found.offers.array) == (PLAIN, "p")


def test_a_price_beside_numbered_coordinates_is_left_out(table_of):
    found = table_of(frame(price=[f"${i}.50" for i in range(6)], word=PLAIN).to_csv(index=False))
    assert found.labels == PLAIN
    assert "Column left out: “price”." in found.notes


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([f"[{row}, {row}]" for row in LISTS], "several lists a cell"),
        ([base64.b64encode(row.tobytes()).decode() for row in X], "base64"),
        ([repr(row.tobytes()) for row in X], "raw bytes"),
        ([f"{row[0]:.3f}+{abs(row[1]):.3f}j" for row in X], "complex numbers"),
        (["1,234.5"] * 6, "thousands"),
        (["12 %"] * 6, "percent"),
    ],
    ids=["lists", "base64", "bytes", "complex", "thousands", "percent"],
)
@pytest.mark.parametrize("index", [True, False])
def test_what_is_no_vector_is_named(refusal, cells, words, index):
    frame = pd.DataFrame({"word": PLAIN, "embedding": cells})
    found = refusal("x.csv", frame.to_csv(index=index))
    assert words in found
    assert "embedding" in found or "column" in found
