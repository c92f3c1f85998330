import pytest

from mips_core.commands import parts_sweeps
from mips_core.scale.build_on_parts import can_be_built
from mips_core.scale.manifest import Manifest


@pytest.mark.parametrize("n", [1_000, 10_000_000])
def test_a_grid_has_no_fits_that_parts_have_not_and_what_is_set_stays(tmp_path, n):
    manifest = Manifest(tmp_path / "manifest.json", n, 64, "float16", "0" * 32, ())
    keys = ["flat-kmeans", "hierarchical-kmeans"]
    grid = parts_sweeps.settings_on_parts(keys, [], manifest)
    assert all(can_be_built(index, n) for index in grid)
    assert len(grid) == len(set(grid)) > 10
    (named,) = parts_sweeps.settings_on_parts(keys[:1], ["fit=grouped"], manifest)
    assert named.fit == "grouped"
