"""What an index is built of is saved by its types alone, and each array once."""

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import pytest

from mips_core import INDEXES
from mips_core.base.arrays import Floats, Ids
from mips_core.methods.baselines import NormOrder
from mips_core.methods.clustering.rounds import Round
from mips_core.methods.reductions import PadToSphere, Reduction
from mips_core.methods.soundness import UnsoundError
from mips_core.serving.store.packing import Packed, Unpacking
from tests.mips_core.serving.store.built_indexes import built, copied, data, same


class Pair(NamedTuple):
    name: str
    weights: Floats | None


Part = TypeVar("Part")


@dataclass(frozen=True, eq=False)
class Shelf(Generic[Part]):
    n: int
    part: Part
    more: tuple[Part, ...]
    size: tuple[int, float]
    open: bool
    reduction: Reduction
    order: Ids

    def check(self, n, d):
        """Nothing more than its types say."""


@dataclass(frozen=True)
class NewIndex(INDEXES["largest-norm"]):
    """One that the store has never heard of."""

    def build(self, X, rng, progress=None) -> Shelf[Pair]:
        first, second = Pair("é", np.array([0.1, 1e-320])), Pair("", None)
        size = (2**60, 1 / 3)
        return Shelf(len(X), first, (first, second), size, True, PadToSphere(), np.arange(len(X)))

    def searcher(self, structure):
        return super().searcher(NormOrder(structure.order))


def test_an_index_that_nobody_told_the_store_of_is_saved_by_its_types(monkeypatch):
    monkeypatch.setitem(INDEXES, "largest-norm", NewIndex)
    _, Q, dataset = data()
    stored = built(dataset, "largest-norm", effort=3)
    loaded = copied(stored)
    old, new = stored.structure, loaded.structure
    assert isinstance(new, Shelf)
    assert (new.n, new.size, new.open, new.reduction) == (60, (2**60, 1 / 3), True, PadToSphere())
    assert [pair.name for pair in (new.part, *new.more)] == ["é", "é", ""]
    assert new.more[1].weights is None
    assert new.part.weights is new.more[0].weights
    assert same([new.part.weights, new.order], [old.part.weights, old.order])
    assert same(loaded.search(Q, 4), stored.search(Q, 4))


def test_arrays_that_are_one_are_stored_once_and_stay_one():
    _, _, dataset = data()
    loaded = copied(built(dataset))
    tree = loaded.structure
    assert tree.levels[0].centroids is tree.histories[0].centroids
    assert tree.levels[0].labels is tree.histories[0].labels


def test_a_field_with_a_default_may_be_missing_and_is_written_where_it_is_another():
    """Files written before the field was there open, and the same is written again."""
    plain = Round(objective=1.5, moved=3, live=2, n=9)
    counted = Round(objective=1.5, moved=3, live=2, n=9, met=17)
    written = Packed().add(plain, Round, "round")
    assert set(written) == {"objective", "moved", "live", "n"}
    assert Unpacking({}).value(written, Round, "round") == plain
    assert Unpacking({}).value(Packed().add(counted, Round, "round"), Round, "round") == counted
    for broken in ({**written, "other": 1}, {k: v for k, v in written.items() if k != "live"}):
        with pytest.raises(UnsoundError, match="has other parts"):
            Unpacking({}).value(broken, Round, "round")
