"""How the clusters fare, below the map: counted anew by hand, in every order and state."""

import threading
import time
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from mips_core import INDEXES, Dataset
from mips_core.base.errors import DataError
from mips_core.groups.projection import Layout, pca_layout
from mips_core.groups.projection.run import framed
from pages._ui.map import health, health_work
from pages._ui.map import work as map_work
from pages._ui.map.scene import scene_of
from pages._ui.parts import map_space, result_table
from pages._ui.work import jobs, measurement
from tests.pages.conftest import small_dataset
from tests.pages.test_map import a_map, do, held, message, opened, settled, widget
from tests.pages.test_pages import session_of, texts


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """A layout that comes at once in the place of UMAP's."""

    def project(dataset, recipe, reduction, progress):
        rows = map_space.Space(recipe, reduction).rows(dataset)
        return Layout(framed(pca_layout(rows)), "umap")

    monkeypatch.setattr(map_work, "project", project)


def table(at, column="radius"):
    """The table with this column."""
    return next(e.value for e in at.dataframe if column in e.value)


def by_hand(scene):
    """(k,) searches that open each group, true answers in it, misses among them."""
    level, truth = scene.level, scene.evaluation.truth
    K, k = scene.session.K, len(level.sizes)
    opened, answers, misses = np.zeros((3, k), int)
    for query, true in zip(truth.queries, truth.ids[:, :K], strict=True):
        listed = scene.searcher.candidates(query[None], scene.effort, K + truth.excluded).ids
        opened[np.unique(level.of[listed])] += 1
        np.add.at(answers, level.of[true], 1)
        np.add.at(misses, level.of[np.setdiff1d(true, listed)], 1)
    return opened, answers, misses


def assert_counted_right(at):
    scene = scene_of(session_of(at))
    shown = table(at)
    groups = shown["number"].to_numpy()
    opened, answers, misses = (counts[groups] for counts in by_hand(scene))
    m = scene.evaluation.truth.m
    assert shown["items"].tolist() == scene.level.sizes[groups].tolist()
    assert shown["opened by"].to_numpy() == pytest.approx(100 * opened / m)
    assert shown["true answers"].to_numpy() == pytest.approx(100 * answers / answers.sum())
    assert shown["misses"].to_numpy() == pytest.approx(100 * misses / max(misses.sum(), 1))
    total = f"the true top {scene.session.K} of each: {misses.sum():,} missed of {answers.sum():,}."
    assert total in texts(at)


def test_each_cluster_is_counted_at_the_effort_of_the_slider():
    at = a_map(effort="2", map="follow=yes", query="item 3")
    assert_counted_right(at)
    assert "At 2 probes, over 400 queries" in texts(at)
    assert " of all misses lie in " in texts(at)
    before = table(at)["misses"].tolist()
    at = do(at, effort=6)
    assert_counted_right(at)
    assert "At 7 probes, over 400 queries" in texts(at)
    assert table(at)["misses"].tolist() != before
    session_of(at).effort = 10**6  # all are opened
    at = settled(at.run())
    assert_counted_right(at)
    assert "**Nothing is missed.**" in texts(at)


def test_radii_are_those_of_the_unit_vectors_of_the_index():
    at = a_map()
    scene = scene_of(session_of(at))
    rows = map_space.rows_of(scene.dataset, "index", scene.measured.index.reduction).astype(float)
    shown = table(at)
    for group, radius in zip(shown["number"], shown["radius"], strict=True):
        inside = rows[scene.level.of == group]
        mean = np.linalg.norm(inside - inside.mean(axis=0), axis=1).mean()
        assert radius == pytest.approx(mean, rel=1e-5)


