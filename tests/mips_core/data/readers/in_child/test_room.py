"""What a parser puts into its room is on disk, to the bit, and errors are told whole."""

import json

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.child import ANSWER, answer_in, table_of
from mips_core.data.readers.choices import Offer, Offers, RatingsFileError, UnsettledError
from mips_core.data.readers.csv.column_roles import NoNumbersError
from mips_core.data.readers.in_child.room import Room, _error, table_facts

X = np.random.default_rng(0).normal(size=(5, 3)).astype(">f4")


def answered(folder, room, facts):
    (folder / ANSWER).write_text(json.dumps({"arrays": room.arrays, "facts": facts}))
    return answer_in(folder)


def test_arrays_come_back_whole_and_row_by_row(tmp_path):
    room = Room(tmp_path)
    room.save("whole", X.T)
    for name, width, rows in (("rows", 3, X), ("list", None, X[:, 0])):
        taken = room.rows(name, X.dtype, width)
        taken.add(rows[:2].astype("<f8"))
        taken.add(rows[2:])
        assert taken.n == 5
        taken.close()
    arrays = answered(tmp_path, room, {}).arrays
    np.testing.assert_array_equal(arrays["whole"], X.T)
    np.testing.assert_array_equal(arrays["rows"], X)
    np.testing.assert_array_equal(arrays["list"], X[:, 0])
    assert {array.dtype.str for array in arrays.values()} == {">f4"}


def test_facts_of_a_table_become_that_table(tmp_path):
    room = Room(tmp_path)
    room.save("vectors", X.T)
    room.save("bias", X[:, 0])
    offers = Offers((Offer("x", "5 × 3"),), label="w", bad_rows=2)
    facts = table_facts(list("abcde"), ["A note."], offers, ["vectors"])
    table = table_of(answered(tmp_path, room, facts))
    np.testing.assert_array_equal(table.vectors, X)
    np.testing.assert_array_equal(table.bias, X[:, 0])
    assert (table.labels, table.notes, table.offers) == (list("abcde"), ["A note."], offers)
    with pytest.raises(ValueError, match="different lengths"):
        table_of(answered(tmp_path, room, facts | {"labels": ["a"]}))


@pytest.mark.parametrize(
    "error",
    [
        DataError("Bad.", "Mend it."),
        RatingsFileError("Ratings.", "Read them."),
        UnsettledError("Two.", "Choose.", Offers((Offer("a", "2 × 3"),), header=True)),
    ],
)
def test_errors_are_raised_again_as_they_were(tmp_path, error):
    (tmp_path / ANSWER).write_text(json.dumps({"error": _error(error)}))
    with pytest.raises(DataError) as caught:
        answer_in(tmp_path)
    assert type(caught.value) is type(error)
    assert vars(caught.value) == vars(error)


def test_no_answer_and_no_sound_answer(tmp_path):
    assert answer_in(tmp_path) is None
    (tmp_path / ANSWER).write_text(json.dumps({"failure": "Traceback: it broke"}))
    with pytest.raises(RuntimeError, match="it broke"):
        answer_in(tmp_path)


def test_an_error_of_another_class_is_told_as_the_nearest_that_is_known(tmp_path):
    (tmp_path / ANSWER).write_text(json.dumps({"error": _error(NoNumbersError("No.", "Give."))}))
    with pytest.raises(DataError, match=r"No\. Give\."):
        answer_in(tmp_path)
