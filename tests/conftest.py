"""Small seeded inputs and the settings every test shares."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

E2E = Path(__file__).with_name("e2e")  # all tests that drive a browser

settings.register_profile("here", deadline=None, max_examples=60)
settings.register_profile("ci", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("few", deadline=None, max_examples=5, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_ignore_collect(collection_path):
    """What BROWSER leaves out as a whole is not even imported."""
    drives = E2E in (collection_path, *collection_path.parents)
    left_out = {"0": drives, "only": collection_path.suffix == ".py" and not drives}
    return left_out.get(os.environ.get("BROWSER")) or None


def pytest_collection_modifyitems(config, items):
    """BROWSER=0 leaves out the tests that drive a browser, BROWSER=only all others."""
    wanted = {"0": False, "only": True}.get(os.environ.get("BROWSER"))
    if wanted is not None:
        drives = {item: item.get_closest_marker("browser") is not None for item in items}
        config.hook.pytest_deselected(items=[i for i in items if drives[i] is not wanted])
        items[:] = [item for item in items if drives[item] is wanted]


@pytest.fixture
def shared():
    """The folder of reference results and real data beside the project."""
    if not SHARED.is_dir():
        pytest.skip("the reference folder ../shared is not here")
    return SHARED


@pytest.fixture(
    params=[(600, 8), (64, 3), (5, 2), (2, 1), (1, 1)], ids=lambda shape: "n{}-d{}".format(*shape)
)
def items(request):
    """(n, d) float32 of very different norms, with a zero row and repeated rows where n allows."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=request.param) * rng.lognormal(size=(request.param[0], 1))
    if len(X) > 5:
        X[3] = 0
        X[10:14] = X[4]
    return X.astype(np.float32)


@pytest.fixture
def queries(items):
    """(7, d) queries of very different lengths."""
    rng = np.random.default_rng(2)
    Q = rng.normal(size=(7, items.shape[1])) * 10.0 ** rng.integers(-3, 4, size=(7, 1))
    return Q.astype(np.float32)
