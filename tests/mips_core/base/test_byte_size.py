"""Memory of values: each array once, wherever it hangs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mips_core.base import byte_size as module
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


def test_a_table_counts_with_its_texts():
    table = pd.DataFrame({"numbers": np.zeros(100), "texts": ["x" * 1000] * 100})
    assert byte_size([table, {"again": table}]) == table.memory_usage(deep=True).sum() > 100_000


def test_a_list_of_labels_is_not_looked_into_one_by_one(monkeypatch):
    collect, looked = module._collect, []
    monkeypatch.setattr(module, "_collect", lambda *args: looked.append(args) or collect(*args))
    assert byte_size([*("label",) * 1000, None, np.zeros(2)]) == 16
    assert len(looked) == 2


def test_what_grows_while_it_is_counted_is_counted_as_it_was():
    """A page reads another curve off an evaluation while the results book looks through it."""
    curves = {}

    class Late:
        @property
        def memory_usage(self):
            curves[len(curves)] = np.zeros(3)
            raise AttributeError

    curves |= {0: Late(), 1: np.zeros(5)}
    assert byte_size(curves) == 40
    assert len(curves) == 3


def test_what_is_shared_is_looked_into_once():
    """Forty trials of one evaluation, and so on down: a way each would be 2 to the 60."""
    shared: Any = np.zeros(5)
    for _ in range(60):
        shared = Holder([Holder(shared), Holder(shared)])
    assert arrays_in(shared) == {id(bottom_of(shared)): 40}


def bottom_of(holder):
    """The array at the bottom."""
    while isinstance(holder, Holder):
        holder = holder.held[0].held if isinstance(holder.held, list) else holder.held
    return holder
