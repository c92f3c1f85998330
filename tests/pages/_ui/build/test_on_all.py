"""Build, where the data are a sample of vectors in parts."""

import json
import shlex

import numpy as np
from click.testing import CliRunner

from mips_core import load
from mips_core.commands.parts import command
from mips_core.scale.finished import remove_runs
from pages._ui.work import jobs
from tests.pages.conftest import begin_anew, session_of, small_dataset, texts


def built(at):
    at.button(key="build on all").click().run()
    assert jobs.wait(60)
    return at.run()


def test_the_lines_that_are_shown_search_what_was_built_and_write_it(
    sampled, tmp_path, monkeypatch
):
    at = sampled.go("build.py")
    assert "*Build on all* builds **Flat k-means, 9 clusters** on all 400" in texts(at)
    at = built(at)
    assert not at.exception
    told = at.success[-1].value
    assert told.startswith("**Flat k-means on all 400 vectors** · built in ")
    (run,) = sampled.folder.glob("run-*")
    assert told.endswith(f"in the folder `{run.name}` of words")
    search, build = (line for code in at.code for line in code.value.split("\n") if "parts" in line)
    monkeypatch.chdir(tmp_path)
    X = small_dataset().items
    queries = np.random.default_rng(1).normal(size=(5, 6)).astype(np.float32)
    np.save("queries.npy", queries)
    for line in (search, build):
        words = shlex.split(line)
        assert words[:4] == ["python", "-m", "mips_core", "parts"]
        done = CliRunner().invoke(command, words[4:], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    answers = json.loads((tmp_path / "answers.json").read_text())
    assert answers["coverage"] == 1
    assert len(list(sampled.folder.glob("run-*"))) == 1  # the same build, found again
    ids, _ = load("index.mips", X).search(queries, 10, effort=answers["effort"])
    assert [[one["item"] for one in row] for row in answers["answers"]] == ids.tolist()


def test_what_was_built_before_is_said_and_what_was_removed_is_built_again(sampled):
    at = built(sampled.go("build.py"))
    remove_runs(sampled.folder)
    at.run()
    assert "*Build on all* builds **" in texts(at)
    at = built(at)
    assert "· built in " in at.success[-1].value
    begin_anew()  # as after a restart: the files alone tell of it
    at.run()
    assert jobs.wait(60)
    at.run()
    assert "was built on all 400 before" in texts(at)
    assert "· was there already, built in " in built(at).success[-1].value


def test_a_method_that_parts_have_not_says_so(sampled):
    at = sampled.go("build.py")
    session_of(at).position = 1
    at.run()
    assert jobs.wait(60)
    at.run()
    assert "cannot be built on vectors in parts" in texts(at)
    assert "build on all" not in {button.key for button in at.button}
