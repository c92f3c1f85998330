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
