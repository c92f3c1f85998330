"""A saved index answers as the one that was saved, whatever it is built of."""

import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mips_core import (
    INDEXES,
    Dataset,
    NestedSearcher,
    rng_for,
    searched_by,
)
from mips_core.base.errors import DataError, ParamError
from mips_core.base.threads import limited
from mips_core.data.metrics import shown
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.search import search
from mips_core.serving.store import stored_index
from mips_core.serving.store.stored import held_data
from tests.mips_core.methods.test_contract import SPECS, some
from tests.mips_core.serving.store.built_indexes import METRICS, built, copied, data, same

EXTREME = {name: index for name, index in SPECS.items() if not name.endswith("-default")}


@pytest.mark.parametrize("index", [cls() for cls in INDEXES.values()], ids=INDEXES)
def test_a_loaded_index_is_the_one_that_was_saved(index, items, queries):
    check_same(index, items, queries)


@pytest.mark.parametrize("items", [(64, 3)], indirect=True, ids=["n64-d3"])
@pytest.mark.parametrize("index", EXTREME.values(), ids=EXTREME)
def test_so_is_one_at_extreme_parameters(index, items, queries):
    check_same(index, items, queries)


def check_same(index, items, queries):
    """Candidates, ledger, traces, groups, sweeps and answers, at one thread and two."""
    structure = index.build(items, rng_for(0))
    stored = stored_index(Dataset(items), index, 0, structure)
    loaded = copied(stored)
    old, new = stored.searcher, loaded.searcher
    assert (loaded.index, type(new), list(new.efforts())) == (index, type(old), list(old.efforts()))
    assert same(new.groups(), old.groups())
    for effort in some(old.efforts()):
        a, b = (searcher.candidates(queries, effort, 3) for searcher in (new, old))
        assert same((a.starts, a.ids), (b.starts, b.ids))
        assert a.spent.keys() == b.spent.keys()
        assert same(a.spent.values(), b.spent.values())
        for step, expected in zip(
            new.trace(queries[0], effort, 3), old.trace(queries[0], effort, 3), strict=True
        ):
            assert (step.part, step.spent) == (expected.part, expected.spent)
            assert same((step.scored, step.kept), (expected.scored, expected.kept))
        answers = search(old, items, queries, 3, effort)
        for threads in (1, 2):
            with limited(threads):
                assert same(loaded.search(queries, 3, effort), answers)
    if isinstance(old, NestedSearcher):
        assert np.array_equal(new.sweep(queries, answers[0])[0], old.sweep(queries, answers[0])[0])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("with_items", [True, False])
def test_raw_queries_are_asked_and_scores_told_by_the_metric(metric, with_items):
    X, Q, dataset = data(metric)
    stored = built(dataset, effort=3)
    expected, scores = search(stored.searcher, dataset.items, dataset.queries, 5, 3)
    loaded = copied(replace(stored, items=stored.items if with_items else None))
    if not with_items:
        with pytest.raises(DataError, match="saved without its items"):
            loaded.search(Q, 5)
        loaded = loaded.with_items(X)
    ids, told = loaded.search(Q, 5)
    assert np.array_equal(ids, expected)
    assert np.array_equal(told, shown(dataset, dataset.queries, scores))
    by_hand = {
        "inner product": lambda x, q: x @ q,
        "cosine": lambda x, q: x @ q / np.linalg.norm(x) / np.linalg.norm(q),
        "euclidean": lambda x, q: np.linalg.norm(x - q),
    }[metric]
    best = by_hand(X[ids[0, 0]].astype(float), Q[0].astype(float))
    assert told[0, 0] == pytest.approx(best, rel=1e-6)
    again = copied(loaded, items=dataset.items)  # as they are searched
    assert same(again.search(Q, 5), (ids, told))


@pytest.mark.parametrize("metric", METRICS)
def test_items_lie_in_memory_once_and_are_there_after_they_were_laid_out(metric):
    _, Q, dataset = data(metric)
    loaded = copied(built(dataset, effort=3))
    held, first = weakref.ref(loaded.items), copied(loaded)
    answers = loaded.search(Q, 5)
    assert held() is None
    assert np.array_equal(loaded.items, dataset.items)
    assert same(loaded.search(Q, 5), answers)
    assert same(copied(loaded).search(Q, 5), answers)
    assert same(first.with_items(loaded.items).search(Q, 5), answers)
    assert replace(loaded, items=None).items is None


