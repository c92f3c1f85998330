"""Well-formed tables, read by Arrow and row by row alike."""

import io

import numpy as np

from mips_core.data.readers.csv import table
from tests.mips_core.data.readers.csv.written import TITLES, frame


def test_both_ways_of_reading_agree(load, monkeypatch):
    content = frame(title=TITLES).to_csv(index=False)
    fast = load("t.csv", content)
    monkeypatch.setattr(table, "read_well_formed", lambda *given: None)
    slow = load("t.csv", content)
    np.testing.assert_array_equal(fast.items, slow.items)
    assert (fast.labels, fast.notes) == (slow.labels, slow.notes)


def test_a_very_wide_table(load):
    wide = np.random.default_rng(0).normal(size=(4, 20_000)).round(2)
    file = io.StringIO()
    np.savetxt(file, wide, fmt="%.2f", delimiter=",")
    np.testing.assert_allclose(load("x.csv", file.getvalue()).items, wide, rtol=1e-6)
