"""Objects of objects, as pandas writes frames: read as they were, or asked about."""

import numpy as np
import pandas as pd
import pytest

from mips_core.base import limits
from mips_core.data.readers.choices import UnsettledError
from tests.mips_core.data.readers.json.json_writing import WORDS, V

ORIENTS = ("records", "columns", "index", "split", "table", "values")


FRAMES = {
    "names and words": pd.DataFrame(V, columns=["f0", "f1", "f2"], index=WORDS),
    "names alone": pd.DataFrame(V, columns=["x1", "x2", "x3"]),
    "numbers and words": pd.DataFrame(V, index=WORDS),
    "numbers alone": pd.DataFrame(V),
    "as wide as long": pd.DataFrame(V[:3], columns=["f0", "f1", "f2"]),
    "one row": pd.DataFrame(V[:1], columns=["f0", "f1", "f2"]),
    "one column": pd.DataFrame([row[:1] for row in V], columns=["f0"], index=WORDS),
    "features": pd.DataFrame(V, columns=["height", "width", "age"], index=WORDS),
}


UNCERTAIN = ("numbers and words", "numbers alone", "features")


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_read_as_it_was_or_asked_about(table, kind, orient):
    frame = FRAMES[kind]
    content = frame.to_json(orient=orient)
    uncertain = orient in ("columns", "index") and kind in UNCERTAIN
    rows, columns = ("inner names", "outer names")[:: 1 if orient == "columns" else -1]
    if uncertain:
        with pytest.raises(UnsettledError) as caught:
            table(content)
        assert [offer.name for offer in caught.value.offers.arrays] == ["outer names",
                                                                        "inner names"]  # fmt: skip
        turned = table(content, array=columns)
        np.testing.assert_array_equal(turned.vectors, frame.to_numpy(np.float32).T)
    found = table(content, array=rows if uncertain else "")
    np.testing.assert_array_equal(found.vectors, frame.to_numpy(np.float32))
    if frame.index.dtype != int and orient not in ("records", "values"):
        assert found.labels == list(frame.index)


def test_numbers_one_by_one_in_a_large_object_are_refused_in_words(refused, monkeypatch):
    monkeypatch.setattr(limits, "MAX_JSON_PIECE", 1000)
    frame = pd.DataFrame(np.ones((400, 3)), columns=["f0", "f1", "f2"])
    for orient in ("index", "columns"):
        assert "single values by name" in refused(frame.to_json(orient=orient)).found
