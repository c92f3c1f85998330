import json

import numpy as np
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.scale.write_parts import write_parts
from mips_core.serving.store import load

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


def test_an_index_built_on_parts_is_the_file_of_one_built_on_all_rows(tmp_path):
    np.save(tmp_path / "x.npy", X)
    run("import", tmp_path / "x.npy", "--out", tmp_path / "x")
    options = ["--index", "flat-kmeans", "--set", "n_clusters=6", "--out"]
    result = run("build", tmp_path / "x", *options, tmp_path / "parts.mips")
    assert result.exit_code == 0, result.output
    whole = ["build", str(tmp_path / "x.npy"), *options, str(tmp_path / "whole.mips"), "--no-items"]
    assert CliRunner().invoke(main, whole).exit_code == 0
    one, other = (load(tmp_path / f"{name}.mips", X) for name in ("parts", "whole"))
    assert one.fingerprint == other.fingerprint
    for K, effort in ((1, 1), (20, 6)):
        assert all(map(np.array_equal, one.search(X, K, effort), other.search(X, K, effort)))


def test_search_tells_which_parts_it_covers_and_clean_removes_what_was_built(tmp_path):
    write_parts([("X", X)], tmp_path / "x", rows=40)
    np.save(tmp_path / "q.npy", X[:3])
    what = ["--index", "flat-kmeans", "--set", "n_clusters=6"]
    ask = [tmp_path / "x", tmp_path / "q.npy", *what, "--effort", 6, "--k", 60, "--out"]
    assert "was not built" in run("search", *ask, tmp_path / "none.json").output
    assert "Built: Flat k-means, 6 clusters." in run("build", tmp_path / "x", *what).output
    for name, coverage in (("whole", 1.0), ("partial", 1 - 20 / 60)):
        result = run("search", *ask, tmp_path / f"{name}.json")
        assert result.exit_code == 0, result.output
        report = json.loads((tmp_path / f"{name}.json").read_text())
        assert report["coverage"] == coverage
        assert {len(answers) for answers in report["answers"]} == {round(60 * coverage)}
        (tmp_path / "x/part-00001.npy").unlink(missing_ok=True)
    assert list(report["missing"]) == ["part-00001.npy"]
    assert "Left out: The part part-00001.npy cannot be read" in result.output
    assert "1 build removed" in run("clean", tmp_path / "x").output
    assert not list((tmp_path / "x").glob("run-*"))


def test_tune_and_noise_on_parts_say_what_those_on_one_file_say(tmp_path):
    np.save(tmp_path / "x.npy", X)
    run("import", tmp_path / "x.npy", "--out", tmp_path / "x")
    what = ["--index", "flat-kmeans", "--set", "n_clusters=4,8", "--n-queries", "40", "--k", "2"]
    for name, more, answer in (
        ("tune", ["--no-refine", "--precision", "0.6"], "chosen"),
        ("noise", ["--speedup", "2", "--sigma", "0,0.2", "--seed", "0"], "rows"),
    ):
        paths = [tmp_path / f"{name}-{which}.json" for which in ("parts", "whole")]
        result = run(name, tmp_path / "x", *what, *more, "--out", paths[0])
        assert result.exit_code == 0, result.output
        whole = [name, str(tmp_path / "x.npy"), *what, *more, "--out", str(paths[1])]
        assert CliRunner().invoke(main, whole).exit_code == 0
        one, other = (json.loads(path.read_text())[answer] for path in paths)
        for rows in (one, other):
            for row in rows if isinstance(rows, list) else [rows]:
                row.pop("data", None)  # its name
                row.pop("build", None)  # its seconds
        assert one == other


def test_a_scheduler_elsewhere_needs_certificates(tmp_path):
    np.save(tmp_path / "x.npy", X)
    run("import", tmp_path / "x.npy", "--out", tmp_path / "out")
    cluster = ["--index", "flat-kmeans", "--cluster", "tcp://10.0.0.1:8786"]
    refused = run("curve", tmp_path / "out", *cluster)
    assert refused.exit_code == 1
    assert "plain TCP" in refused.output
