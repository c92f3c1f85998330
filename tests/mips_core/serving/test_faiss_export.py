"""An exported index meets the same candidates in faiss, at the same count."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES, DataError, Dataset, MipsError, ParamError, rng_for, searched_by
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.head_search import HeadSearcher
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.reductions import PadToSphere, PaperAugment, Plain
from mips_core.serving.faiss_export import (
    faiss_bytes,
    faiss_file,
    faiss_index,
    faiss_snippet,
    runs_in_faiss,
    why_not_in_faiss,
)
from mips_core.serving.other_libraries import contract
from mips_core.serving.store import stored_index

REDUCTIONS = [PaperAugment(), PaperAugment(U=0.9, m=5), PadToSphere(), Plain()]
METRICS = ["inner product", "cosine", "euclidean"]


def faiss():
    return pytest.importorskip("faiss", reason="faiss is not installed: pip install faiss-cpu")


def built(index, data, seed=0):
    return stored_index(data, index, seed, index.build(data.items, rng_for(seed)))


def normal(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def drawn(seed):
    """A random index of those faiss can run, and the data it is built on, as they are searched."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 400)), int(rng.integers(1, 24))
    k = int(rng.integers(1, n + 1))
    how = {
        "reduction": REDUCTIONS[seed % 4],
        "max_rounds": int(rng.integers(1, 8)),
        "empty": str(rng.choice(["drop", "reseed"])),
        "start": str(rng.choice(["assignment", "points"])),
    }
    probing = str(rng.choice(["centroid", "mean", "spread"]))
    index = [
        FlatKMeans(n_clusters=k, **how),
        HierarchicalKMeans(n_levels=2 + seed % 3, n_clusters=k, **how),
        HierarchicalKMeans(n_levels=2, n_clusters=k, coarse_probes=1 + seed % 4, **how),
        HeadKMeans(head=float(rng.choice([0, 0.1, 0.5])), n_clusters=k, probing=probing, **how),
    ][seed // 4 % 4]
    X = rng.normal(size=(n, d)) * rng.lognormal(sigma=1, size=(n, 1)) + rng.normal(size=d)
    Q = rng.normal(size=(9, d)) * rng.lognormal(sigma=2, size=(9, 1))
    data = Dataset(X.astype(np.float32), Q.astype(np.float32))
    return index, searched_by(data, METRICS[seed % 3])


def asked(exported, Q):
    """Queries as the snippet makes them: [q, |q|] where the index was exported so."""
    if exported.d == Q.shape[1]:
        return Q
    return np.column_stack([Q, np.linalg.norm(Q, axis=1)]).astype(np.float32)


def some(efforts):
    return {efforts[0], efforts[len(efforts) // 3], efforts[len(efforts) // 2], efforts[-1]}


@pytest.fixture
def one_faiss_thread():
    """faiss counts without a lock: where two of its threads ask a quantizer, counts get lost."""
    threads = faiss().omp_get_max_threads()
    faiss().omp_set_num_threads(1)
    yield
    faiss().omp_set_num_threads(threads)


@pytest.mark.parametrize("seed", range(50))
def test_the_same_candidates_at_the_same_count(seed, one_faiss_thread):
    counted = faiss().cvar.indexIVF_stats
    index, data = drawn(seed)
    stored = built(index, data, seed)
    for effort in some(stored.searcher.efforts()):
        file = np.frombuffer(faiss_file(stored, effort), np.uint8)
        exported = faiss().deserialize_index(file)
        counted.reset()
        _, ids = exported.search(asked(exported, data.queries), data.n)
        ours = stored.searcher.candidates(data.queries, effort, 10)
        for row, start, stop in zip(ids, ours.starts, ours.starts[1:], strict=False):
            assert sorted(row[row >= 0]) == sorted(ours.ids[start:stop])
        total = counted.ndis + data.m * coarsest(exported).ntotal
        assert total - ours.cost.sum() == data.m * more_in_faiss(stored.searcher, effort)


def coarsest(index):
    while hasattr(index, "nprobe"):
        index = faiss().downcast_index(index.quantizer)
    return index


def more_in_faiss(searcher, effort):
    """What faiss counts beyond our cost of a query: nothing, but for a head (see `_of_head`)."""
    if not isinstance(searcher, HeadSearcher):
        return 0
    return searcher.heads + searcher.k - searcher.compared(effort)


@pytest.mark.parametrize("key", sorted(INDEXES))
def test_an_index_runs_in_faiss_or_says_why_not(key):
    stored = built(INDEXES[key](), Dataset(normal(60, 5)))
    assert all(
        runs_in_faiss(index) is (why_not_in_faiss(stored) == "")  # of any size, without a build
        for index in (INDEXES[key](), *INDEXES[key].grid(20_000, 50))
    )
    effort = stored.searcher.efforts()[0]
    if key in ("flat-kmeans", "hierarchical-kmeans", "head-kmeans"):
        assert why_not_in_faiss(stored) == ""
        faiss()
        assert faiss_index(stored, effort).ntotal == 60
        return
    assert why_not_in_faiss(stored).endswith("this index has none.")
    for ask in (faiss_index, faiss_file):
        with pytest.raises(ParamError, match=r"has none\. Flat and hierarchical k-means can"):
            ask(stored, effort)


def test_copies_of_items_are_refused():
    assert runs_in_faiss(HeadKMeans(n_clusters=500, copies=1))
    assert not runs_in_faiss(HeadKMeans(n_clusters=500, copies=2))
    stored = built(HeadKMeans(copies=2), Dataset(normal(60, 5)))
    with pytest.raises(ParamError, match="answer them twice"):
        faiss_index(stored, 1)


@pytest.mark.parametrize("index", [FlatKMeans(n_clusters=7), HierarchicalKMeans(), HeadKMeans()])
def test_items_that_are_all_equal_are_all_found(index):
    stored = built(index, Dataset(np.ones((30, 4), np.float32)))
    exported = faiss() and faiss_index(stored, stored.searcher.efforts()[-1])
    _, ids = exported.search(asked(exported, normal(3, 4)), 30)
    assert np.sort(ids, axis=1).tolist() == [list(range(30))] * 3


@pytest.mark.parametrize("index", [FlatKMeans(), HierarchicalKMeans(), HeadKMeans()])
def test_one_item_of_one_dimension(index):
    stored = built(index, Dataset(np.float32([[2]])))
    exported = faiss() and faiss_index(stored, 1)
    _, ids = exported.search(asked(exported, np.float32([[3], [-1]])), 4)
    assert ids.tolist() == [[0, -1, -1, -1]] * 2


def test_what_cannot_be_exported_is_said():
    stored = built(FlatKMeans(n_clusters=5), Dataset(normal(30, 4), name="mine"))
    with pytest.raises(ParamError, match=r"Effort 6 is not offered\. Efforts go from 1 to 5"):
        faiss_snippet(stored, 6, 10, "x.faiss")
    with pytest.raises(
        DataError, match=r"index of mine was saved without its items\. Load it with"
    ):
        faiss_index(replace(stored, items=None), 1)


def test_the_size_is_told_before_the_file_is_made():
    faiss()
    for seed in (0, 5, 8, 12):
        stored = built(*drawn(seed))
        size = len(faiss_file(stored, stored.searcher.efforts()[0]))
        assert abs(size - faiss_bytes(stored)) < 1000 + 10 * stored.n


def test_without_faiss_the_line_that_adds_it_is_named(monkeypatch):
    def absent(package):
        raise ImportError("No module named 'faiss'")

    monkeypatch.setattr(contract, "import_module", absent)
    stored = built(FlatKMeans(), Dataset(normal(9, 2)))
    assert "faiss.read_index" in faiss_snippet(stored, 1, 1, "x.faiss")
    with pytest.raises(MipsError, match="pip install faiss-cpu"):
        faiss_file(stored, 1)


# What people have: vectors with an offset that Euclidean distances are freed of, a softmax layer.
SNIPPETS = {
    "inner product": (FlatKMeans(), {}),
    "cosine": (HierarchicalKMeans(n_levels=3), {"metric": "cosine"}),
    "euclidean": (HierarchicalKMeans(coarse_probes=4), {"metric": "euclidean", "offset": 100}),
    "euclidean at the origin": (HeadKMeans(head=0), {"metric": "euclidean"}),
    "softmax": (HeadKMeans(head=0.05), {"logits": True}),
}


def test_snippets_answer_as_we_do(tmp_path):
    faiss()
    texts, wanted = [], []
    for number, (index, how) in enumerate(SNIPPETS.values()):
        X, Q = normal(500, 12) + how.get("offset", 0), normal(20, 12, 1) + how.get("offset", 0)
        data = Dataset(X, logits=how.get("logits", False))
        stored = built(index, searched_by(data, how.get("metric", "inner product")))
        effort = stored.searcher.efforts()[4]
        Q = Q[:, :-1] if stored.logits else Q
        file = f"it's {number}.faiss"
        (tmp_path / file).write_bytes(faiss_file(stored, effort))
        np.save(tmp_path / f"queries{number}.npy", Q)
        text = faiss_snippet(stored, effort, 7, file)
        texts.append(text.replace("queries.npy", f"queries{number}.npy"))
        scores = "distances" if stored.metric == "euclidean" else "scores"
        texts.append(f"np.savez('found{number}.npz', ids=ids, scores={scores})\n")
        wanted.append(stored.search(Q, 7, effort))
    (tmp_path / "asked.py").write_text("\n".join(texts))
    subprocess.run([sys.executable, "asked.py"], cwd=tmp_path, check=True)
    for number, (ids, scores) in enumerate(wanted):
        found = np.load(tmp_path / f"found{number}.npz")
        np.testing.assert_array_equal(found["ids"], ids)
        np.testing.assert_allclose(found["scores"], scores, rtol=1e-3, atol=1e-4)