def test_a_softmax_layer_takes_hidden_states():
    rng = np.random.default_rng(0)
    W, b = rng.normal(size=(50, 4)).astype(np.float32), rng.normal(size=50).astype(np.float32)
    h = rng.normal(size=(6, 4)).astype(np.float32)
    loaded = copied(built(Dataset(np.column_stack([W, b]), logits=True), "exact"))
    ids, scores = loaded.search(h, 2)
    logits = h.astype(float) @ W.T.astype(float) + b
    assert np.array_equal(ids[:, 0], logits.argmax(axis=1))
    np.testing.assert_allclose(scores[:, 0], logits.max(axis=1), rtol=1e-12)
    whole = np.column_stack([h, np.ones(6, np.float32)])
    assert same(loaded.search(whole, 2), (ids, scores))


def test_queries_that_cannot_be_asked_are_refused_in_words():
    _, Q, dataset = data()
    stored = built(dataset, effort=1)
    with pytest.raises(DataError, match="The queries have 3 dimensions, the items 4"):
        stored.search(Q[:, :3], 5)
    with pytest.raises(DataError, match="nan in row 2"):
        stored.search(np.where(np.arange(20)[:, None] == 2, np.nan, Q), 5)
    with pytest.raises(DataError, match="has 1 dimension"):
        stored.search(Q[0], 5)
    with pytest.raises(ParamError, match="K is 0"):
        stored.search(Q, 0)
    with pytest.raises(ParamError, match="Effort 99 is not offered"):
        stored.search(Q, 5, effort=99)
    with pytest.raises(ParamError, match=r"No effort was chosen.*Give one: 1 to 8 probes"):
        built(dataset).search(Q, 5)
    ids, scores = stored.search(Q[:0], 5)
    assert ids.shape == scores.shape == (0, 5)
    ids, scores = stored.search(Q, 61)
    assert (ids[:, -1] == -1).all()
    assert (scores[:, -1] == -np.inf).all()


def test_other_items_are_refused_with_both_sizes():
    X, _, dataset = data("cosine")
    stored = copied(replace(built(dataset), items=None))
    words = "built on other data: some items, 60 items of 4 dimensions; these are 59 items of 4"
    with pytest.raises(DataError, match=words):
        stored.with_items(X[:59])
    with pytest.raises(DataError, match="60 items of 4 dimensions; these are 60 items of 4"):
        copied(built(dataset), items=np.roll(X, 1, axis=0))


def test_a_structure_of_other_items_is_not_stored():
    _, _, dataset = data()
    other = built(data(n=50)[2])
    with pytest.raises(DataError, match="The structure holds 50 items, some items 60"):
        stored_index(dataset, other.index, 0, other.structure)
    mine = built(dataset)
    with pytest.raises(ParamError, match="Effort 0 is not offered"):
        stored_index(dataset, mine.index, 0, mine.structure, 0)
    by_hand = Dataset(dataset.items, metric="cosine")
    with pytest.raises(ParamError, match="does not say how its vectors were converted"):
        stored_index(by_hand, mine.index, 0, mine.structure)


ENTRIES = st.floats(-1e6, 1e6, width=32)


def stored_of(X, metric="inner product", **known):
    data = searched_by(Dataset(X, **known), metric)
    index = FlatKMeans()
    return stored_index(data, index, 0, index.build(data.items, rng_for(0)))


@given(
    arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=ENTRIES),
    st.sampled_from([0, 7, 1e3, -123456.7]),
    st.sampled_from(["inner product", "cosine", "euclidean"]),
)
def test_they_are_searched_as_before(X, offset, metric):
    X = X + np.float32(offset)
    if not X.any():
        return
    stored = stored_of(X, metric)
    source, by = held_data(stored)
    assert searched_by(source, by).fingerprint == stored.fingerprint
    if metric != "cosine":
        np.testing.assert_array_equal(source.items, X)


def test_what_else_is_known_comes_along():
    X, labels = np.eye(3, dtype=np.float32), ["a", "b", "c"]
    stored = stored_of(X, labels=labels, name="mine", simulated=True, logits=True)
    source, metric = held_data(stored)
    assert (source.labels, source.name, source.simulated, source.logits) == (
        labels,
        "mine",
        True,
        True,
    )
    assert (source.m, metric) == (0, "inner product")


def test_an_index_without_items_holds_no_data():
    stored = stored_of(np.eye(3, dtype=np.float32), name="mine")
    object.__setattr__(stored, "items", None)
    with pytest.raises(DataError, match="index of mine was saved without its items"):
        held_data(stored)
