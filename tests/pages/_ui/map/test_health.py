"""How the clusters fare, below the map: in every order and state, and as a file."""

import threading
import time
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from mips_core import Dataset
from mips_core.base.errors import DataError
from pages._ui.map import health, health_work
from pages._ui.map.scene import scene_of
from pages._ui.parts import result_table
from pages._ui.work import jobs, measurement
from tests.pages._ui.map.groups_by_hand import assert_counted_right, by_hand, table
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.map_page import a_map, do, held, message, opened, settled


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
    names = table(at)["cluster"]
    assert names.str.startswith((label, "cluster ")).all()  # one holds nearly all
    assert names.str.startswith(label).any()
    assert "<script>" not in texts(at) + " ".join(s.value for s in at.subheader)
