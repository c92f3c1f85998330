"""Signs of projections: the worked example, the definition, and what float32 cannot see."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import INDEXES, rng_for
from mips_core.methods.hashing.hash_tables import draw_directions
from mips_core.methods.hashing.l2_alsh import L2ALSH
from mips_core.methods.hashing.sign_hash import SignHash, SimpleLSH, SRPHash
from mips_core.methods.hashing.wta import WTAHash
from mips_core.methods.reductions import PadToSphere, Plain
from tests import oracle
from tests.mips_core.methods.hashing.definitions import matrix


def sign_key(directions, v):
    """A bit a direction, 1 where its product with v is not negative; the first weighs most."""
    return int("".join("1" if oracle.dot(a, v) >= 0 else "0" for a in directions), 2)


def test_sign_worked_example():
    X = matrix([1, 2], [-1, 0])
    family = SignHash(Plain().fit(X), matrix([1, 0], [1, -1])[None])
    assert family.keys(X).tolist() == [[2], [0]]
    assert family.query_keys(matrix([0, 0])).tolist() == [[3]]  # a.v = 0 is bit 1


@given(seed=st.integers(0, 2**31), p=st.sampled_from([1, 5, 63, 64]), d=st.integers(1, 9))
def test_sign_keys_are_their_definition(seed, p, d):
    rng = np.random.default_rng(seed)
    V = rng.integers(-2, 3, (6, d)).astype(np.float32)  # zero products happen
    directions = rng.integers(-2, 3, (2, p, d)).astype(np.float32)
    keys = SignHash(Plain().fit(V), directions).keys(V)
    assert keys.tolist() == [[sign_key(own, v) for own in directions] for v in V]


def test_a_sign_that_float32_cannot_see_is_settled_in_float64():
    rng = np.random.default_rng(0)
    a = rng.normal(size=64)
    V = rng.normal(size=(3000, 64))
    V = (V - np.outer(V @ a, a) / (a @ a)).astype(np.float32)
    a = a.astype(np.float32)
    expected = [sign_key([a], v) for v in V]
    blas = (V @ a >= 0).astype(int)
    assert (blas != expected).any()  # else this shows nothing
    keys = SignHash(Plain().fit(V), a[None, None]).keys(V)
    assert keys[:, 0].tolist() == expected


def test_signs_of_vectors_too_short_for_float32_products():
    directions = draw_directions(rng_for(0), 2, 6, 8)
    V = (np.random.default_rng(1).normal(size=(20, 8)) * 1e-38).astype(np.float32)
    keys = SignHash(Plain().fit(V), directions).keys(V)
    assert keys.tolist() == [[sign_key(own, v) for own in directions] for v in V]


def test_keys_collide_as_often_as_the_angle_says():
    directions = draw_directions(rng_for(0), 6000, 2, 2)
    pair = matrix([1, 0], [0.5, math.sqrt(0.75)])  # 60 degrees
    keys = SignHash(Plain().fit(pair), directions).keys(pair)
    same = keys[0] == keys[1]
    assert same.mean() == pytest.approx((1 - 1 / 3) ** 2, abs=0.03)
    assert same.reshape(-1, 3).any(axis=1).mean() == pytest.approx(0.8285, abs=0.03)


@pytest.mark.parametrize("key", ["srp-hash", "simple-lsh"])
def test_bits_cost_an_inner_product_each(key):
    X = np.random.default_rng(0).normal(size=(80, 6)).astype(np.float32)
    index = INDEXES[key](n_bits=12, n_tables=10)
    found = index.searcher(index.build(X, rng_for(0))).candidates(X[:5], 10, 1)
    assert found.spent["projections"].tolist() == [120] * 5
    np.testing.assert_array_equal(found.cost, 120 + np.diff(found.starts))


@pytest.mark.parametrize(
    ("key", "larger"),
    [
        ("srp-hash", {"n_bits": 9}),
        ("simple-lsh", {"n_bits": 9}),
        ("wta-hash", {"n_permutations": 4}),
        ("l2-alsh", {"n_hashes": 9}),
    ],
)
def test_more_tables_leave_the_first_alone_and_longer_keys_only_split_buckets(key, larger, items):
    few, more, longer = (
        INDEXES[key](**values) for values in ({"n_tables": 3}, {"n_tables": 9}, larger)
    )
    found = [
        np.stack(index.searcher(index.build(items, rng_for(1))).groups()[:3])
        for index in (few, more, longer)
    ]
    np.testing.assert_array_equal(found[0], found[1])
    for coarse, fine in zip(found[0], found[2], strict=True):
        assert len(set(zip(coarse, fine, strict=True))) == fine.max() + 1


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (SRPHash(n_bits=12, n_tables=32), "12 bits, 32 tables"),
        (SimpleLSH(n_bits=1, n_tables=1), "1 bit, 1 table"),
        (WTAHash(n_permutations=2, prefix=4), "2 permutations of prefix 4, 64 tables"),
        (L2ALSH(n_hashes=10), "10 hashes, 64 tables"),
    ],
)
def test_settings_in_words(index, text):
    assert index.setting(100) == text


def test_sphere_worked_example():
    lifted = PadToSphere().fit(matrix([3, 4], [0, 1])).items(matrix([3, 4], [0, 1]))
    np.testing.assert_allclose(lifted, [[0.6, 0.8, 0], [0, 0.2, 0.9798]], atol=5e-5)


def test_simple_lsh_is_signs_on_the_sphere(items, queries):
    simple = SimpleLSH(n_bits=5, n_tables=7).build(items, rng_for(2))
    signs = SRPHash(n_bits=5, n_tables=7, reduction=PadToSphere()).build(items, rng_for(2))
    np.testing.assert_array_equal(
        simple.family.query_keys(queries), signs.family.query_keys(queries)
    )
    for one, other in zip(simple.buckets, signs.buckets, strict=True):
        np.testing.assert_array_equal(one, other)
