"""Map, run headless: what is drawn, what its choices lead to, and what is said where little is."""

import time
from dataclasses import replace
from itertools import count

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from mips_core import INDEXES, Dataset, rng_for
from mips_core.base.errors import DataError
from mips_core.data.classifier import layer_items, layer_queries
from mips_core.evaluation.one_query import ask, question_of_item, true_answers
from mips_core.figures.map import PointColours
from mips_core.groups.projection import Layout, pca_layout
from mips_core.groups.projection.run import framed
from pages._ui.elements import blobs
from pages._ui.map import downloads, page, work
from pages._ui.map.colours import MOST_KINDS
from pages._ui.map.scene import scene_of
from pages._ui.parts import map_space
from pages._ui.work import jobs
from tests.pages.conftest import MAIN, small_dataset
from tests.pages.test_pages import session_of, texts
from tests.pages.test_wire import unpack

SERIAL = count(1)


@pytest.fixture(autouse=True)
def fits(monkeypatch):
    """A layout that comes at once in the place of UMAP's; what it was asked for."""
    asked = []

    def project(dataset, recipe, reduction, progress):
        asked.append((recipe, reduction))
        rows = map_space.Space(recipe, reduction).rows(dataset)
        xy = framed(pca_layout(rows))
        progress(0.5, "UMAP, epoch 120 of 200", Layout(xy, "umap", False, epoch=120, epochs=200))
        return Layout(-xy, "umap", note="all settled", epoch=200, epochs=200)

    monkeypatch.setattr(work, "project", project)
    return asked


