"""Memory of values: each array once, wherever it hangs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mips_core.base.byte_size import arrays_in, byte_size


@dataclass
class Holder:
    held: Any


def test_every_array_counts_once_and_a_view_as_what_it_shows():
    X = np.zeros((10, 4), np.float32)
    assert byte_size(X) == byte_size([X, X[:2], Holder(X), {"view": X.T}]) == 160
    assert byte_size((X, Holder([np.zeros(3)]))) == 160 + 24
    assert set(arrays_in([X[:2], X])) == {id(X)}
    assert byte_size(["text", 5, None, Holder]) == 0
