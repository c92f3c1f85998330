"""A saved index answers as the one that was saved, whatever it is built of."""

import io
import weakref
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

import mips_core
from mips_core import INDEXES, Dataset, NestedSearcher, StoredIndex, rng_for, save, searched_by
from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import DataError, ParamError
from mips_core.base.threads import limited
from mips_core.data.metrics import shown
from mips_core.methods.reductions import PadToSphere, Reduction
from mips_core.methods.search import search
from mips_core.serving.store import stored_index
from mips_core.studies.drift import can_update, change_of, updated
from tests.mips_core.methods.test_contract import SPECS, some

EXTREME = {name: index for name, index in SPECS.items() if not name.endswith("-default")}
METRICS = ("inner product", "cosine", "euclidean")


def copied(stored, **given):
    """`stored`, saved to memory and loaded."""
    file = io.BytesIO()
    save(file, stored)
    return mips_core.load(file, **given)


def data(metric="inner product", n=60, d=4, labels=None):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    Q = rng.normal(size=(20, d)).astype(np.float32)
    return X, Q, searched_by(Dataset(X, Q, labels=labels, name="some items"), metric)


def built(dataset, key="flat-kmeans", effort=None, **parameters):
    index = INDEXES[key](**parameters)
    return stored_index(dataset, index, 0, index.build(dataset.items, rng_for(0)), effort)


def same(found, expected):
    """Whether two sequences of arrays are equal, in values, dtypes and order."""
    pairs = list(zip(found, expected, strict=True))
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


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
        wanted = answers[0]
        assert np.array_equal(new.first_found(queries, wanted), old.first_found(queries, wanted))


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


def test_arrays_that_are_one_are_stored_once_and_stay_one():
    _, _, dataset = data()
    loaded = copied(built(dataset))
    tree = loaded.structure
    assert tree.levels[0].centroids is tree.histories[0].centroids
    assert tree.levels[0].labels is tree.histories[0].labels


def test_other_programs_read_the_arrays(tmp_path):
    _, _, dataset = data()
    stored = built(dataset)
    save(tmp_path / "a.mips", stored)
    arrays = safetensors.numpy.load_file(tmp_path / "a.mips")
    assert np.array_equal(arrays["items"], dataset.items)
    level = stored.structure.levels[0]
    assert np.array_equal(arrays["structure.levels.0.centroids"], level.centroids)
    with safetensors.safe_open(tmp_path / "a.mips", "numpy") as file:
        assert file.metadata()["format"] == "mips-explorer-index"


def test_the_same_index_makes_the_same_bytes(tmp_path):
    _, _, dataset = data()
    for name in ("a", "b"):
        save(tmp_path / name, built(dataset))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


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


@dataclass(frozen=True)
class NewIndex(INDEXES["largest-norm"]):
    """One that the store has never heard of."""

    def build(self, X, rng, progress=None) -> Shelf[Pair]:
        first, second = Pair("é", np.array([0.1, 1e-320])), Pair("", None)
        size = (2**60, 1 / 3)
        return Shelf(len(X), first, (first, second), size, True, PadToSphere(), np.arange(len(X)))

    def searcher(self, structure):
        return super().searcher(structure.order)


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
