"""Samples that a growing fit begins with; its bits are tested with builds on parts."""

import numpy as np

from mips_core.base.progress import silent
from mips_core.base.seeds import rng_for, stream
from mips_core.methods.reductions import Plain
from mips_core.scale.engine import Local
from mips_core.scale.growing_on_parts import sample_on_parts
from mips_core.scale.part_work import LiftedParts
from mips_core.scale.parts_fit import smallest_hashes
from mips_core.scale.write_parts import write_parts


def test_a_sample_is_a_manifest_of_its_rows_and_holds_the_smaller_ones(tmp_path):
    X = np.random.default_rng(0).normal(size=(90, 3)).astype(np.float32)
    manifest = write_parts([("X", X)], tmp_path / "x", rows=25)
    source = LiftedParts(str(manifest.path), manifest.key, Plain().fit(X))
    ids = {}
    for size in (10, 40):
        sample = sample_on_parts(source, Local(2), tmp_path / "run", 3, size, silent).manifest()
        ids[size] = smallest_hashes(stream(rng_for(3, "kmeans", 0), "sample"), 90, size)
        assert np.array_equal(sample.take(np.arange(size)), X[ids[size]])
        sample.check_part(0)
    assert set(ids[10]) < set(ids[40])