def opened(**address):
    """The Map page of a new visitor, with no more measured than it asks for."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": ["none"], **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / "map.py"))
    return at.run()


def settled(at):
    """The page once everything is there."""
    assert jobs.wait(60)
    at.run()
    assert jobs.wait(60)  # what hangs on what came first
    assert not at.exception
    return at.run()


def a_map(**address):
    return settled(opened(**address))


def message(at):
    """What the map is told; None where there is none."""
    found = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "mips_map"]
    return unpack(found[0].bytes) if found else None


def held(blob):
    """What a block holds."""
    data = blobs._KEPT[blob["address"].rpartition("/")[2]]
    return np.frombuffer(data, "<" + np.dtype(blob["type"]).str[1:])


def do(at, **done):
    """What the browser says was done on the map."""
    told = message(at)
    level = told["levels"][told["level"]]["of"]["address"] if told["levels"] else None
    search = told["followed"] and told["followed"]["opened"]["address"]
    about = {"topic": told["topic"], "level": level, "search": search, "serial": next(SERIAL)}
    at.session_state[page.ELEMENT] = {"choice": {**about, **done}}
    return at.run()


def runs(items):
    """Items as the browser writes them: one bit for each."""
    import base64

    bits = np.zeros(max(items) + 1, np.uint8)
    bits[items] = 1
    return base64.b64encode(b"\1" + np.packbits(bits, bitorder="little").tobytes()).decode()


def widget(elements, label):
    return next(e for e in elements if e.label.startswith(label))


def progress(at):
    """What the lines of progress say."""
    return " ".join(e.proto.text for e in at.get("progress"))


def until(at, said):
    """The page once its progress says this."""
    deadline = time.monotonic() + 20
    while said not in progress(at):
        assert time.monotonic() < deadline, progress(at)
        at.run()
    return at


def table(at):
    return at.dataframe[0].value


def test_the_first_picture_is_there_before_umap_and_umap_streams_into_it(monkeypatch):
    hold = []

    def project(dataset, recipe, reduction, progress):
        xy = framed(pca_layout(map_space.Space(recipe, reduction).rows(dataset)))
        while not hold:
            progress(0.4, "UMAP, epoch 80 of 200", Layout(-xy, "umap", False, epoch=80))
            time.sleep(0.01)
        return Layout(2 * xy, "umap", epoch=200)

    monkeypatch.setattr(work, "project", project)
    at = opened()
    first = message(at)
    assert first["n"] == 400
    assert not first["layout"]["settled"]
    pca = framed(pca_layout(map_space.rows_of(session_of(at).dataset, "index", None)))
    at = until(at, "UMAP, epoch 80 of 200").run()
    assert held(message(at)["layout"]["places"]) == pytest.approx(-pca.ravel())
    hold.append(True)
    last = message(settled(at))
    assert last["layout"]["settled"]
    assert held(last["layout"]["places"]) == pytest.approx(2 * pca.ravel())
    assert last["topic"] == first["topic"]
    assert not [b for b in at.button if b.key == "cancel map"]


def test_a_map_is_cancelled_and_started_again(monkeypatch, fits):
    quick = work.project

    def slow(dataset, recipe, reduction, progress):
        xy = np.zeros((dataset.n, 2), np.float32)
        while True:
            progress(0.4, "UMAP, epoch 120 of 200", Layout(xy, "umap", False, epoch=120))
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(work, "project", slow)
        at = opened()
        at = until(at, "UMAP, epoch 120 of 200").run()
        at.button(key="cancel map").click().run()
        at = settled(at)
        assert "**Cancelled at epoch 120.** The picture stays as it is." in texts(at)
        assert message(at)["layout"]["settled"]
        assert not held(message(at)["layout"]["places"]).any()
        assert not fits
    assert work.project is quick
    at.button(key="again map").click().run()
    at = settled(at)
    assert len(fits) == 1
    assert "Cancelled" not in texts(at)
    assert message(at)["layout"]["note"] == "all settled"


def test_a_map_that_was_cancelled_stays_so_while_another_visitor_goes_on(monkeypatch):
    hold = []

    def slow(dataset, recipe, reduction, progress):
        xy = framed(pca_layout(map_space.Space(recipe, reduction).rows(dataset)))
        while not hold:
            progress(0.4, "UMAP, epoch 120 of 200", Layout(xy, "umap", False, epoch=120))
            time.sleep(0.01)
        return Layout(2 * xy, "umap", epoch=200)

    monkeypatch.setattr(work, "project", slow)
    first = until(opened(), "UMAP, epoch 120 of 200").run()
    second = opened()
    first.button(key="cancel map").click().run()
    second = until(second, "UMAP, epoch 120 of 200").run()
    first.run()
    assert "**Cancelled at epoch 120.** The picture stays as it is." in texts(first)
    assert progress(second) == "**Map** · UMAP, epoch 120 of 200"
    hold.append(True)
    done = held(message(settled(second))["layout"]["places"])
    assert "Cancelled" not in texts(first.run())
    assert held(message(first)["layout"]["places"]) == pytest.approx(done)


def test_a_map_that_cannot_be_made_says_so_and_the_shadow_stays(monkeypatch):
    def fails(*_):
        raise DataError("The process that makes maps ended.", "Start it again.")

    monkeypatch.setattr(work, "project", fails)
    at = a_map()
    assert "The process that makes maps ended" in " ".join(e.value for e in at.error)
    assert message(at)["n"] == 400
    assert at.button(key="again map")


def test_only_what_moves_the_items_makes_a_new_map(fits):
    at = a_map()
    for name, value in (("colour", "norm"), ("names", False), ("outlines", "hull")):
        session_of(at).states["map"] = replace(session_of(at).states["map"], **{name: value})
        at = settled(at.run())
    session_of(at).indexes[0] = INDEXES["flat-kmeans"](n_clusters=7)
    at = settled(at.run())
    assert message(at)["levels"][0]["label"] == "7 clusters"
    at.number_input(key="context seed 0").set_value(5).run()
    settled(at)
    assert len(fits) == 1
    for name, value in (("neighbours", 30), ("apart", 0.5), ("space", "cosine")):
        session_of(at).states["map"] = replace(session_of(at).states["map"], **{name: value})
        at = settled(at.run())
    assert [(r.n_neighbors, r.min_dist, r.space) for r, _ in fits[1:]] == [
        (30, 0.1, "index"),
        (30, 0.5, "index"),
        (30, 0.5, "cosine"),
    ]


def test_pca_is_a_choice_of_its_own(fits):
    at = a_map()
    at.segmented_control(key="map layout umap").set_value("pca").run()
    at = settled(at)
    assert at.query_params["map"] == "layout=pca"
    pca = framed(pca_layout(map_space.rows_of(session_of(at).dataset, "index", None)))
    assert held(message(at)["layout"]["places"]) == pytest.approx(pca.ravel())
    assert len(fits) == 1


def test_groups_are_those_of_the_index():
    at = a_map(at="1", index=["flat-kmeans", "hierarchical-kmeans"])
    told = message(at)
    chosen = session_of(at)
    built = chosen.measurement_of(chosen.index).built
    groups = chosen.index.searcher(built.structure).groups()
    assert [held(level["of"]).tolist() for level in told["levels"]] == [
        of.tolist() for of in groups
    ]
    assert told["level"] == len(groups) - 1
    assert told["colouring"] == {"kind": "groups", "label": "Cluster", "values": None, "names": [],
                                 "low": 0.0, "high": 1.0, "below": False, "above": False,
                                 "log": False}  # fmt: skip
    widget(at.selectbox, "Level").set_value(1).run()
    assert message(settled(at))["level"] == len(groups) - 2


@pytest.mark.parametrize("key", INDEXES)
def test_every_index_is_mapped_and_a_search_of_it_followed(key):
    at = a_map(index=[key], map="follow=yes,colour=missed,outlines=dense", query="item 7", k="5")
    told = message(at)
    assert told["levels"]
    followed = told["followed"]
    assert followed["item"] == 7
    chosen = session_of(at)
    scene = scene_of(chosen)
    question = question_of_item(chosen.dataset, 7, 5, exclude_self=chosen.recipe.exclude_self)
    true = true_answers(chosen.dataset.items, question)
    answers = ask(scene.searcher, chosen.dataset.items, question, true, scene.effort)
    at_chosen = followed["chosen"]
    assert followed["found"][at_chosen].astype(bool).tolist() == answers.found.tolist()
    assert sum(c[at_chosen] for c in followed["costs"].values()) == pytest.approx(answers.cost)
    assert len(followed["why"]) == len(true.ids)
    assert sum(step["spent"] for step in followed["steps"]) == pytest.approx(answers.cost)


def test_the_effort_is_shared_with_the_other_pages():
    at = a_map(map="follow=yes", effort="2", query="query 3")
    followed = message(at)["followed"]
    assert followed["efforts"][followed["chosen"]] == 2
    steps = followed["steps"]
    at = do(at, effort=6)
    assert session_of(at).effort == 7
    assert at.query_params["effort"] == "7"
    followed = message(at)["followed"]
    assert followed["chosen"] == 6
    assert len(followed["steps"][0]["kept"]) == 7 > len(steps[0]["kept"])
    session_of(at).effort = 3  # on another page
    assert message(at.run())["followed"]["chosen"] == 2


def test_an_item_asks_from_its_card():
    at = a_map()
    assert message(at)["followed"] is None
    at = settled(do(at, follow=9))
    assert session_of(at).query == "item 9"
    told = message(at)
    assert told["followed"]["item"] == 9
    places = held(told["layout"]["places"]).reshape(-1, 2)
    assert told["followed"]["place"] == pytest.approx(places[9].tolist())
    assert "Score for the query" in widget(at.selectbox, "Colour by").options
    again = a_map(map=at.query_params["map"], query=at.query_params["query"])
    assert message(again)["followed"]["item"] == 9


def test_a_selection_is_listed_and_taken_away():
    at = do(a_map(), selected=runs([3, 20, 31]), how="lasso")
    chosen = session_of(at)
    assert table(at)["row"].tolist() == [3, 20, 31]
    assert table(at)["label"].tolist() == ["word 3", "word 20", "word 31"]
    norms = np.linalg.norm(chosen.dataset.items[[3, 20, 31]].astype(float), axis=1)
    assert table(at)["norm"].to_numpy() == pytest.approx(norms)
    truth = chosen.measurement_of(chosen.index).evaluation.truth
    counts = np.bincount(truth.ids[:, :10].ravel(), minlength=400)[[3, 20, 31]]
    assert table(at)["times an answer"].tolist() == counts.tolist()
    assert "3 items selected" in [s.value for s in at.subheader]
    scene = scene_of(chosen)
    text = downloads._listed_csv(scene, scene.selected).getvalue().decode()
    assert text.splitlines()[1].startswith("word 3,3,")
    kept = pd.read_parquet(downloads._listed_parquet(scene, scene.selected))
    assert kept["row"].tolist() == [3, 20, 31]
    assert kept[["x", "y"]].to_numpy() == pytest.approx(scene.layout.xy[[3, 20, 31]])
    at = do(at)  # nothing is selected any more
    assert list(table(at).columns)[:3] == ["cluster", "number", "items"]


def test_a_selection_is_there_again_after_another_page_and_not_for_other_data(use):
    at = do(a_map(), selected=runs([3, 20, 31]), how="lasso")
    assert message(at)["chosen"] is None  # the browser knows
    at.switch_page(str(MAIN.parents[1] / "methods.py")).run()
    at.switch_page(str(MAIN.parents[1] / "map.py"))
    at = settled(at.run())
    assert message(at)["chosen"].tolist() == [3, 20, 31]
    at = do(at, focus=2)  # a click on another thing leaves it selected
    assert table(at)["row"].tolist() == [3, 20, 31]
    chosen = session_of(at)
    other = small_dataset(n=90, name="other")
    chosen.use(other, other.fingerprint, chosen.recipe)
    assert "items" in table(settled(at.run()))


def test_labels_that_are_all_different_are_no_colours():
    at = a_map(map="colour=label")
    assert "Label" not in widget(at.selectbox, "Colour by").options
    assert message(at)["colouring"]["kind"] == "groups"


def test_a_group_is_chosen_by_name_or_on_the_map():
    at = a_map()
    level = message(at)["levels"][0]
    box = widget(at.selectbox, "Show one cluster")
    largest = int(np.argmax(level["sizes"]))
    assert box.options[0] == f"{level['names'][largest]} · {level['sizes'][largest]:,}"
    box.set_value(largest).run()
    members = np.flatnonzero(held(level["of"]) == largest)
    assert table(at)["row"].tolist() == members.tolist()
    assert message(at)["focus"] == largest
    assert at.query_params["map"] == f"focus={largest}"
    at = do(at, focus=4)
    assert set(table(at)["cluster"]) == {level["names"][4]}
    session_of(at).indexes[0] = INDEXES["flat-kmeans"](n_clusters=6)
    at = settled(at.run())
    assert message(at)["focus"] == -1  # cluster 4 of other clusters is another
    again = a_map(map=f"focus={largest}")
    assert message(again)["focus"] == largest


def test_colours_say_what_was_chosen():
    at = a_map(map="colour=norm")
    chosen = session_of(at)
    norms = np.linalg.norm(chosen.dataset.items.astype(float), axis=1)
    assert held(message(at)["colouring"]["values"]) == pytest.approx(norms)
    at = a_map(map="colour=answers")
    truth = chosen.measurement_of(chosen.index).evaluation.truth
    answers = np.bincount(truth.ids[:, :10].ravel(), minlength=400)
    told = message(at)["colouring"]
    assert held(told["values"]).tolist() == answers.tolist()
    assert (told["low"], told["high"]) == (1.0, answers.max())  # a log scale cannot begin at 0
    assert (told["below"], told["above"], told["log"]) == (True, False, True)
    assert "of 400 queries" in texts(at)
    at = a_map(map="colour=missed", effort="2")
    values = held(message(at)["colouring"]["values"])
    assert np.isnan(values).tolist() == (answers == 0).tolist()
    missed = chosen.measurement_of(chosen.index).evaluation.ranks[:, :10] > 1
    assert np.nansum(values) == missed.sum()
    assert "2 probes" in texts(at)
    at = a_map(map="colour=score,follow=yes", query="item 5")
    scores = chosen.dataset.items.astype(float) @ chosen.dataset.items[5]
    assert held(message(at)["colouring"]["values"]) == pytest.approx(scores, rel=1e-4)
    at = a_map(map="colour=score")  # without a query there are no scores
    assert message(at)["colouring"]["kind"] == "groups"


def test_labels_colour_where_they_repeat(use):
    data = small_dataset()
    labels = [f"kind {i % 40 if i % 3 else 0}" for i in range(400)]
    use(Dataset(data.items, labels=labels, name="kinds"))
    at = a_map(map="colour=label")
    assert "Label" in widget(at.selectbox, "Colour by").options
    told = message(at)["colouring"]
    assert told["kind"] == "kinds"
    assert len(told["names"]) == MOST_KINDS + 1
    assert told["names"][0] == "kind 0"
    values = held(told["values"])
    named = [told["names"][value] for value in values]
    assert all(name in (label, "other") for name, label in zip(named, labels, strict=True))
    assert "other" in named


CASES = {
    "one": [[1, 2]],
    "two": [[1, 2], [3, 4]],
    "three": [[1, 2], [3, 4], [0, 1]],
    "five": np.eye(5),
    "equal": np.ones((9, 3)),
    "zeros": [[0, 0], [0, 0], [1, 2], [2, 1], [0, 0], [5, 5]],
    "one column": np.arange(1, 12)[:, None],
    "one huge": np.vstack([np.eye(7), 1e6 * np.ones((1, 7))]),
}


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
@pytest.mark.parametrize("case", CASES)
def test_small_and_odd_data_has_a_picture(use, case, metric):
    X = np.asarray(CASES[case], np.float32)
    use(Dataset(X, name=case))
    at = a_map(metric=metric, map="follow=yes,colour=missed,outlines=hull", query="item 0", k="100")
    assert not at.error
    told = message(at)
    assert told["n"] == len(X)
    assert np.isfinite(held(told["layout"]["places"])).all()
    assert len(held(told["norms"])) == len(X)
    assert held(told["norms"]) == pytest.approx(np.linalg.norm(X.astype(float), axis=1))
    scene = scene_of(session_of(at))
    assert len(downloads._page(scene, PointColours("groups")).getvalue()) > 1000
    for space in ("cosine", "given"):
        session_of(at).states["map"] = replace(session_of(at).states["map"], space=space)
        at = settled(at.run())
        assert np.isfinite(held(message(at)["layout"]["places"])).all()


def test_a_softmax_layer_is_mapped(use):
    rng = rng_for(0, "layer")
    items = layer_items(rng.normal(size=(300, 5)).astype(np.float32), rng.normal(size=300))
    queries = layer_queries(rng.normal(size=(20, 5)).astype(np.float32))
    use(Dataset(items, queries, name="layer", logits=True))
    at = do(a_map(map="follow=yes,colour=score", query="item 4"), selected=runs([1, 2]))
    assert message(at)["colouring"]["label"] == "Logit"
    logits = items[[1, 2]].astype(float) @ np.r_[items[4, :-1], 1]
    assert table(at)["logit"].to_numpy() == pytest.approx(logits, rel=1e-5)


def test_a_zero_query_and_hostile_labels(use):
    label = "<script>alert(1)</script> **x** {effort} $y$"
    X = np.vstack([np.zeros((1, 6)), small_dataset().items]).astype(np.float32)
    use(Dataset(X, labels=[label] * 401, name="hostile"))
    at = a_map(map="follow=yes,colour=label", query="item 0")
    assert "is zero" in " ".join(warning.value for warning in at.warning)
    assert message(at)["followed"] is None
    at = do(a_map(map="follow=yes", query="item 3"), focus=0, selected=runs([3]))
    assert message(at)["followed"]["name"] == label
    assert table(at)["label"].tolist() == [label]
    assert "<script>" not in texts(at) + " ".join(s.value for s in at.subheader)


def test_large_data_is_worked_on_by_jobs(monkeypatch):
    """Nothing that takes long is done in the run of the page."""
    monkeypatch.setattr("pages._ui.work.task.QUICK", 0)
    at = settled(a_map(map="follow=yes,outlines=hull,layout=pca", query="item 3"))
    made = {key[:2] if key[0] == "map" else key[0] for key in jobs._BOOK}
    assert made >= {("map", "pca"), "map levels", "map search", "map outlines"}
    told = message(at)
    assert told["levels"]
    assert told["followed"]["item"] == 3
    assert len(told["outlines"]["groups"])


def test_nonsense_from_a_browser_changes_nothing():
    at = a_map(map="follow=yes", effort="2")
    for nonsense in (
        {"effort": -1},
        {"effort": "x"},
        {"follow": 4000},
        {"focus": 1e9},
        {"selected": "!!"},
        {"topic": "other", "effort": 3},
    ):
        at = do(at, **nonsense)
        assert not at.exception
        assert session_of(at).effort == 2
        assert session_of(at).query == ""
        assert message(at)["focus"] == -1
