"""Taking an index away from the Build page, and opening one there, run headless."""

import io
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mips_core import load
from mips_core.data.metrics import MEASURES
from mips_core.methods.kmeans import flat
from mips_core.serving.other_libraries import contract
from pages._ui.build import download
from pages._ui.build.download import python_snippet
from pages._ui.tune import recommendation
from pages._ui.work import data_files, results, uploads
from tests.pages.conftest import MAIN, small_dataset
from tests.pages.data_page import button, read_on, session_of, texts

HOSTILE = "<b>x</b> $x^2$ [y](http://z) :red[w]"
INDEX = "flat-kmeans:n_clusters=31"


def visit(page="build.py", **address):
    """A new visitor's page."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": "flat-kmeans", "index": INDEX, **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / page)).run()
    return read_on(at)


def files_of(at):
    """What the page would save now."""
    chosen = session_of(at)
    built = chosen.measurement_of(chosen.index).built
    return download.files_of(chosen, built, chosen.effort)


def saved(*, with_items=True, **address):
    """An index as one visitor saves it; the next finds nothing in memory."""
    files = files_of(visit(**{"effort": "4", "seed": "5", **address}))
    content = (files if with_items else files.without_items()).saved().getvalue()
    results._KEPT.clear()
    return content


def open_file(at, content, name="mine.mips"):
    at.file_uploader[0].set_value((name, content, "")).run()
    return read_on(at)


def nothing_changed(at, before):
    chosen = session_of(at)
    return (chosen.data, chosen.kept, chosen.position, chosen.seed, chosen.metric) == before


def state(at):
    chosen = session_of(at)
    return chosen.data, chosen.kept, chosen.position, chosen.seed, chosen.metric


@pytest.fixture
def builds(monkeypatch):
    """What is built of clusters from here on."""
    build_tree, made = flat.build_tree, []

    def counted(*asked):
        made.append(asked)
        return build_tree(*asked)

    monkeypatch.setattr(flat, "build_tree", counted)
    return made


@pytest.mark.parametrize("with_items", [True, False])
def test_an_index_of_the_data_in_use_is_used_as_it_is(request, temporary, with_items):
    content = saved(with_items=with_items)
    at = visit(index="flat-kmeans:n_clusters=9", effort="2")
    kept, builds = session_of(at).kept, request.getfixturevalue("builds")
    open_file(at, content)
    chosen = session_of(at)
    assert (chosen.index.n_clusters, chosen.seed, chosen.effort) == (31, 5, 4)
    assert chosen.kept == [*kept, chosen.index]
    asked = chosen.measurement_of(chosen.index)
    assert asked.built.took == r"opened from mine\.mips"
    assert asked.evaluation is not None
    assert builds == []
    assert "mine.mips is open. Flat k-means, 31 clusters, 4 probes, seed 5." in said(at)
    assert "31 clusters · opened from mine.mips" in said(at)
    assert list(temporary.glob(f"{data_files.PREFIX}*")) == []
    visit(seed="5")  # to others the file means nothing
    assert len(builds) == 1


def said(at):
    return " ".join(box.value.replace("\\", "").replace("**", "") for box in at.success)


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
    chosen = session_of(at)
    assert chosen.source.name == HOSTILE
    assert chosen.dataset.fingerprint == theirs.fingerprint
    assert (chosen.index.n_clusters, chosen.seed, chosen.effort) == (31, 5, 4)
    assert chosen.measurement_of(chosen.index).built.file
    assert uploads.find(chosen.data) is chosen.source
    assert list(chosen.source.labels) == small_dataset().labels
    if metric != "cosine":  # the lengths are gone there
        np.testing.assert_array_equal(chosen.source.items, small_dataset().items)


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


def test_a_seed_that_queries_cannot_have_is_refused():
    at = visit()
    files = files_of(at)
    object.__setattr__(files.stored, "seed", 2**31 + 1)
    results._KEPT.clear()
    open_file(at, files.saved().getvalue())
    assert "seed is 2147483649, outside 0 to" in at.error[0].value.replace("\\", "")
    assert session_of(at).seed == 0


def test_the_section_follows_the_effort_and_says_sizes():
    at = visit(effort="4")
    box = next(box for box in at.selectbox if box.label == "Probes")
    assert box.value == 4
    box.set_value(9).run()
    assert session_of(at).effort == 9
    code = [block.value for block in at.code]
    assert 'mips_core.load("small-flat-kmeans.mips")' in code[0]
    assert "At 9 probes" in code[0]
    assert "index.nprobe = 9" in code[2]
    labels = [b.proto.label for b in at.get("download_button")]
    assert labels[0].startswith("Download index, ")
    assert labels[1].startswith("Download for faiss, ")
    files = files_of(at)
    assert len(files.saved().getvalue()) == pytest.approx(files.size, rel=0.3)  # a header of 8 kB
    at.toggle(key="take items").set_value(False).run()
    assert 'np.load("items.npy")' in at.code[0].value
    assert at.get("download_button")[0].proto.label != labels[0]


def test_of_very_many_efforts_a_number_is_asked(monkeypatch):
    monkeypatch.setattr(download, "MOST_LISTED", 30)
    at = visit(effort="4")
    next(n for n in at.number_input if n.label == "Probes, of 31").set_value(7).run()
    assert session_of(at).effort == 7
    assert "At 7 probes" in at.code[0].value


def test_what_faiss_cannot_run_is_said(monkeypatch):
    at = visit(index="srp-hash")
    assert "Not for faiss. faiss opens lists that centroids choose" in texts(at)
    assert len(at.code) == 2
    monkeypatch.setattr(contract, "find_spec", lambda package: None)
    at = visit()
    assert "For faiss it must be installed here: `pip install faiss-cpu`" in texts(at)


def test_snippets_run(tmp_path):
    files = files_of(visit(effort="4", metric="cosine"))
    X, code = small_dataset().items, []
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", X[:20])
    for made in (files, replace(files.without_items(), stem="without")):
        (tmp_path / made.name).write_bytes(made.saved().getvalue())
        code.append(python_snippet(made, 10) + f"np.save('ids {made.with_items}.npy', ids)\n")
    (tmp_path / "ask.py").write_text("\n".join(code))
    env = os.environ | {"PYTHONPATH": str(MAIN.parents[2])}
    subprocess.run([sys.executable, "ask.py"], cwd=tmp_path, env=env, check=True)
    ids, _ = files.stored.search(X[:20], 10)
    for with_items in (True, False):
        np.testing.assert_array_equal(np.load(tmp_path / f"ids {with_items}.npy"), ids)


def test_how_long_an_opened_index_took_to_build_is_not_known():
    content = saved()
    at = visit(seed="5", index="flat-kmeans:n_clusters=9")
    open_file(at, content)
    at.switch_page(str(MAIN.parents[1] / "tune.py")).run()
    read_on(at)
    assert "built in an unknown time" in texts(at)
    answer = recommendation.answer_of(session_of(at))
    text = json.dumps(answer.as_dict(), allow_nan=False)
    assert '"seconds": null' in text
