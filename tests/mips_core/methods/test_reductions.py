"""What each reduction promises, and the worked numbers of the paper's mapping."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import ParamError
from mips_core.methods.reductions import REDUCTIONS, PadToSphere, PaperAugment, Plain
from tests import oracle

reductions = st.sampled_from([PaperAugment(0.75, 2), PaperAugment(0.83, 3), PadToSphere(), Plain()])
seeds = st.integers(0, 2**31)


def random_items(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5)) * rng.lognormal(size=(60, 1))
    return X.astype(np.float32), rng.normal(size=(3, 5)).astype(np.float32)


def test_worked_example():
    lift = PaperAugment(U=0.5, m=2).fit(np.array([[3, 4], [0, 1], [0, 0]], np.float32))
    P = lift.items(np.array([[3, 4], [0, 1], [0, 0]], np.float32))
    expected = [[0.3, 0.4, 0.25, 0.4375], [0, 0.1, 0.49, 0.4999], [0, 0, 0.5, 0.5]]
    np.testing.assert_allclose(P, expected, atol=1e-7)
    np.testing.assert_allclose(
        (P.astype(float) ** 2).sum(1), [0.50390625, 0.50000001, 0.5], atol=1e-7
    )
    np.testing.assert_array_equal(lift.queries(np.array([[1, 2]], np.float32)), [[1, 2, 0, 0]])


@given(reductions, seeds)
def test_scores_are_kept_up_to_one_scale(reduction, seed):
    X, Q = random_items(seed)
    lift = reduction.fit(X)
    lifted = lift.queries(Q).astype(np.float64) @ lift.items(X).T.astype(np.float64)
    np.testing.assert_allclose(lifted, lift.scale * (Q @ X.T), atol=1e-5)


@given(st.floats(0.05, 0.99), st.integers(1, 8), seeds)
def test_paper_augment_is_its_formula_and_its_norm_identity(U, m, seed):
    X, _ = random_items(seed)
    P = PaperAugment(U, m).fit(X).items(X).astype(np.float64)
    np.testing.assert_allclose(P, oracle.augment(X, U, m), atol=1e-6)
    norms = np.linalg.norm(X.astype(np.float64), axis=1)
    lengths = norms * U / norms.max()
    np.testing.assert_allclose((P**2).sum(1), m / 4 + lengths ** (2 ** (m + 1)), atol=3e-6)


@given(seeds)
def test_sphere_ranks_by_cosine_as_inner_product_ranks(seed):
    X, Q = random_items(seed)
    lift = PadToSphere().fit(X)
    lifted = lift.items(X)
    np.testing.assert_allclose(np.linalg.norm(lifted, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(
        np.argsort(-(lift.queries(Q) @ lifted.T), kind="stable")[:, :5],
        np.argsort(-(Q @ X.T), kind="stable")[:, :5],
    )


@given(reductions, seeds, st.sampled_from([np.float32, np.float16]))
def test_rows_made_block_by_block_are_the_lifted_items(reduction, seed, dtype):
    X = random_items(seed)[0].astype(dtype)
    whole = X.astype(np.float32)
    lift = reduction.fit(X)
    assert lift.scale == reduction.fit(whole).scale
    rows, items = lift.rows(X), lift.items(whole)
    expected = (whole.astype(np.float64) * lift.scale).astype(np.float32)
    np.testing.assert_array_equal(items[:, :5], expected)
    assert (rows.shape, len(rows)) == (items.shape, len(items))
    some = np.array([3, 0, 59])
    for at in (slice(0, 17), slice(17, 60), slice(60, 60), some):
        np.testing.assert_array_equal(rows[at], items[at])


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_all_zero_items_and_the_scale_is_frozen(kind):
    zeros = np.zeros((3, 2), np.float32)
    assert np.isfinite(REDUCTIONS[kind]().fit(zeros).items(zeros)).all()
    lift = REDUCTIONS[kind]().fit(np.array([[2, 0]], np.float32))
    longer = lift.items(np.array([[4, 0]], np.float32))
    assert longer[0, 0] == pytest.approx(2 * lift.items(np.array([[2, 0]], np.float32))[0, 0])


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ParamError, match=r"U is 1, outside 0\.05 to 0\.99"):
        PaperAugment(U=1.0)
    with pytest.raises(ParamError, match="m is 9"):
        PaperAugment(m=9)
