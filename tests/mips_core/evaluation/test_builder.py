"""Building one index after another: what is built, what is shared, what is asked."""

import numpy as np
import pytest

from mips_core import Dataset, compare, rng_for, truth_of
from mips_core.base.errors import Cancelled
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import evaluate
from mips_core.methods.hashing.sign_hash import SRPHash
from mips_core.methods.kmeans.flat import FlatKMeans
from tests.mips_core.evaluation.random_data import METHODS, random_dataset

K = 5
INDEXES = (FlatKMeans(n_clusters=8), FlatKMeans(n_clusters=20), SRPHash(n_bits=4, n_tables=8))


@pytest.fixture
def builder():
    rng = np.random.default_rng(0)
    X, Q = (rng.normal(size=(rows, 6)).astype(np.float32) for rows in (200, 30))
    return Builder(X, truth_of(Dataset(X, Q)), K)


def test_each_is_built_and_asked_as_alone(builder):
    found = builder.evaluations(INDEXES, 3)
    assert [one.index for one in found] == list(INDEXES)
    for one in found:
        searcher = one.index.searcher(one.index.build(builder.items, rng_for(3)))
        alone = evaluate(one.index, searcher, builder.truth, 3, K=K).curve((K,))
        np.testing.assert_array_equal(one.curve((K,)).histograms[K], alone.histograms[K])
        np.testing.assert_array_equal(one.curve((K,)).mean_cost, alone.mean_cost)


def test_the_last_structure_is_shared_and_no_other_kept(builder):
    first, second, _ = INDEXES
    built = builder.build(first, 0)
    assert builder.build(first, 0) is built
    assert built.seconds > 0
    assert builder.build(first, 1) is not built
    builder.build(second, 0)
    assert builder.build(first, 0) is not built


def test_progress_rises_to_the_end(builder):
    seen = []
    builder.evaluations(INDEXES, 0, lambda fraction, message, partial=None: seen.append(fraction))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1)


def test_progress_rises_carries_curves_and_cancels():
    seen = []

    def note(fraction, message, partial=None):
        seen.append((fraction, partial))

    compare(METHODS, random_dataset(), ks=(1,), progress=note)
    assert seen[-1][0] == 1
    finished = [partial for _, partial in seen if isinstance(partial, tuple) and partial]
    assert [len(curves) for curves in finished][-1] == 2

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        compare(METHODS, random_dataset(), ks=(1,), progress=stop)
