"""The benchmark of a million vectors, on few of them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import million, million_session, million_works
from benchmarks.tables import END
from mips_core import truth_of
from mips_core.data.folder import VARIABLE
from mips_core.evaluation.builder import Builder
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies import forecast
from mips_core.studies.tuning import scouting

ROOT = Path(__file__).parents[1]


def test_every_work_tells_what_it_took(tmp_path):
    out, page = tmp_path / "out.json", tmp_path / "page.md"
    page.write_text(f"Old.\n\n{END}\n\nBy hand.\n")
    works = ["--work", "map by PCA", "--work", "command map, a page"]
    arguments = ["--items", "3000", *works, "--json", str(out)]
    # in a process of its own: those it begins would run what is __main__ here, a page perhaps
    command = [sys.executable, "-m", "benchmarks.million", *arguments, "--markdown", str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text())
    told, of_command = report["works"].values()
    assert 0 < told["layout"] < told["whole"]
    assert 0 < told["trustworthiness"] <= 1
    for one in (told, of_command):
        assert one["processor"] > 0
        assert one["memory"] > 2**20
    assert "| map by PCA |" in page.read_text()
    assert "3,000 × 100" in page.read_text()
    assert "Old" not in page.read_text()
    assert page.read_text().endswith(f"{END}\n\nBy hand.\n")  # what no run remakes stays


@pytest.mark.parametrize("words", [True, False])
def test_vectors_are_words_and_noisy_copies_or_simulated(monkeypatch, tmp_path, words):
    rows = np.random.default_rng(0).normal(size=(30, 100)).astype(np.float32)
    np.save(tmp_path / "words.npy", rows)
    monkeypatch.setattr(million, "WORDS", tmp_path / ("words.npy" if words else "absent.npy"))
    X = million.vectors(300)
    assert X.shape == (300, 100)
    assert X.dtype == np.float32
    assert np.array_equal(X[:30], rows) == words
    if words:
        apart = np.sqrt(((X[30:60] - rows) ** 2).mean() / (rows**2).mean())
        assert apart == pytest.approx(million.NOISE, rel=0.1)


def test_works_run_on_few(monkeypatch):
    monkeypatch.setattr(forecast, "LARGE", 500)
    monkeypatch.setattr(scouting, "SAMPLES", (100, 300))
    data = million.simulated_vectors(600, 60, 8)
    for name in ("flat k-means, 8 √n clusters", "hierarchical k-means"):
        told = million_works.WORKS[name](data)
        assert told["build"] > 0
        assert 0 <= told["precision at 30×"] <= 1
    found = million_works.search(data)
    assert 0 < found["first answer"] <= found["tested answer"]
    assert found["on samples alone"] > 0


def test_regret_is_of_what_samples_leave_out_and_none_where_that_is_nothing(monkeypatch):
    monkeypatch.setattr(scouting, "SAMPLES", (100, 300))
    data = million.simulated_vectors(600, 60, 8)
    names = [need.precision for need in million_works.NEEDS]
    told = million_works.regret(data)
    for name in names:
        assert 0 < told[f"settings by samples {name}"] < told["settings built"]
        ratio = told[f"by samples {name}"] / told[f"of all {name}"]
        assert told[f"regret {name}"] == ratio - 1 >= 0  # those of samples are among all
    monkeypatch.setattr(scouting, "KEPT", (99, 99))
    monkeypatch.setattr(scouting, "OF_A_METHOD", 99)
    monkeypatch.setattr(scouting, "contenders", list)
    monkeypatch.setattr(scouting, "WORK", np.inf)
    told = million_works.regret(data)
    assert {told[f"settings by samples {name}"] for name in names} == {told["settings built"]}
    assert [told[f"regret {name}"] for name in names] == [0] * len(names)
    monkeypatch.setattr(million_works, "least_cost", lambda *_: np.inf)
    assert not any("regret" in what for what in million_works.regret(data))


def test_the_least_cost_is_of_the_cheapest_effort_with_the_precision():
    data = million.simulated_vectors(600, 60, 8)
    builder = Builder(data.items, truth_of(data), million_works.K)
    some = [builder.tried(FlatKMeans(n_clusters=count), 0) for count in (10, 60)]
    curves = [one.evaluation.curve((million_works.K,)) for one in some]
    for precision in (0.3, 0.9, 1.0):
        costs = [
            cost
            for curve in curves
            for cost, found in zip(curve.mean_cost, curve.precision(million_works.K), strict=True)
            if found >= precision
        ]
        assert million_works.least_cost(some, precision) == min(costs)
    assert million_works.least_cost(some, 1.1) == np.inf


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("inner products", 12345.6, "12,346"),
        ("inner products", 999.96, "1000"),
        ("precision at 30×", 0.99691, "0.9969"),
        ("regret 0.9", 0.05, "5.0%"),
    ],
)
def test_numbers_are_written_out(what, value, words):
    assert million._shown(what, value) == words


def test_a_session_opens_a_file_of_the_data_folder_and_tells_what_the_server_held(
    monkeypatch, tmp_path
):
    monkeypatch.setenv(VARIABLE, "")  # what the session sets is gone after it
    items = tmp_path / "items.npy"
    np.save(items, million.simulated_vectors(600, 1, 8).items)
    told = million_session.session(items, "the same of float16, kept")
    assert np.load(tmp_path / "halves.npy").dtype == np.float16
    assert 0 < told["whole"] < million_session.PATIENCE
    assert told["processor"] > 0
    assert 0 < told["MB of its own"] * 2**20 <= told["memory"]


def test_a_command_tells_its_time_and_what_came_of_it_and_one_that_fails_why(tmp_path):
    items = tmp_path / "items.npy"
    np.save(items, million.simulated_vectors(900, 1, 8).items)
    told = million_works.told_by_command("command map, a page", items)
    assert told["whole"] > 0
    assert 0 < told["megabytes written"] == (tmp_path / "items.html").stat().st_size / 2**20
    with pytest.raises(RuntimeError, match=r"absent\.npy was not found"):
        million_works.told_by_command("command map, a page", tmp_path / "absent.npy")
    found = million_works.told_by_command("command tune --index all", items)
    assert found["settings built"] > 20
    assert found["inner products"] > 0
