import numpy as np
import pytest

from mips_core.base.seeds import rng_for, sample_rows
from mips_core.methods.clustering.rounds import start_points
from mips_core.methods.reductions import Plain
from mips_core.scale import parts_fit
from mips_core.scale.engine import Local
from mips_core.scale.part_work import LiftedParts
from mips_core.scale.parts_fit import smallest_hashes, start_on_parts
from mips_core.scale.write_parts import write_parts


@pytest.mark.parametrize("size", [1, 40, 100, 150])
def test_a_sample_in_chunks_is_that_of_all_hashes(monkeypatch, size):
    monkeypatch.setattr(parts_fit, "CHUNK", 16)
    drawn = smallest_hashes(rng_for(3, "sample"), 100, size)
    assert np.array_equal(drawn, sample_rows(rng_for(3, "sample"), 100, size))


def test_first_points_pass_over_rows_of_zeros(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)
    X[[0, 1, 20, 33, 34, 59]] = 0
    manifest = write_parts([("X", X)], tmp_path / "x", rows=25)
    lift = Plain().fit(X)
    source = LiftedParts(str(manifest.path), manifest.key, lift)
    points = start_on_parts("points", source, Local(1), 2, 30, lambda *_: None)
    whole = start_points(rng_for(2, "kmeans", 0), lift.rows(X), 30)
    assert points.tobytes() == whole.tobytes()
