"""Rows that stand out, and columns that may be ratings, are remarked on."""

import numpy as np

from tests.mips_core.data.readers.packing import X, npy


def test_what_stands_out_is_noted(load):
    odd = np.vstack([X, X[:2], np.zeros((3, 4)), 1e6 * X[:1]])
    notes = " ".join(load("odd.npy", npy(odd)).notes)
    assert "3 rows are all zero" in notes
    assert "2 rows repeat others" in notes
    assert "times the median (row 11" in notes
    assert not load("even.npy", npy(X)).notes


def test_whole_numbers_in_few_columns_may_be_ratings(load):
    triples = "\n".join(f"{i % 7},{i},{i % 5 + 1}" for i in range(30))
    assert any("read the file as ratings" in note for note in load("t.csv", triples).notes)
    points = "\n".join(f"{i % 7}.5,{i},{i % 5 + 1}" for i in range(30))
    assert not any("ratings" in note for note in load("p.csv", points).notes)
