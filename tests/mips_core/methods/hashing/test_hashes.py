"""What is particular to each hash index: worked examples, definitions, costs, exact decisions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import INDEXES, rng_for
from mips_core.base.progress import silent
from mips_core.methods.hashing.hash_tables import draw_directions, float32_slack, hash_items
from mips_core.methods.hashing.l2_alsh import L2ALSH, FloorFunctions, lift_items, lift_queries
from mips_core.methods.hashing.sign_hash import SignHash
from mips_core.methods.hashing.simple_lsh import SimpleLSH
from mips_core.methods.hashing.srp import SRPHash
from mips_core.methods.hashing.wta import WinnerHash, WTAHash
from mips_core.methods.reductions import PadToSphere, PaperAugment, Plain
from tests import oracle


def matrix(*rows):
    return np.array(rows, np.float32)


def sign_key(directions, v):
    """A bit a direction, 1 where its product with v is not negative; the first weighs most."""
    return int("".join("1" if oracle.dot(a, v) >= 0 else "0" for a in directions), 2)


def winner_key(prefixes, v):
    """The place of the largest entry of each prefix, the first on ties, as digits of base k."""
    key = 0
    for prefix in prefixes:
        values = [float(v[c]) for c in prefix]
        key = key * len(prefix) + values.index(max(values))
    return key


def floor_value(a, b, r, v):
    return math.floor((oracle.dot(a, v) + b) / r)


# --- signs


def test_sign_worked_example():
    X = matrix([1, 2], [-1, 0])
    family = SignHash(Plain().fit(X), matrix([1, 0], [1, -1])[None])
    assert family.keys(X).tolist() == [[2], [0]]
    assert family.query_keys(matrix([0, 0])).tolist() == [[3]]  # a.v = 0 is bit 1


def test_sphere_worked_example():
    lifted = PadToSphere().fit(matrix([3, 4], [0, 1])).items(matrix([3, 4], [0, 1]))
    np.testing.assert_allclose(lifted, [[0.6, 0.8, 0], [0, 0.2, 0.9798]], atol=5e-5)


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


def test_simple_lsh_is_signs_on_the_sphere(items, queries):
    simple = SimpleLSH(n_bits=5, n_tables=7).build(items, rng_for(2))
    signs = SRPHash(n_bits=5, n_tables=7, reduction=PadToSphere()).build(items, rng_for(2))
    np.testing.assert_array_equal(
        simple.family.query_keys(queries), signs.family.query_keys(queries)
    )
    for one, other in zip(simple.buckets, signs.buckets, strict=True):
        np.testing.assert_array_equal(one, other)


# --- winners


@pytest.mark.parametrize(
    ("v", "prefix", "code"), [((4, -1.5, 2.1, 5.5, 0), (2, 0, 3), 2), ((1, 1, 0), (1, 0), 0)]
)
def test_wta_worked_examples(v, prefix, code):
    V = matrix(v)
    assert WinnerHash(Plain().fit(V), np.array([[prefix]]), len(v)).keys(V).tolist() == [[code]]


@given(seed=st.integers(0, 2**31), p=st.integers(1, 16), k=st.integers(1, 16))
def test_winner_keys_are_their_definition(seed, p, k):
    rng = np.random.default_rng(seed)
    V = rng.integers(-3, 4, (6, 20)).astype(np.float32)  # ties happen
    prefixes = np.array([[rng.permutation(20)[:k] for _ in range(p)] for _ in range(2)])
    keys = WinnerHash(Plain().fit(V), prefixes, 20).keys(V)
    assert keys.tolist() == [[winner_key(own, v) for own in prefixes] for v in V]


def test_a_prefix_is_cut_to_the_dimension_and_holds_different_coordinates():
    X = np.random.default_rng(0).normal(size=(30, 3)).astype(np.float32)
    for reduction, k in ((Plain(), 3), (PaperAugment(m=2), 5)):
        tables = WTAHash(prefix=16, n_tables=4, reduction=reduction).build(X, rng_for(0))
        prefixes = tables.family.prefixes
        assert prefixes.shape == (4, 3, k)
        assert (np.sort(prefixes, axis=2) == np.arange(k)).all()
        assert tables.family.per_table == 3 * k / 3  # the dimension before lifting


def test_a_comparison_costs_a_share_of_an_inner_product_and_is_not_rounded():
    X = np.random.default_rng(0).normal(size=(50, 150)).astype(np.float32)
    index = WTAHash(n_permutations=4, prefix=8, n_tables=20)
    found = index.searcher(index.build(X, rng_for(0))).candidates(X[:3], 20, 1)
    np.testing.assert_allclose(found.spent["comparisons"], 4.2667, atol=1e-4)
    np.testing.assert_array_equal(found.cost, 20 * (4 * 8 / 150) + np.diff(found.starts))


# --- floors


def test_l2_worked_example():
    X = matrix([3, 4], [6, 8], [0, 0])  # the longest has length 10, so s = U / 10
    P = lift_items(X, 0.99, 2)
    s = 0.099
    np.testing.assert_allclose(P[0], [3 * s, 4 * s, (5 * s) ** 2, (5 * s) ** 4], rtol=1e-6)
    assert not P[2].any()
    item, query = matrix([0.3, 0.4, 0.25, 0.0625]), lift_queries(matrix([7, 0]), 2)
    np.testing.assert_array_equal(query, [[1, 0, 0.5, 0.5]])
    assert ((query - item) ** 2).sum() == pytest.approx(1.5 - 0.6 + 0.00390625)
    functions = FloorFunctions(matrix([1, 0, 2, -1])[None], np.array([[0.5]]), 2.5)
    for row in (item, query):
        assert functions.values(row, float32_slack(row), slice(None)).tolist() == [[[0]]]
    assert (oracle.dot(functions.a[0, 0], item[0]), oracle.dot(functions.a[0, 0], query[0])) == (
        pytest.approx(0.7375),
        1.5,
    )


def test_floor_goes_down_for_negatives():
    V = matrix([-0.1], [0.1], [-1.0])
    functions = FloorFunctions(matrix([1])[None], np.array([[0.0]]), 1.0)
    assert functions.values(V, float32_slack(V), slice(None)).tolist() == [[[-1, 0, -1]]]


@pytest.mark.parametrize("r", [0.1, 1.0, 2.5])
def test_a_floor_that_float32_cannot_see_is_settled_in_float64(r):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(1, 900, 40)).astype(np.float32)
    v = rng.normal(size=(1, 40)).astype(np.float32)
    exact = np.array([oracle.dot(row, v[0]) for row in a[0]])
    b = r * np.ceil(exact / r) - exact + rng.uniform(-1e-7, 1e-7, 900)  # a hair from an edge
    values = FloorFunctions(a, b[None], r).values(v, float32_slack(v), slice(None))[0, :, 0]
    expected = [floor_value(row, shift, r, v[0]) for row, shift in zip(a[0], b, strict=True)]
    blas = np.floor((np.float64(v @ a[0].T)[0] + b) / r)
    assert (blas != expected).any()  # else this shows nothing
    assert values.tolist() == expected


@given(seed=st.integers(0, 2**31), r=st.sampled_from([0.1, 0.7, 2.5, 100.0]))
def test_l2_candidates_are_the_items_of_equal_numbers(seed, r):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(40, 5)) * rng.lognormal(size=(40, 1))).astype(np.float32)
    Q = rng.normal(size=(4, 5)).astype(np.float32)
    index = L2ALSH(n_hashes=3, n_tables=2, r=r)
    tables = index.build(X, rng_for(seed))
    found = index.searcher(tables).candidates(Q, 2, 1)
    P, lifted = lift_items(X, index.U, index.m), lift_queries(Q, index.m)
    functions = tables.family.functions

    def numbers(v):
        return [
            [floor_value(*each, r, v) for each in zip(a, b, strict=True)]
            for a, b in zip(functions.a, functions.b, strict=True)
        ]

    of_items = [numbers(v) for v in P]
    for i, v in enumerate(lifted):
        own = numbers(v)
        expected = [
            j for j, other in enumerate(of_items) if own[0] == other[0] or own[1] == other[1]
        ]
        assert found.ids[found.starts[i] : found.starts[i + 1]].tolist() == expected
        assert found.cost[i] == 3 * 2 + len(expected)


def test_offsets_and_zero_queries():
    functions = L2ALSH(r=0.5).build(matrix([1, 0], [0, 1]), rng_for(0)).family.functions
    assert functions.b.min() >= 0
    assert 0.4 < functions.b.max() < 0.5
    np.testing.assert_array_equal(lift_queries(matrix([0, 0]), 1), [[0, 0, 0.5]])


# --- all


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


@pytest.mark.parametrize("d", [1, 2, 4, 100])
def test_the_wta_grid_has_no_two_settings_that_cut_to_the_same(d):
    grid = WTAHash.grid(1000, d)
    X = np.random.default_rng(0).normal(size=(20, d)).astype(np.float32)
    shapes = [index.build(X, rng_for(0)).family.prefixes.shape for index in grid]
    assert len(set(shapes)) == len(grid) >= 4


def test_items_are_hashed_alike_in_blocks_and_at_once():
    X = np.random.default_rng(0).normal(size=(2500, 6)).astype(np.float32)
    lift = Plain().fit(X)
    family = SignHash(lift, draw_directions(rng_for(0), 3, 7, 6))
    buckets = hash_items(family, lift.items(X), silent).buckets
    keys = family.keys(lift.items(X))
    for t in range(3):
        own = buckets.members[t * 2500 : (t + 1) * 2500]
        np.testing.assert_array_equal(own, np.argsort(keys[:, t], kind="stable"))
