"""No structure that is unsound, or of other parameters, is saved or asked."""

import io
import json
from dataclasses import dataclass, replace

import numpy as np
import pytest

from mips_core import INDEXES, load, save
from mips_core.base.arrays import Ids
from mips_core.base.errors import DataError
from mips_core.base.params import plain_values
from mips_core.base.progress import silent
from mips_core.methods.baselines import LargestNorm, NormOrder
from tests.mips_core.serving.store.crafted_files import (
    content_of,
    crafted,
    refusal,
    set_at,
    stored,
)

LEVEL, FIT = "structure.levels.0.", "structure.histories.0."
UNSOUND = {
    "flat-kmeans": [
        set_at(LEVEL + "centroids", (0, 0), np.nan),
        set_at(LEVEL + "members", 0, 80),
        set_at(LEVEL + "members", 0, -1),
        set_at(LEVEL + "members", slice(0, 2), 5),
        set_at(LEVEL + "labels", 0, 10**9),
        set_at(LEVEL + "labels", 0, -1),
        set_at(LEVEL + "starts", 1, 79),
        set_at(LEVEL + "starts", 0, 1),
        set_at(LEVEL + "starts", -1, 10**12),
    ],
    "hierarchical-kmeans": [
        set_at("structure.levels.1.members", 3, 80),
        set_at("structure.levels.0.labels", 0, 10**6),
    ],
    "multi-kmeans": [
        set_at("structure.labels", (1, 3), 10**6),
        set_at("structure.live", 0, 10**6),
        set_at("structure.members", 0, -5),
        set_at("structure.starts", 2, 10**9),
    ],
    "head-kmeans": [
        set_at("structure.lists.labels", (0, 1), 10**6),
        set_at("structure.lists.members", 1, 80),
        set_at("structure.lists.starts", 2, 10**6),
    ],
    "ip-tree": [
        set_at("structure.balls.second", 0, 10**6),
        set_at("structure.balls.second", 0, 0),
        set_at("structure.balls.stops", 1, 10**6),
        set_at("structure.balls.starts", 1, -4),
        set_at("structure.balls.leaf", -1, 10**6),
        set_at("structure.balls.members", 0, 10**6),
        set_at("structure.balls.radii", 0, np.inf),
        set_at("structure.balls.radii", 0, -1.0),
        set_at("structure.leaf_starts", 1, 10**6),
        set_at("structure.labels", 1, 10**6),
    ],
    "largest-norm": [set_at("structure", 3, 80), set_at("structure", slice(0, 2), 7)],
    "pca-tree": [
        set_at("structure.addresses", 0, 10**6),
        set_at("structure.members", 0, -1),
        set_at("structure.starts", 1, 10**6),
        set_at("structure.thresholds", 0, np.nan),
    ],
    "product-quantization": [
        set_at("structure.books.dimensions", 0, 9),
        set_at("structure.books.bounds", 1, 10**6),
        set_at("structure.codes", (0, 0), 200),
    ],
    "simple-lsh": [
        set_at("structure.buckets.members", 0, 80),
        set_at("structure.buckets.starts", 1, 10**6),
        set_at("structure.buckets.tables", 1, 10**6),
        set_at("structure.buckets.heavy", 0, 10**6),
        set_at("structure.buckets.bitsets", (0, 1), 2**63),
        set_at("structure.buckets.keys", 0, 2**63),
        set_at("structure.family.directions", (0, 0, 0), np.nan),
    ],
    "l2-alsh": [
        set_at("structure.family.functions.b", (0, 0), np.nan),
        set_at("structure.family.radix.0.span", 0, 0),
    ],
    "wta-hash": [set_at("structure.family.prefixes", (0, 0, 0), 50)],
    "top-down-kmeans": [
        set_at("structure.children", 0, 0),
        set_at("structure.children", 0, 10**6),
        set_at("structure.parents", 1, 10**6),
        set_at("structure.members", 0, 80),
        set_at("structure.starts", -1, 10**9),
        set_at("structure.labels", 0, 0),
    ],
}
PARAMETERS = {"product-quantization": {"n_codewords": 16}}


@pytest.mark.parametrize(
    ("key", "change"), [(k, c) for k, cs in UNSOUND.items() for _, c in cs],
    ids=[f"{k}: {name}" for k, cs in UNSOUND.items() for name, _ in cs],
)  # fmt: skip
def test_lists_and_trees_that_are_none_are_refused_before_they_are_used(key, change):
    with pytest.raises(DataError, match="holds no sound index"):
        load(io.BytesIO(crafted(stored(key, **PARAMETERS.get(key, {})), change)))


def test_every_kind_of_structure_has_rules():
    declared = {key for key in INDEXES if key not in UNSOUND}
    assert declared == {"exact", "srp-hash"}  # a number; the same as simple-lsh


def test_a_structure_under_other_parameters_is_refused():
    other = {
        "hierarchical-kmeans": {"n_levels": 3},
        "multi-kmeans": {"n_clusterings": 2},
        "head-kmeans": {"copies": 2},
        "pca-tree": {"depth": 2},
        "product-quantization": {"n_subspaces": 1},
        "srp-hash": {"n_bits": 5},
        "simple-lsh": {"n_tables": 5},
        "wta-hash": {"prefix": 2},
        "l2-alsh": {"n_hashes": 2},
        "top-down-kmeans": {"reduction": INDEXES["srp-hash"]().reduction.__class__(U=0.5)},
    }
    for key, parameters in other.items():
        one = stored(key)
        claimed = replace(one, index=replace(one.index, **parameters))
        with pytest.raises(DataError, match=r"is not sound: .* asked for"):
            content_of(claimed)
        parameters = {"parameters": json.dumps(plain_values(claimed.index))}
        told = refusal(crafted(one, lambda texts, arrays, told=parameters: texts.update(told)))
        assert "asked for" in told, key


def test_a_structure_that_cannot_check_itself_is_not_saved():
    one = replace(stored(), structure=object())
    with pytest.raises(DataError, match=r"a structure object has no check\(n, d\) to say whether"):
        save(io.BytesIO(), one)


@dataclass(frozen=True)
class Bare:
    """A structure that brings no check."""

    ids: Ids


class Careless(LargestNorm):
    """An index whose structure brings none."""

    def build(self, X, rng, progress=silent) -> Bare:
        return Bare(np.arange(len(X)))

    def searcher(self, structure):
        return super().searcher(NormOrder(structure.ids))


def test_a_structure_that_cannot_check_itself_is_not_loaded(monkeypatch):
    monkeypatch.setitem(INDEXES, "largest-norm", Careless)
    with monkeypatch.context() as patched:
        patched.setattr(Bare, "check", lambda self, n, d: None, raising=False)
        content = content_of(stored("largest-norm"))
        assert load(io.BytesIO(content)).structure.ids.tolist() == list(range(80))
    assert "a structure Bare has no check(n, d) to say whether" in refusal(content)
