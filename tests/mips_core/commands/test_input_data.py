"""The data a command is given."""

import json
import re

import numpy as np
import pytest

from tests.mips_core.commands.items import X, curves_of


def test_queries_are_sampled_and_may_leave_out_their_own_row(run, tmp_path):
    with_self = curves_of(run, tmp_path, "--index", "exact", "--n-queries", "20")
    without = curves_of(run, tmp_path, "--index", "exact", "--n-queries", "20", "--exclude-self")
    assert with_self["dataset"]["m"] == without["dataset"]["m"] == 20
    assert with_self["dataset"]["query_fingerprint"] != without["dataset"]["query_fingerprint"]


def test_options_for_sampled_queries_are_not_ignored(run):
    given = ("--queries", "@queries.npy", "--index", "exact")
    for option in (["--exclude-self"], ["--noise", "0.5"]):
        done = run("curve", "@items.npy", *given, *option)
        assert done.exit_code != 0
        assert "sampled from the items" in done.output


@pytest.mark.parametrize(
    "command",
    [
        ("curve", "--index", "flat-kmeans", "--index", "pca-tree", "--k", "1,10"),
        ("curve", "--index", "flat-kmeans", "--k", "10", "--metric", "cosine"),
        ("tune", "--index", "flat-kmeans", "--k", "10", "--precision", "0.5"),
        ("noise", "--index", "flat-kmeans", "--k", "10", "--speedup", "2", "--sigma", "0.1"),
        ("compare", "--index", "flat-kmeans", "--index", "pca-tree", "--k", "10"),
        ("drift", "--index", "flat-kmeans", "--k", "10"),
    ],
    ids=lambda command: " ".join(command[:3]),
)
def test_float16_that_is_kept_has_the_results_of_its_float32(run, tmp_path, command):
    np.save(tmp_path / "halves.npy", X.astype(np.float16))
    name, *options = command
    answers = []
    for kept in ("no", "yes"):
        out = tmp_path / f"{kept}.json"
        done = run(
            name, "@halves.npy", *options, "--read", f"keep_float16={kept}", "--out", str(out)
        )
        assert done.exit_code == 0, done.output
        answers.append(without_seconds(json.loads(out.read_bytes())))
    assert answers[0] == answers[1]


def without_seconds(value):
    """What a command tells, without what the clock measured."""
    if isinstance(value, list):
        return [without_seconds(each) for each in value]
    if not isinstance(value, dict):
        return value
    timed = re.compile("second|time|took|created|date")
    return {key: without_seconds(v) for key, v in value.items() if not timed.search(key)}
