"""What may be chosen among the columns of a table."""

import numpy as np
import pytest

from mips_core.data.readers.choices import NONE
from tests.mips_core.data.readers.csv.written import FILMS, NUMBERS, PLAIN, X, text


@pytest.mark.parametrize(
    ("label", "labels"),
    [("genre", list("ababab")), ("id", [str(i) for i in range(501, 507)]), (NONE, None)],
)
def test_labels_are_chosen_by_the_name_of_their_column(table_of, label, labels):
    found = table_of(FILMS, label=label)
    np.testing.assert_allclose(found.vectors, X, rtol=1e-5)
    assert found.labels == labels
    assert [offer.name for offer in found.offers.labels] == ["id", "title", "genre"]
    assert found.offers.labels[2].about == "a, b, a …"
    assert found.offers.label == ("" if label == NONE else label)
    assert found.offers.header is True


def test_a_column_without_a_name_is_chosen_by_its_number(table_of):
    found = table_of(text("", PLAIN, list("654321"), *NUMBERS), label="2")
    assert found.labels == list("654321")
    assert found.vectors.shape == (6, 4)
    counted = text("", list("654321"), *NUMBERS)
    assert table_of(counted).labels == list("654321")
    assert table_of(counted, label=NONE).vectors.shape == (6, 5)
    assert table_of(text("0,1,2,3,4", list("654321"), *NUMBERS), label="0").labels[0] == "6"
