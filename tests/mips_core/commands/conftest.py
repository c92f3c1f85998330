"""The command line on a small file of vectors."""

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core.__main__ import main
from tests.mips_core.commands.items import Q, X


@pytest.fixture
def run(tmp_path):
    np.save(tmp_path / "items.npy", X)
    np.save(tmp_path / "queries.npy", Q)

    def call(*arguments):
        return CliRunner().invoke(main, [a.replace("@", f"{tmp_path}/") for a in arguments])

    return call
