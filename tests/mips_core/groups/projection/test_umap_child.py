"""Real fits, in one child that is loaded once."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mips_core.base.errors import Cancelled
from mips_core.data.dataset import Dataset
from mips_core.groups.projection import umap_child, umap_process
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.neighbours import nearest
from mips_core.groups.projection.pca import pca_layout
from mips_core.groups.projection.quality import trustworthiness
from mips_core.groups.projection.run import project
from mips_core.groups.projection.umap_process import fit_umap, warm

ROOT = Path(__file__).parents[4]
IN_A_NEW_PROCESS = """
import sys
import numpy as np
from mips_core.data.dataset import Dataset
from mips_core.groups.projection import umap_process
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.run import project

layout = project(Dataset(np.load(sys.argv[1])), ProjectionRecipe(space="given", epochs=60))
assert umap_process._KEPT._child is None
np.save(sys.argv[1], layout.xy)
"""
LOADED = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("umap_child", sys.argv[1])
child = importlib.util.module_from_spec(spec)
spec.loader.exec_module(child)
functions = vars(child.loaded()).values()
kept = [f for f in functions if getattr(getattr(f, "stats", None), "cache_path", None)]
names = [(f.stats.cache_path, f.py_func.__qualname__) for f in kept]
print(json.dumps([names, sorted({"pynndescent", "tensorflow", "torch"} & set(sys.modules))]))
"""


@pytest.fixture(scope="module", autouse=True)
def child():
    warm()
    yield
    umap_process._KEPT.end()


@pytest.fixture(scope="module")
def rows():
    """(400, 6) float32: eight groups along a curve."""
    rng = np.random.default_rng(0)
    centres = 4 * rng.normal(size=(8, 6))
    return (centres[rng.integers(8, size=400)] + rng.normal(size=(400, 6))).astype(np.float32)


def fit(rows, mode="reproducible", epochs=200, on_epoch=lambda epoch, xy: None):
    return fit_umap(
        pca_layout(rows), nearest(rows, 15), ProjectionRecipe(mode=mode), epochs, on_epoch
    )


def test_the_same_seed_gives_the_same_picture_and_it_keeps_neighbours(rows):
    epochs = []
    first = fit(rows, on_epoch=lambda epoch, xy: epochs.append((epoch, xy)))
    np.testing.assert_array_equal(first, fit(rows))
    assert all(0 < epoch < 200 and np.isfinite(xy).all() for epoch, xy in epochs)
    parallel = fit(rows, "parallel")
    pca = trustworthiness(rows, pca_layout(rows))
    for xy in (first, parallel):
        assert xy.shape == (400, 2)
        assert xy.dtype == np.float32
        assert trustworthiness(rows, xy) > max(pca, 0.9)


def test_a_fit_is_cancelled_midway_and_the_next_one_works(rows):
    began = []

    def stop(epoch, xy):
        began.append(time.monotonic())
        raise Cancelled

    with pytest.raises(Cancelled):
        fit(rows, epochs=5000, on_epoch=stop)
    assert time.monotonic() - began[0] < 3  # half a second on a machine that is not busy
    assert np.isfinite(fit(rows, epochs=20)).all()


def test_a_layout_once_made_is_there_at_once_in_a_new_process(rows, tmp_path, monkeypatch):
    monkeypatch.setenv("MIPS_EXPLORER_CACHE", str(tmp_path))
    layout = project(Dataset(rows), ProjectionRecipe(space="given", epochs=60))
    assert (layout.method, layout.settled, layout.epoch) == ("umap", True, 60)
    np.save(tmp_path / "rows.npy", rows)
    run(IN_A_NEW_PROCESS, tmp_path / "rows.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "rows.npy"), layout.xy)


def test_the_child_ends_with_the_process_that_asks():
    child = subprocess.Popen(
        [sys.executable, "-I", umap_child.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    child.stdin.close()  # as the system does for a process that was killed
    assert child.wait(60) == 0


def test_what_is_compiled_is_kept_where_it_is_told_to_be_and_named_once(tmp_path):
    only_given = {
        "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    names, unwanted = json.loads(run(LOADED, umap_child.__file__, **only_given))
    assert names
    assert len({tuple(name) for name in names}) == len(names)
    assert unwanted == []


def run(code, *arguments, **environment):
    """What a new process prints."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_what_umap_only_imports_is_not_loaded_and_where_it_asks_for_more_all_is():
    for asks, expected in (("", False), ("child.Unused.__getattr__ = child._not_loaded", True)):
        code = LOADED.replace("functions =", f"{asks}\nfunctions =").replace(
            '"pynndescent", "tensorflow", "torch"', '"scipy.special", "sklearn.base"'
        )
        done = subprocess.run(
            [sys.executable, "-c", code, umap_child.__file__],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        names, loaded = json.loads(done.stdout)
        assert names
        assert bool(loaded) == expected
