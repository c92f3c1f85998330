"""Opening an index on the Build page: what is offered, what is refused."""

import io

import numpy as np
import pytest

from mips_core import load
from mips_core.data.metrics import MEASURES
from pages._ui.work import uploads
from tests.pages.build_page import open_file, said, saved, visit
from tests.pages.conftest import small_dataset
from tests.pages.data_page import button, read_on, session_of, texts

HOSTILE = "<b>x</b> $x^2$ [y](http://z) :red[w]"


def nothing_changed(at, before):
    session = session_of(at)
    return (session.data, session.kept, session.position, session.seed, session.metric) == before


def state(at):
    session = session_of(at)
    return session.data, session.kept, session.position, session.seed, session.metric


@pytest.mark.parametrize("metric", list(MEASURES))
def test_an_index_with_other_vectors_offers_them(use, metric):
    use(small_dataset(name=HOSTILE))
    content = saved(metric=metric)
    theirs = load(io.BytesIO(content))
    use(small_dataset(n=90))
    at = visit(queries="own 500 0.1 no")
    before = state(at)
    open_file(at, content, f"{HOSTILE}.mips")
    assert nothing_changed(at, before)
    assert f"built on {HOSTILE.partition(':')[0]}" in texts(at)  # the address is parted
    assert "400 × 6" in texts(at)
    button(at, "Use its vectors and this index").click().run()
    read_on(at)
    session = session_of(at)
    assert session.source.name == HOSTILE
    assert session.dataset.fingerprint == theirs.fingerprint
    assert (session.index.n_clusters, session.seed, session.effort) == (31, 5, 4)
    assert session.measurement_of(session.index).built.file
    assert uploads.find(session.data, session.share.key) is session.source
    assert list(session.source.labels) == small_dataset().labels
    if metric != "cosine":  # the lengths are gone there
        np.testing.assert_array_equal(session.source.items, small_dataset().items)


def test_an_index_without_its_vectors_waits_for_its_data(use):
    content = saved(with_items=False)
    use(small_dataset(n=90, name="small too"))
    at = visit()
    before = state(at)
    open_file(at, content)
    assert nothing_changed(at, before)
    assert "mine.mips holds Flat k-means, 31 clusters, 4 probes, seed 5, built on small" in texts(
        at
    )
    assert "Open its data on Data, then come back: the file stays here." in texts(at)
    dataset = small_dataset()
    session_of(at).use(dataset, dataset.fingerprint, session_of(at).recipe)
    read_on(at)
    assert "mine.mips is open." in said(at)
    assert session_of(at).seed == 5


def test_an_index_by_another_metric_of_the_data_in_use_offers_the_metric():
    content = saved(metric="euclidean")
    at = visit()
    before = state(at)
    open_file(at, content)
    assert nothing_changed(at, before)
    button(at, "Search by Euclidean distance, with this index").click().run()
    read_on(at)
    assert session_of(at).metric == "euclidean"
    assert session_of(at).measurement_of(session_of(at).index).built.file == "mine.mips"


REFUSED = {
    "of-faiss.mips": (b"IwFl" + bytes(60), "is a file of faiss.** Those are never read here"),
    "x.FAISS": (b"1", "is a file of faiss.** Those are never read here"),
    "words.mips": (b"hello", "is not an index file"),
    "empty.mips": (b"", "is not an index file"),
}


@pytest.mark.parametrize("name", [*REFUSED, "flipped.mips"])
def test_what_is_no_index_is_refused_with_the_reason(name):
    content, words = REFUSED.get(name, (b"", "is damaged"))
    if name == "flipped.mips":
        content = bytearray(saved())
        content[len(content) // 2] ^= 1
    at = visit()
    before = state(at)
    open_file(at, bytes(content), name)
    assert nothing_changed(at, before)
    (error,) = (box.value.replace("\\", "") for box in at.error)
    assert f"{name} {words}" in error
    assert error.endswith("Your data and indexes are unchanged.")