@pytest.mark.parametrize(
    ("name", "column", "sign"),
    [
        ("Largest", "items", -1),
        ("Emptiest", "items", 1),
        ("Most misses", "misses", -1),
        ("Most opened", "opened by", -1),
    ],
)
def test_the_order_is_chosen_and_in_the_link(name, column, sign):
    at = a_map(effort="2", map="order=smallest" if name == "Largest" else "")
    control = next(c for c in at.segmented_control if c.label == "First")
    keys = {"Largest": "largest", "Emptiest": "smallest"}
    keys |= {"Most misses": "most_misses", "Most opened": "most_opened"}
    at = control.set_value(keys[name]).run()
    values = sign * table(at)[column].to_numpy()
    assert (np.diff(values) >= 0).all()
    numbers = table(at)["number"].tolist()
    again = a_map(**{key: at.query_params[key] for key in at.query_params})
    assert table(again)["number"].tolist() == numbers


def test_the_treemap_can_show_what_is_counted():
    at = a_map(at="1", index=["flat-kmeans", "hierarchical-kmeans"], effort="2")
    coarse, fine = message(at)["levels"]
    scene = scene_of(session_of(at))
    opened, answers, misses = by_hand(scene)
    assert coarse["measures"] == {}
    told = {name: np.asarray(values).tolist() for name, values in fine["measures"].items()}
    assert told["Searches that open it"] == opened.tolist()
    assert told["True answers"] == answers.tolist()
    assert told["Misses of all queries"] == misses.tolist()
    assert next(iter(told)) == "Radius"
    widget(at.selectbox, "Level").set_value(1).run()
    at = settled(at)
    coarse, fine = message(at)["levels"]
    assert len(coarse["measures"]) == 4
    assert fine["measures"] == {}
    assert_counted_right(at)
    assert "boundary" not in texts(at)  # a search opens no whole branch


def test_a_picked_cluster_is_zoomed_to_and_listed():
    at = do(a_map(effort="2", map="order=most_misses"), focus=4)
    key = "map groups cluster 4"
    numbers = table(at)["number"].tolist()
    assert at.session_state[key]["selection"]["rows"] == [numbers.index(4)]
    scene = scene_of(session_of(at))
    health._focus(scene, np.array(numbers), 2)
    at.run()
    assert message(at)["focus"] == numbers[2]
    assert at.session_state[key]["selection"]["rows"] == [2]
    members = np.flatnonzero(held(message(at)["levels"][0]["of"]) == numbers[2])
    assert table(at, "row")["row"].tolist() == members.tolist()
    health._focus(scene, np.array(numbers), None)
    at.run()
    assert message(at)["focus"] == -1
    assert at.session_state[key]["selection"]["rows"] == []


def test_the_file_has_all_clusters_and_counts(use):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3_000, 8)).astype(np.float32)
    use(Dataset(X, labels=[f"=item {i}\ud800" for i in range(3_000)], name="many"))
    at = a_map(index=["flat-kmeans:n_clusters=1500"], queries="rows 20 0.1 no", effort="30")
    assert len(table(at)) == 1_000
    scene = scene_of(session_of(at))
    fared = health_work.health_of(scene)
    live = int((scene.level.sizes > 0).sum())
    assert f"The first 1,000 of {live:,}. The CSV holds all." in texts(at)
    columns = health._all_columns(scene.level, fared.health, fared.health.largest)
    text = result_table.csv(columns)
    kept = pd.read_csv(BytesIO(text))
    assert len(kept) == live > 1_000
    opened, answers, misses = by_hand(scene)
    assert kept["searches_that_open_it"].tolist() == opened[kept["number"]].tolist()
    assert kept["true_answers"].tolist() == answers[kept["number"]].tolist()
    assert kept["misses"].tolist() == misses[kept["number"]].tolist()
    assert (kept["effort"] == 30).all()


@pytest.mark.parametrize("key", INDEXES)
def test_groups_of_every_index_are_counted(key):
    at = a_map(index=[key], k="5", queries="rows 30 0.1 no")
    assert not at.error
    assert_counted_right(at)
    scene = scene_of(session_of(at))
    told = "boundary" in texts(at)
    missed = not table(at)["misses"].eq(0).all()
    assert told == (scene.measured.index.opens_groups and missed)


