"""A file keeps what is said of its index, and one that says what cannot be is refused."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import (
    INDEXES,
    Dataset,
    StoredIndex,
    load,
    rng_for,
    save,
    searched_by,
)
from mips_core.base.errors import DataError
from mips_core.serving.store import stored_index
from mips_core.studies.drift import can_update, change_of, updated
from tests.mips_core.serving.store.built_indexes import built, copied, data, same
from tests.mips_core.serving.store.crafted_files import (
    ITEMS,
    crafted,
    refusal,
    said,
    set_at,
    stored,
)


def test_what_is_said_of_the_index_is_kept():
    labels = ["", "a\nb", "é", "<b>", "\ud800", *(f"item {i}" for i in range(55))]
    _, _, dataset = data("euclidean", labels=labels)
    stored = replace(built(dataset, effort=2), simulated=True, seed=7)
    loaded = copied(stored)
    assert loaded.labels == tuple(labels)
    for name in ("seed", "name", "metric", "n", "d", "fingerprint", "effort", "logits"):
        assert getattr(loaded, name) == getattr(stored, name), name
    assert (loaded.n, loaded.d, loaded.simulated, loaded.seed) == (60, 4, True, 7)
    assert loaded.made_by == stored.made_by
    assert loaded.fingerprint == dataset.fingerprint


@given(st.lists(st.text(st.characters(), max_size=5), min_size=1, max_size=9))
def test_labels_of_any_text_come_back(labels):
    dataset = Dataset(np.eye(len(labels), dtype=np.float32), labels=labels)
    assert copied(built(dataset, "exact")).labels == tuple(labels)


@pytest.mark.parametrize("key", [key for key, cls in INDEXES.items() if can_update(cls())])
def test_an_index_that_was_kept_fresh_is_saved_as_well(key):
    X, Q, dataset = data()
    stored = built(dataset, key)
    change = change_of(60, moved=range(20), removed=range(30, 55))
    items = np.ascontiguousarray(X[change.before] * np.float32(3))
    structure = updated(stored.index, stored.structure, items, change).structure
    fresh = stored_index(Dataset(items), stored.index, 0, structure, 1)
    assert same(copied(fresh).search(Q, 3), fresh.search(Q, 3))


def test_without_items_the_file_is_smaller_and_holds_none():
    _, _, dataset = data()
    stored = built(dataset)
    bare = stored_index(dataset, stored.index, 0, stored.structure, with_items=False)
    sizes = []
    for one in (stored, bare):
        file = io.BytesIO()
        save(file, one)
        sizes.append(len(file.getvalue()))
    assert bare.items is None
    assert sizes[0] - sizes[1] >= dataset.items.nbytes
    assert isinstance(bare, StoredIndex)


def test_what_a_file_says_is_repeated_in_one_short_line():
    def said_at_length(texts, arrays):
        said("about", index="x\n" * 10**5)(texts, arrays)

    words = refusal(crafted(stored(), said_at_length))
    assert (words.count("\n"), len(words) < 500) == (0, True)
    hostile = crafted(stored(), said("about", name="a\n\x1b[31m\ud800" * 999))
    name = load(io.BytesIO(hostile)).name
    assert name.startswith("a [31m?a ")
    assert len(name) <= 255


@pytest.mark.parametrize("value", [1e30, -1e30])
def test_a_metric_that_makes_queries_too_long_is_refused(value):
    dataset = searched_by(Dataset(ITEMS), "euclidean")
    index = INDEXES["exact"]()
    one = stored_index(dataset, index, 0, index.build(dataset.items, rng_for(0)))
    _, change = set_at("conversion.centre", 0, value)
    assert "its metric is not fitted" in refusal(crafted(one, change))
    told = said("conversion", unit=value)
    assert "its metric is not fitted" in refusal(crafted(one, told))


def without_rounds(texts, arrays):
    histories = json.loads(texts["structure"])["histories"]
    said("structure", histories=[fit | {"rounds": []} for fit in histories])(texts, arrays)


def without_levels(texts, arrays):
    said("structure", levels=[], histories=[])(texts, arrays)
    for name in [name for name in arrays if name.startswith("structure")]:
        del arrays[name]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (said("about", index="best"), "an index 'best' is not known here"),
        (said("about", index="os.system"), "is not known here"),
        (said("about", metric="hamming"), "a metric 'hamming' is not known here"),
        (said("about", n=81), "labels for 81 items|in place of"),
        (said("about", n="80"), "about.n is not what belongs there"),
        (said("about", n=True), "about.n is not what belongs there"),
        (said("about", d=4), "in place of"),
        (said("about", seed=10**400), "its seed is not one of 0 to"),
        (said("about", seed=-1), "its seed is not one of 0 to"),
        (said("about", effort=0), "effort 0 is not offered"),
        (said("about", fingerprint="0" * 32), "not those the fingerprint names"),
        (said("about", extra=1), "has other parts"),
        (said("parameters", max_rounds=0), "max_rounds is 0, outside 1 to 1000"),
        (said("parameters", n_levels=2), "has no parameter"),
        (said("parameters", n_clusters=2), "clusters: 9 built, 2 asked for"),
        (said("parameters", reduction="sphere"), "has no parameter|lacks some|reduction"),
        (said("parameters", **{"reduction.U": 0.5}), "reduction: .* built, .* asked for"),
        (without_levels, "it has no level"),
        (said("structure", histories=[]), "its rounds are of other levels"),
        (without_rounds, "no round led to a level"),
        (said("structure", levels=[]), "nothing tells what its array"),
        (lambda texts, arrays: arrays.update(items=np.array(1, np.float32)), "a single number"),
        (said("structure", lift={"scale": float("nan"), "reduction": {"kind": "plain"}}), "finite"),
        (said("structure", lift={"scale": 1e999, "reduction": {"kind": "plain"}}), "finite"),
        (said("structure", lift={"scale": 1.0, "reduction": {"kind": "os"}}), "no reduction"),
        (said("structure", histories=None), "is not what belongs there"),
        (lambda texts, arrays: texts.pop("structure"), "it does not tell its structure"),
        (lambda texts, arrays: texts.update(structure="[" * 9000), "does not tell its structure"),
        (lambda texts, arrays: arrays.update(more=ITEMS), "nothing tells what its array"),
        (lambda texts, arrays: arrays.pop("label_ends"), "label_ends is missing"),
        (lambda texts, arrays: arrays.update(items=ITEMS.astype(float)), "float64, not float32"),
        (lambda texts, arrays: arrays.update(items=ITEMS * np.float32(1e20)), "items holds"),
        (lambda texts, arrays: arrays.update(items=ITEMS[:, :2].copy()), "in place of"),
        (lambda texts, arrays: arrays.update(labels=arrays["labels"] | 128), "are no text"),
        (lambda texts, arrays: arrays.update(label_ends=arrays["label_ends"] * -1), "follow"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(change, words):
    with pytest.raises(DataError, match=rf"holds no sound index: .*({words})"):
        load(io.BytesIO(crafted(stored(n_clusters=9), change)))
