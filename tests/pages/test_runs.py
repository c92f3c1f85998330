"""Kept runs on Compare, run headless on a small data set."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mips_core.methods.trees.pca import PCATree
from mips_core.studies.runs import read_runs
from mips_core.studies.runs.files import written
from pages._ui.compare import runs_link, runs_shelf
from pages._ui.state import runs_state
from pages._ui.state.settings import settings_of
from pages._ui.work import jobs, results
from tests.pages.conftest import small_dataset
from tests.pages.test_pages import session_of, texts

SCRIPT = Path(__file__).parent / "runs_script.py"
HOSTILE = "<script>alert(1)</script> **[x](http://x)** %{y} $flat"


@pytest.fixture(autouse=True)
def _nothing_kept():
    """Nothing on the server from an earlier test."""
    forget()


def new_session(**address):
    """A visitor with this address, or the same one after a refresh."""
    at = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def settled(at):
    """The page when nothing is left to measure."""
    for _ in range(3):
        assert jobs.wait(60)
        at.run()
    assert not at.exception
    return at


def section(**address):
    """The section once four settings are measured."""
    at = new_session(**address)
    chosen = session_of(at)
    for index in settings_of(chosen).under_slider[:4]:
        chosen.measurement_of(index).start(chosen.owner)
    assert jobs.wait(60)
    return at.run()


def keep(at, setting=0, name=None):
    """Keep the measured setting of this number, under this name."""
    labelled(at.selectbox, "Measured setting").select_index(setting).run()
    if name is not None:
        labelled(at.text_input, "Name of the run").set_value(name).run()
    at.button(key="runs keep").click().run()
    assert not at.exception
    return at


def labelled(elements, label):
    return next(one for one in elements if one.label == label)


def names(at):
    return [run.name for run in runs_shelf.runs_of(session_of(at))]


def table(at):
    return next(d.value for d in at.dataframe if "seconds to build" in d.value)


def test_a_kept_run_has_the_numbers_of_what_was_measured():
    at = keep(section())
    chosen = session_of(at)
    (run,) = runs_shelf.runs_of(chosen)
    asked = chosen.measurement_of(chosen.index)
    assert (run.index, run.seed, run.ks) == (chosen.index, 0, (1, 10, 100))
    assert run.name == f"Flat k-means, {chosen.index.n_clusters} clusters"
    assert (run.seconds, run.bytes) == (asked.result.seconds, asked.result.bytes)
    curve = asked.evaluation.curve((10,))
    assert run.curve.precision(10).tolist() == curve.precision(10).tolist()
    assert (run.data.source, run.data.queries) == (chosen.data, chosen.recipe)
    assert "Choose two runs or more" in texts(at)


def test_two_runs_are_compared_and_a_name_twice_gets_a_number():
    at = keep(keep(section(), 0, "mine"), 2, "mine")
    assert names(at) == ["mine", "mine (2)"]
    found = table(at)
    assert list(found["name"]) == ["mine", "mine (2)"]
    assert {"precision@10", "inner products", "finest groups", "empty", "bytes"} <= {*found}
    parts = [column for column in found if column.startswith("of them ")]
    assert found[parts].sum(axis=1).tolist() == pytest.approx(found["inner products"].tolist())
    differing = next(d.value for d in at.dataframe if "setting" in d.value and len(d.value) == 1)
    assert list(differing["setting"]) == ["Clusters"]
    assert "Equal in all: data, metric, queries, K, method" in texts(at)


def test_kept_runs_are_there_in_a_new_session():
    at = keep(keep(section()), 2)
    before, address = table(at), dict(at.query_params)
    again = new_session(**address)
    assert session_of(again).owner != session_of(at).owner
    assert table(again).equals(before)
    again.button(key="runs delete").click().run()
    assert len(names(again)) == 1
    assert len(names(at.run())) == 2  # what is changed there is changed there alone


@pytest.mark.parametrize(
    "asked", [{}, {"metric": "euclidean", "queries": "noisy 50 0.5 yes", "seed": "3"}]
)
def test_a_link_measures_what_is_not_kept_on_this_server(asked):
    at = keep(keep(section(**asked), 0), 3, "<b>four</b>")
    before, address = table(at), dict(at.query_params)
    forget()
    results._KEPT.clear()
    again = settled(new_session(**address))
    assert "is not here any more" in texts(again)
    assert sorted(names(again)) == sorted(before["name"])
    numbers = [column for column in before if column != "seconds to build"]
    assert table(again)[numbers].equals(before[numbers])
    again.button(key="runs give up").click().run()
    assert "is not here any more" not in texts(again)
    assert len(names(again)) == 2


def test_a_link_written_by_hand_finds_the_run_of_the_same_numbers():
    text = "pca-tree|0|10|glove-6b-50d|rows_500_0.1_no_0|inner%20product|mine"
    at = settled(new_session(runs=f"shown={text}"))
    [run] = runs_shelf.runs_of(session_of(at))
    assert run.index == PCATree().explicit(400) != PCATree()
    assert runs_shelf.shown(session_of(at)) == [run]
    assert not runs_shelf.missing(session_of(at))


def test_a_link_to_data_that_is_gone_says_so_and_takes_the_file():
    at = keep(keep(section(), 0, HOSTILE), 2)
    chosen = session_of(at)
    file = written([run_from(run, "f" * 32) for run in runs_shelf.runs_of(chosen)])
    link = runs_link.text_of_all(read_runs(io.BytesIO(file)))
    again = settled(new_session(runs=f"shown={link}"))
    assert "The data of 2 runs of this link is not here" in texts(again)
    assert not re.search(r"(?<!\\)<script", texts(again))
    runs_shelf.keep(session_of(again), read_runs(io.BytesIO(file)))
    again.run()
    assert "is not here" not in texts(again)
    assert table(again)["name"][0] == HOSTILE


def test_files_are_opened_together_and_the_bad_ones_refused():
    at = keep(keep(section(), 0, HOSTILE), 2)
    file = written(runs_shelf.runs_of(session_of(at)))
    again = new_session()
    files = [
        ("good.run.json", file, ""),
        ("<b>bad</b>.json", file[:-9], ""),
        ("no.json", b"{}", ""),
    ]
    again.file_uploader[0].set_value(files).run()
    assert not again.exception
    assert names(again) == names(at)
    assert table(again).equals(table(at))
    assert "2 runs were added" in texts(again)
    assert [not re.search(r"(?<!\\\\)<b>", e.value) for e in again.error] == [True, True]
    assert "cannot be read as JSON" in texts(again).replace("\\", "")
    assert "The runs that are kept are unchanged" in texts(again)
    again.file_uploader[0].set_value([("again.run.json", file, "")]).run()
    assert len(names(again)) == 2
    assert "0 runs were added; 2 are kept already" in texts(again)


def test_the_page_shows_the_section(app):
    at = app("compare.py", settle=False, compare="second=flat-kmeans")
    assert not at.exception
    assert "Runs" in [header.value for header in at.subheader]


def test_changing_a_run_keeps_it_in_the_picture():
    at = keep(keep(section(), 0, "one"), 2, "two")
    labelled(at.text_input, "Name").set_value("one").run()
    labelled(at.text_area, "Note").set_value("a note").run()
    at.button(key="runs save").click().run()
    assert names(at) == ["one", "one (2)"]
    assert list(table(at)["name"]) == ["one", "one (2)"]
    assert runs_shelf.runs_of(session_of(at))[1].note == "a note"
    labelled(at.text_input, "Name").set_value(" ").run()
    at.button(key="runs save").click().run()
    assert "The run has no name" in at.error[0].value.replace("\\", "")
    assert names(at) == ["one", "one (2)"]


def test_a_run_that_is_deleted_can_come_back():
    at = keep(keep(section(), 0, "one"), 2, "two")
    before = table(at)
    labelled(at.selectbox, "Run to change").select_index(0).run()
    at.button(key="runs delete").click().run()
    assert names(at) == ["two"]
    assert "“one” was deleted; 1 run is kept" in texts(at)
    at.button(key="runs undo").click().run()
    assert names(at) == ["one", "two"]
    assert sorted(table(at)["name"]) == sorted(before["name"])


def test_hostile_names_are_shown_as_text():
    at = keep(keep(section(), 0, HOSTILE), 2)
    assert names(at)[0] == HOSTILE
    shown = [m.value for m in at.markdown if "script" in m.value]
    assert shown
    for text in shown:
        assert not re.search(r"(?<!\\)(<script|\*\*\[)", text)


def test_another_k_shows_the_nearest_that_all_have():
    at = keep(keep(section()), 2)
    session_of(at).K = 7
    at = settled(at.run())
    assert "Not all of these runs were measured at K = 7; they are shown at K = 10." in texts(at)
    assert "precision@10" in table(at)


def test_the_speedup_and_the_precision_last_in_the_address():
    at = keep(keep(section()), 2)
    number = labelled(at.number_input, "At the precision")
    number.set_value(0.75).run()
    assert "speedup at 75%" in table(at)
    assert "precision=0.75" in str(at.query_params["runs"])


def test_a_full_shelf_and_a_full_picture_are_said(monkeypatch):
    monkeypatch.setattr(runs_shelf, "MAX_RUNS", 3)
    monkeypatch.setattr(runs_shelf, "MAX_RUNS_TOGETHER", 2)
    at = section()
    for _ in range(3):
        keep(at)
    assert len(names(at)) == 3
    assert len(runs_shelf.shown(session_of(at))) == 2
    assert "runs are kept, as many as can be" in texts(at)
    assert not [b for b in at.button if b.key == "runs keep"]


def test_what_is_kept_already_is_not_kept_again():
    at = keep(keep(section()), 2)
    chosen = session_of(at)
    runs = runs_shelf.runs_of(chosen)
    assert runs_shelf.keep(chosen, read_runs(io.BytesIO(written(runs)))) == []  # kept already
    added = runs_shelf.keep(chosen, [replace(run, note="another") for run in runs])
    assert [run.name for run in added] == [f"{run.name} (2)" for run in runs]


@pytest.mark.parametrize(
    "text",
    ["", "|", "||||", "a|b|c|d|e|f|g", "nothing:x=1|0|10|glove-6b-50d|rows_5_0.1_no_0|cosine|n",
     "flat-kmeans|0|1000|x|rows_5_0.1_no_0|cosine|n", "flat-kmeans|-1|10|x||cosine|n",
     "flat-kmeans|0|10|x||miles|n", "flat-kmeans|0|10|x||cosine|%20", "%00" * 5000],
)  # fmt: skip
def test_a_link_that_cannot_be_read_asks_for_nothing(text):
    assert runs_link.wanted_of_all(text) == []


def test_a_link_says_what_a_run_is():
    at = keep(keep(section(), 1, HOSTILE), 3)
    for run in runs_shelf.runs_of(session_of(at)):
        text = runs_link.text_of(run)
        assert "," not in text
        found = runs_link.wanted_of(text)
        assert (found.index, found.seed, found.ks) == (run.index, run.seed, run.ks)
        assert (found.source, found.recipe) == (run.data.source, run.data.queries)
        assert (found.metric, found.name) == (run.data.metric, run.name)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"n": 1}, "there is nothing to compare"),
        ({"n": 5}, "there is nothing to compare"),
        ({"simulated": True}, "with 1 query"),
    ],
)
def test_little_data_and_simulated_data(use, known, said):
    use(small_dataset(**known))
    at = section(k="100", queries="rows 1 0.1 no")
    keep(keep(at))
    (one, other) = runs_shelf.runs_of(session_of(at))
    assert one.data.m == other.data.m == 1
    assert one.data.simulated == known.get("simulated", False)
    assert said in texts(at)


def run_from(run, source):
    """The same run, measured on data of this source."""
    return replace(run, data=replace(run.data, source=source))


def forget():
    """As if the server had been started anew."""
    runs_state._LINGERING.clear()
    runs_state._HELD.clear()
