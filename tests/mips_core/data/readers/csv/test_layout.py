"""The header of a table, and what stands before it."""

import numpy as np
import pandas as pd
import pytest

from mips_core.data.readers.choices import UnsettledError
from tests.mips_core.data.readers.csv.written import NUMBERS, X, check, text


def test_the_header_is_as_a_person_says(table_of):
    content = text("1,2,4,8", *NUMBERS)
    assert table_of(content).vectors.shape == (7, 4)
    found = table_of(content, header="names")
    assert found.vectors.shape == (6, 4)
    assert found.offers.header is True
    assert table_of(text("0,1,2,3", *NUMBERS), header="data").vectors.shape == (7, 4)
    with pytest.raises(UnsettledError, match="line 1, column 1, holds “a”"):
        table_of(text("a,b,c,d", *NUMBERS), header="data")


@pytest.mark.parametrize("heading", ["# made by a tool\n", "My vectors\n", "# a\n\n# b\n"])
@pytest.mark.parametrize("header", ["", "a,b,c,d"])
def test_a_heading_before_the_table_is_noted(table_of, heading, header):
    found = table_of(heading + text(header, *NUMBERS))
    np.testing.assert_allclose(found.vectors, X, rtol=1e-5)
    assert found.offers.header == bool(header)
    assert "taken as a heading" in found.notes[0]


def test_the_header_of_savetxt_names_columns(tmp_path, table_of):
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", header="a,b,c,id")
    found = table_of((tmp_path / "x.csv").read_bytes())
    np.testing.assert_allclose(found.vectors, X[:, :3], rtol=1e-6)
    assert [offer.name for offer in found.offers.labels] == ["id"]
    assert table_of((tmp_path / "x.csv").read_bytes(), label="a").vectors.shape == (6, 2)


@pytest.mark.parametrize("corner", ["idx", "id", ""])
def test_an_index_beside_columns_named_by_numbers(load, corner):
    check(load("x.csv", pd.DataFrame(X).to_csv(index_label=corner)), list("012345"))


def test_fewer_names_than_columns_are_refused_where_rows_have_no_names(refusal):
    assert "3 columns in its header, the rows have 4 cells" in refusal(
        "x.csv", text("a,b,c", *NUMBERS)
    )