def test_one_cluster_one_query_and_more_answers_than_items(use):
    use(small_dataset(n=12))
    at = a_map(index=["flat-kmeans:n_clusters=1"], queries="rows 1 0.1 no", k="100")
    assert len(table(at)) == 1
    assert not [c for c in at.segmented_control if c.label == "First"]
    assert "over 1 query and the true top 12 of each: 0 missed of 12." in texts(at)
    assert_counted_right(at)
    at = a_map(index=["flat-kmeans:n_clusters=4"], queries="rows 1 0.1 no", k="100", effort="1")
    assert_counted_right(at)


def test_sizes_are_there_while_queries_are_asked(monkeypatch):
    go = threading.Event()
    measure = measurement.evaluate

    def slow(*args):
        assert go.wait(30)
        return measure(*args)

    monkeypatch.setattr(measurement, "evaluate", slow)
    at = opened()
    deadline = time.monotonic() + 20
    while not [e for e in at.dataframe if "items" in e.value]:
        assert time.monotonic() < deadline
        at.run()
    sizes = message(at)["levels"][0]["sizes"]
    assert table(at, "items")["items"].tolist() == sorted(sizes.tolist(), reverse=True)
    assert "is being counted" in texts(at)
    assert message(at)["levels"][0]["measures"] == {}
    go.set()
    at = settled(at)
    assert_counted_right(at)
    assert "being counted" not in texts(at)


def test_cancelled_queries_are_told():
    asked = threading.Event()

    def never(index, searcher, truth, seed, progress, K):
        asked.set()
        while True:
            progress(0.5, "asking")
            time.sleep(0.01)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurement, "evaluate", never)
        at = opened()
        assert asked.wait(30)
        for job in jobs.of(session_of(at).owner):  # Home asks for another index
            if job.key[0] == "evaluation":
                jobs.cancel(job)
        at = settled(at)
    assert "is not known: the index was not asked all queries." in texts(at)
    assert "items" in table(at, "items")


def test_large_data_is_counted_by_a_job_and_the_last_count_stays_meanwhile(monkeypatch):
    monkeypatch.setattr(health_work, "QUICK_ANSWERS", 0)
    at = settled(a_map(effort="2"))
    assert_counted_right(at)
    before = table(at)["misses"].tolist()
    go = threading.Event()
    count = health_work.health

    def slow(*args):
        assert go.wait(30)
        return count(*args)

    monkeypatch.setattr(health_work, "health", slow)
    session_of(at).effort = 5
    at.run()
    assert table(at)["misses"].tolist() == before
    assert "At 2 probes, over 400 queries" in texts(at)
    assert "Being counted: 5 probes." in texts(at)
    assert message(at)["levels"][0]["measures"]
    go.set()
    at = settled(at)
    assert "At 5 probes, over 400 queries" in texts(at)
    assert_counted_right(at)


@pytest.mark.parametrize("quick", [True, False])
def test_what_cannot_be_counted_says_why_and_the_map_stays(monkeypatch, quick):
    def fails(*_):
        raise DataError("There is a **hole**.", "Mend it.")

    monkeypatch.setattr(health_work, "health", fails)
    if not quick:
        monkeypatch.setattr(health_work, "QUICK_ANSWERS", 0)
    at = a_map()
    assert "hole" in " ".join(error.value for error in at.error)
    assert message(at)["n"] == 400
    assert message(at)["levels"][0]["measures"] == {}


def test_names_are_shown_as_text(use):
    label = "<script>alert(1)</script> **x**"
    use(Dataset(small_dataset().items, labels=[label] * 400, name="hostile"))
    at = a_map()
    assert table(at)["cluster"].str.contains(label, regex=False).all()
    assert "<script>" not in texts(at) + " ".join(s.value for s in at.subheader)
