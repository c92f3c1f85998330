"""Other libraries where they are installed, and items for them."""

import numpy as np
import pytest

from mips_core.serving.other_libraries import RIVALS, available


def installed(key):
    if key not in available():
        pytest.skip(f"{RIVALS[key].package} is not installed: {RIVALS[key].pip}")
    return RIVALS[key]


def items(n, d=8, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)
