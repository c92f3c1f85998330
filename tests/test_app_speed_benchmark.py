"""The benchmark of the app sets what it measured against targets, by median or 95th percentile."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import app_speed
from benchmarks.app_speed import Start, Times, environment, note_start, processor_seconds, show


def test_samples_of_a_work_become_one_row():
    times = Times()
    times.add("drag, Home, Probes", 0.01, 0.03)
    times.add("import mips_core", 0.2)
    times.add("drag, Home, Probes", 0.02)
    drag, imported = times.rows()
    assert (drag["median_s"], drag["samples"], drag["target_s"]) == (0.02, 3, 0.05)
    assert (drag["least_s"], drag["most_s"]) == (0.01, 0.03)
    assert imported["target_s"] == 0.5


def test_what_is_ours_of_a_start_is_what_an_empty_app_does_not_take(capsys):
    times = Times()
    note_start(times, Start(2.0, 5.0, 3.0), Start(1.0, 2.0, 1.25), "warm")
    rows = {row["work"]: row for row in times.rows()}
    assert rows["beyond an empty app, warm"]["median_s"] == 3.0
    ours = rows["our own work before the first curve, warm"]
    assert (ours["median_s"], ours["target_s"]) == (1.75, 1.5)
    assert rows["first curve on screen, warm"]["target_s"] is None
    show(times.rows())
    printed = capsys.readouterr().out
    assert "1.75 s" in printed
    assert "1.50 s" in printed


def test_imports_are_timed_in_processes_of_their_own(monkeypatch):
    monkeypatch.setattr(app_speed, "IMPORTS", {"import json": "import json"})
    times = Times()
    app_speed.import_times(times, rounds=2)
    assert len(times.taken["import json"]) == 2
    assert all(0 <= seconds < 60 for seconds in times.taken["import json"])


def test_variables_are_those_of_the_processes_started_within(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    with environment(NUMBA_CACHE_DIR="here"):
        assert os.environ["NUMBA_CACHE_DIR"] == "here"
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_processor_time_of_a_process_that_is_not_there_is_not_a_number():
    assert processor_seconds(os.getpid()) >= 0 or not Path("/proc").is_dir()
    assert processor_seconds(2**30) != processor_seconds(2**30)


def test_the_table_is_written_as_json_and_as_a_page(monkeypatch, tmp_path):
    row = {"work": "page change", "median_s": 0.1, "p95_s": 0.2, "target_s": 0.3, "samples": 4}
    start = {"work": "server answers", "median_s": 2, "p95_s": 3, "target_s": None, "samples": 5}
    monkeypatch.setattr(app_speed, "measure", lambda rounds, cold: [row, start])
    file, page = tmp_path / "speed.json", tmp_path / "app.md"
    args = ["--rounds", "1", "--json", str(file), "--markdown", str(page)]
    done = CliRunner().invoke(app_speed.main, args)
    assert done.exit_code == 0, done.output
    assert json.loads(file.read_text())["rows"] == [row, start]
    lines = page.read_text().splitlines()
    assert "| page change | 100 ms | 200 ms | ≤ 300 ms | 4 |" in lines
    assert "| server answers | 2.00 s | 3.00 s | – | 5 |" in lines
    assert "300 ms" in done.output


@pytest.mark.parametrize("option", ["--rounds", "--cold"])
def test_none_is_no_number_of_starts(option):
    done = CliRunner().invoke(app_speed.main, [option, "0"])
    assert done.exit_code == 2
    assert f"Invalid value for '{option}': 0 is not in the range x>=1." in done.output


def test_a_target_belongs_to_what_begins_with_its_name():
    assert app_speed.target_of("page change, first visit: Map") == pytest.approx(0.3)
    assert app_speed.target_of("server answers, cold") is None
