"""python -m mips_core report: the page, the notebook, and what it refuses."""

import json
import shlex

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from tests.mips_core.report.reports import Page


def numbers(file):
    told = file.read_text(encoding="utf-8").partition('id="report">')[2].partition("</script>")[0]
    return json.loads(told)


@pytest.fixture
def run(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5)) * rng.lognormal(size=(400, 1))
    np.save(tmp_path / "items.npy", X.astype(np.float32))
    monkeypatch.chdir(tmp_path)

    def call(*arguments, index=("flat-kmeans", "srp-hash"), out="report.html"):
        chosen = [text for key in index for text in ("--index", key)]
        asked = ["report", "items.npy", "--n-queries", "100", *chosen, "--out", out]
        return CliRunner().invoke(main, [*asked, *arguments])

    return call


def test_it_writes_a_page_and_a_notebook_and_says_what_was_found(run, tmp_path):
    done = run("--precision", "0.8", "--title", "Mine", "--note", "<b>", "--sigma", "0,0.1",
               "--speedup", "3", "--notebook", "report.ipynb")  # fmt: skip
    assert done.exit_code == 0, done.output
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "Mine" in page.text
    assert "<b>" in page.text
    assert done.stdout.splitlines()[0] in page.text
    assert "Found by tuning for 0.8" in done.stdout
    told = numbers(tmp_path / "report.html")
    assert told["origin"]["files"] == ["items.npy"]
    assert told["noise"]["sigmas"] == [0.0, 0.1]
    assert [method["seeds"] for method in told["noise"]["methods"]] == [[0, 1, 2]] * 2
    assert json.loads((tmp_path / "report.ipynb").read_text())["nbformat"] == 4


def test_the_command_in_it_measures_the_same_again(run, tmp_path):
    assert run("--precision", "0.8", "--seed", "3", "--metric", "cosine").exit_code == 0
    first = numbers(tmp_path / "report.html")
    again, curve = (shlex.split(line) for line in first["commands"])
    assert again[:4] == ["python", "-m", "mips_core", "report"]
    done = CliRunner().invoke(main, [*again[3:], "--out", "again.html"])
    assert done.exit_code == 0, done.output
    second = numbers(tmp_path / "again.html")
    place = {"setting": 0}
    assert second["point"]["measured"] | place == first["point"]["measured"] | place
    assert second["point"]["parts"] == first["point"]["parts"]
    assert second["data"] == first["data"]
    assert CliRunner().invoke(main, curve[3:]).exit_code == 0
    (told,) = json.loads((tmp_path / "curve.json").read_text())["curves"]
    assert told["seed"] == 3
    assert first["point"]["measured"]["effort"] in [point["effort"] for point in told["points"]]


def test_where_nothing_is_promised_the_best_is_told(run):
    done = run("--set", "n_clusters=7", "--n-queries", "20", index=["flat-kmeans"])
    assert done.exit_code == 0, done.output
    assert "No setting measured promises 0.95 at 95% confidence. It is the cheapest" in done.stdout


def test_few_queries_choose_and_score(run):
    done = run("--n-queries", "5", index=["flat-kmeans"])
    assert done.exit_code == 0, done.output
    assert "on the same queries" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--effort", "3"], "--effort is for one index, and these are 2."),
        (["--precision", "1.2"], "The precision asked for is 1.2."),
        (["--confidence", "0.2"], "The confidence asked for is 0.2."),
        (["--k", "0"], "--k 0 is outside"),
        (["--sigma", "-1"], "The noise σ is -1"),
        (["--notebook", "no/such/place.ipynb"], "cannot be written"),
        (["--notebook", "report.html"], "--out and --notebook are both report.html"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_built(run, monkeypatch, arguments, words):
    monkeypatch.setattr("mips_core.commands.input_data.read_data", None)
    done = run(*arguments)
    assert done.exit_code == 1, done.output
    assert words in done.output


def test_an_effort_that_the_index_does_not_have_is_told(run):
    done = run("--effort", "9999", "--set", "n_clusters=7", index=["flat-kmeans"])
    assert done.exit_code == 1
    assert "was not asked at effort 9999. Its efforts go from 1 to 7." in done.output
