"""The command that measures on parts of the data and tells of more."""

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.studies.growth.scaling import Expectation
from tests.mips_core.studies.growth.growth_cases import data, scaling


def test_the_command_measures_tells_and_writes(tmp_path):
    np.save(tmp_path / "x.npy", data().items)
    out = tmp_path / "out.json"
    asked = ["scale", str(tmp_path / "x.npy"), "--index", "exact", "--index", "srp-hash"]
    asked += ["--set", "srp-hash.n_bits=16", "--n-queries", "40", "--to", "50000"]
    done = CliRunner().invoke(main, [*asked, "--precision", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "At 50,000 items (31 times as many), expect about 50,000" in done.output
    assert "100% was reached at 0 of the 4 sizes" in done.output
    written = eval(out.read_text(), {"null": None, "true": True, "false": False})
    exact, hashed = written["scaling"]
    assert exact["expected"]["inner_products"] == pytest.approx([50_000] * 3)
    assert [size["n"] for size in exact["sizes"]] == [200, 400, 800, 1_600]
    assert (hashed["expected"], hashed["exponents"]) == (None, None)
    refused = CliRunner().invoke(main, [*asked, "--precision", "2"])
    assert refused.exit_code == 1
    assert "The precision is 2. Give a share above 0, up to 1." in refused.output
    assert isinstance(scaling().at(10**6), Expectation)
