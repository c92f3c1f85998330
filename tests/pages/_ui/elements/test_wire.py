"""What is packed for the browser, read back by an independent reader."""

import numpy as np
import pytest

from pages._ui.elements.wire import pack
from tests.pages.wire_reader import unpack


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (np.arange(3, dtype=np.float32), "float32"),
        (np.array([0.1, np.nan, np.inf]), "float64"),
        (np.arange(5, dtype=np.int64), "int32"),
        (np.array([2**40]), "float64"),
        (np.array([True, False]), "uint8"),
        (np.arange(12, dtype=">f4").reshape(3, 4)[:, ::2], "float32"),
        (np.zeros((2, 0), np.int32), "int32"),
        (np.array([], np.int64), "int32"),
        (np.array([1.5], np.float16), "float32"),
    ],
)
def test_arrays_return_as_they_were(given, kind):
    found = unpack(pack({"deep": [{"x": given}]}))["deep"][0]["x"]
    assert found.dtype == np.dtype(kind)
    assert found.shape == given.shape
    np.testing.assert_array_equal(found, given)


def test_the_rest_is_json():
    value = {"text": "é <b> ★", "none": None, "list": [1, 2.5, True], "np": np.float32(0.5)}
    assert unpack(pack(value)) == value


def test_text_arrays_become_lists():
    assert unpack(pack({"x": np.array(["a", "b"])})) == {"x": ["a", "b"]}


def test_numbers_that_json_lacks_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        pack({"x": float("nan")})
