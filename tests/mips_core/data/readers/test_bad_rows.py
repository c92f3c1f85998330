"""Rows that cannot be used: which they are to the last bit, how they are told or left out."""

import numpy as np
import pytest

from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.readers.bad_rows import Places, settled_rows
from mips_core.data.readers.choices import Offers, UnsettledError
from mips_core.data.readers.contract import Table

LARGEST = {
    np.float32: (
        np.float32(MAX_MAGNITUDE),
        np.nextafter(np.float32(MAX_MAGNITUDE), np.float32(9e15)),
    ),
    np.float64: (MAX_MAGNITUDE, np.nextafter(MAX_MAGNITUDE, np.inf)),
    np.int64: (int(MAX_MAGNITUDE), int(MAX_MAGNITUDE) + 1),
}


@pytest.mark.parametrize("dtype", LARGEST)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_magnitude_is_usable_and_the_next_number_is_not(dtype, sign):
    most, beyond = LARGEST[dtype]
    at_most = np.array([[1, sign * most], [sign * most, 2]], dtype)
    table = settled_rows(Table(at_most), "x.npy", skip=False, keep_dtype=True)
    np.testing.assert_array_equal(table.vectors, at_most)
    above = np.array([[1, sign * most], [3, sign * beyond], [sign * most, 2]], dtype)
    with pytest.raises(UnsettledError, match="row 1, column 1") as caught:
        settled_rows(Table(above), "x.npy", skip=False, keep_dtype=True)
    assert caught.value.offers.bad_rows == 1
    table = settled_rows(Table(above, labels=["a", "b", "c"]), "x.npy", skip=True, keep_dtype=True)
    np.testing.assert_array_equal(table.vectors, at_most)
    assert table.labels == ["a", "c"]
    assert table.offers.bad_rows == 1


def test_places_tell_the_same_boundary():
    most, beyond = LARGEST[np.float32]
    places = Places("x.txt", skip=True)
    values = np.array([[1, most], [beyond, 2], [-most, most], [most, np.nan]], np.float32)
    assert list(places.check(values, [4, 5, 7, 9])) == [0, 2]
    assert places.rows == 2
    assert list(places.check(values[[0, 2]], [10, 11])) == [0, 1]
    offers, notes = places.settle(Offers(), usable=4)
    assert offers.bad_rows == 2
    assert notes == ["2 rows were left out: 1e+15 in line 5; NaN in line 9."]


def test_a_row_with_two_faults_is_one_row_and_five_places_are_shown():
    places = Places("x.csv", skip=False, unit="row")
    for row in (0, 0, 1, 2, 3, 4):
        places.add("NaN", row, "column 2")
    with pytest.raises(UnsettledError, match="5 rows hold a missing") as caught:
        places.settle(Offers(), usable=1)
    assert caught.value.offers.bad_rows == 5
    assert "NaN in row 0, column 2; NaN in row 0" in caught.value.found
    with pytest.raises(UnsettledError, match="read the file as ratings") as caught:
        places.settle(Offers(), usable=0)
    assert (caught.value.offers.bad_rows, caught.value.offers.gaps) == (0, True)


def test_the_first_broken_row_is_named_and_the_others_are_counted():
    places = Places("x.csv", skip=False)
    places.add("NaN", 2)
    places.add_broken(" has 1 cell", "Add one.", 3)
    places.add_broken(" has 9 cells", "Leave some.", 4)
    with pytest.raises(UnsettledError) as caught:
        places.settle(Offers(), usable=1)
    assert (
        caught.value.found == "x.csv cannot be read: line 3 has 1 cell; 2 more rows cannot be used."
    )
    assert caught.value.remedy == "Add one."
