import json

import numpy as np
from click.testing import CliRunner

from mips_core.__main__ import main

X = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)


def run(*arguments):
    return CliRunner().invoke(main, ["parts", *map(str, arguments)])


def test_import_and_check(tmp_path):
    np.save(tmp_path / "x.npy", X)
    result = run("import", tmp_path / "x.npy", "--out", tmp_path / "out", "--dtype", "float16")
    assert result.exit_code == 0, result.output
    assert "60 vectors of 4 dimensions, float16, in 1 part" in result.output
    assert "All parts are as" in run("check", tmp_path / "out").output
    np.save(tmp_path / "out/part-00000.npy", X.astype(np.float16) * 2)
    refused = run("check", tmp_path / "out")
    assert refused.exit_code == 1
    assert "part-00000.npy has changed" in refused.output


def test_curve_is_that_of_the_same_rows_in_one_file(tmp_path):
    np.save(tmp_path / "x.npy", X)
    run("import", tmp_path / "x.npy", "--out", tmp_path / "out")
    options = ["--index", "flat-kmeans", "--k", "1", "--n-queries", "20", "--out"]
    result = run("curve", tmp_path / "out", *options, tmp_path / "parts.json")
    assert result.exit_code == 0, result.output
    whole = ["curve", str(tmp_path / "x.npy"), *options, str(tmp_path / "whole.json")]
    assert CliRunner().invoke(main, whole).exit_code == 0
    parts, one = (
        json.loads((tmp_path / f"{name}.json").read_text()) for name in ("parts", "whole")
    )
    assert parts["curves"] == one["curves"]


def test_a_scheduler_elsewhere_needs_certificates(tmp_path):
    np.save(tmp_path / "x.npy", X)
    run("import", tmp_path / "x.npy", "--out", tmp_path / "out")
    cluster = ["--index", "flat-kmeans", "--cluster", "tcp://10.0.0.1:8786"]
    refused = run("curve", tmp_path / "out", *cluster)
    assert refused.exit_code == 1
    assert "plain TCP" in refused.output
