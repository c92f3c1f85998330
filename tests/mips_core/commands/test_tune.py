"""python -m mips_core tune: the answer in words, its table, the report, and what it refuses."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.commands import tune as command
from mips_core.studies import forecast
from mips_core.studies.tuning import scouting


@pytest.fixture
def run(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5)) * rng.lognormal(size=(400, 1))
    np.save(tmp_path / "items.npy", X.astype(np.float32))

    def call(*arguments, index=("flat-kmeans", "srp-hash")):
        chosen = [text for key in index for text in ("--index", key)]
        file = str(tmp_path / "items.npy")
        return CliRunner().invoke(main, ["tune", file, "--n-queries", "200", *chosen, *arguments])

    return call


def test_a_precision_is_promised_in_words_a_table_and_a_report(run, tmp_path):
    out = tmp_path / "out.json"
    done = run("--precision", "0.8", "--no-refine", "--out", str(out))
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text())
    assert report["need"] == {"precision": 0.8, "confidence": 0.95}
    assert report["queries"] == {"tuning": 100, "held_out": 100}
    chosen = report["chosen"]
    assert chosen["verdict"] == "holds"
    assert chosen["held_out"]["interval"][0] >= 0.8
    words, _, table = done.stdout.partition("\n\n")
    assert words == report["in_words"].replace("**", "")
    assert words.startswith(chosen["words"])
    lines = table.splitlines()
    (marked,) = (at for at, line in enumerate(lines) if line.startswith("* "))
    assert lines[marked] == f"* {chosen['words']}"
    assert lines[marked + 1].endswith("holds")
    assert max(map(len, lines[: lines.index("")])) <= 80
    assert (report["seed"], report["dataset"]["n"], report["stopped"]) == (0, 400, False)
    tried = report["tried"]
    assert f"{tried['efforts']:,} efforts of {tried['settings']} settings tried" in done.stdout


def test_a_budget_is_kept(run, tmp_path):
    out = tmp_path / "out.json"
    done = run("--inner-products", "60", "--megabytes", "5", "--seconds", "60", "--out", str(out))
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text())
    assert report["budget"] == {"inner products": 60, "bytes": 5 * 2**20, "seconds": 60}
    assert report["chosen"]["tuning"]["inner_products"] <= 60
    assert report["tried"]["settings"] > 12  # with those near the best
    assert "in budget" in done.stdout


def test_settings_may_be_named(run):
    done = run("--set", "n_clusters=7,9", "--no-refine", index=["flat-kmeans"])
    assert "of 2 settings tried" in done.stdout


def test_without_an_answer_it_is_said_and_ends_well(run):
    done = run("--precision", "1", "--no-refine")
    assert done.exit_code == 0
    assert done.stdout.startswith("No setting reaches 1 at 95% confidence. The best is ")


def test_an_interrupted_search_prints_the_best_so_far(run, monkeypatch):
    whole = command.tune

    def interrupted(*given, **known):
        *given, progress = given
        parts = []

        def stop_after_two(fraction, message, partial=None):
            progress(fraction, message, partial)
            parts.extend([] if partial is None else [partial])
            if len(parts) == 2:
                raise KeyboardInterrupt

        return whole(*given, stop_after_two, **known)

    monkeypatch.setattr(command, "tune", interrupted)
    done = run("--precision", "0.5")
    assert done.exit_code == 0
    assert done.stdout.startswith("Stopped before all was tried")
    assert "of 2 settings tried" in done.stdout
    monkeypatch.setattr(
        command, "tune", lambda *given, **known: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    assert run().exit_code == 130


def test_on_a_terminal_the_best_so_far_is_shown_when_it_changes(run, monkeypatch):
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    done = run("--precision", "0.8", "--no-refine")
    best = [line for line in done.stderr.split("\n") if "best so far: " in line]
    assert 1 <= len(best) <= 12
    assert len(set(best)) == len(best)
    assert best[-1].split("best so far: ")[1].split(": precision")[0] in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--precision", "1.5"], "The precision asked for is 1.5."),
        (["--confidence", "1"], "The confidence asked for is 1."),
        (["--seconds", "0"], "The limit of seconds is 0."),
        (["--precision", ".9", "--seconds", "1"], "A precision and a budget were both given."),
        (["--n-queries", "19"], "There are 19 queries. Tuning needs 20 queries or more"),
        (["--k", "0"], "--k 0 is outside 1 to 100."),
        (["--index", "nothing"], "There is no index 'nothing'."),
    ],
)
def test_what_cannot_be_is_refused_in_words(run, arguments, message):
    done = run(*arguments)
    assert done.exit_code == 1
    assert message in done.output
    assert "Traceback" not in done.output


def test_only_what_runs_in_faiss_is_tried(run, tmp_path):
    out = tmp_path / "out.json"
    keys = ("flat-kmeans", "head-kmeans", "srp-hash", "largest-norm")
    done = run("--precision", "0.8", "--faiss", "--out", str(out), index=keys)
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text())
    shown = [report["chosen"], *report["runners_up"]]
    assert {one["index"]["key"] for one in shown} <= {"flat-kmeans", "head-kmeans"}
    assert all(one["index"].get("copies", 1) == 1 for one in shown)
    refused = run("--faiss", index=("srp-hash",))
    assert refused.exit_code == 1
    assert "None of these indexes runs in faiss. Flat and hierarchical k-" in refused.output


def test_of_many_items_samples_tell_what_is_built_unless_it_is_said_otherwise(
    run, tmp_path, monkeypatch
):
    monkeypatch.setattr(forecast, "LARGE", 400)
    monkeypatch.setattr(scouting, "SAMPLES", (100, 200))
    monkeypatch.setattr(scouting, "KEPT", (6, 3))
    monkeypatch.setattr(scouting, "EACH", 0)
    out = tmp_path / "out.json"
    done = run("--precision", "0.8", "--no-refine", "--out", str(out))
    assert done.exit_code == 0, done.output
    few = json.loads(out.read_text())["tried"]
    assert "settings are tried on samples" in done.stderr
    assert "other settings were tried on samples" in " ".join(done.stdout.split())
    every = run("--precision", "0.8", "--no-refine", "--no-scout", "--out", str(out))
    assert "samples" not in every.output
    tried = json.loads(out.read_text())["tried"]
    assert tried["on_samples"] == 0
    assert tried["settings"] == few["settings"] + few["on_samples"]
