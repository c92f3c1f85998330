"""A tree fitted to made-up data, and the words."""

import numpy as np
import pytest

from mips_core.data.catalog import shipped
from tests.mips_core.studies.tree_softmax.softmax_cases import fitted, gaussian


@pytest.fixture(scope="module")
def case():
    """A tree over 61 items, what it was fitted on, and new queries."""
    X, Q = gaussian(61, 250)
    return fitted(X, Q[:200]), X, Q[:200], Q[200:]


@pytest.fixture(scope="module")
def words():
    """1,000 words as items; 300 others to learn from and 200 more to ask."""
    vectors = shipped("glove-6b-50d").items
    others = vectors[4000:][np.random.default_rng(0).permutation(16_000)[:500]]
    return fitted(vectors[:1000], others[:300]), vectors[:1000], others[300:]
