"""Replay of the reference fixture: the same draws give the same keys, candidate sets and costs."""

import json

import numpy as np
import pytest

from mips_core.base.progress import silent
from mips_core.methods.hashing.hash_search import TableSearcher
from mips_core.methods.hashing.hash_tables import float32_slack, hash_items
from mips_core.methods.hashing.l2_alsh import FloorFunctions, hash_values, lift_items, lift_queries
from mips_core.methods.hashing.sign_hash import SignHash
from mips_core.methods.hashing.wta import WinnerHash
from mips_core.methods.reductions import PadToSphere, PaperAugment


@pytest.fixture
def fixture(shared):
    return json.loads((shared / "oracle" / "fixtures.json").read_text())


@pytest.fixture
def case(fixture):
    return tuple(np.array(fixture[name], np.float32) for name in ("X", "Q"))


def check_search(tables, Q, expected):
    found = TableSearcher(tables).candidates(Q, len(tables.buckets.tables) - 1, 10)
    rows = np.split(found.ids, found.starts[1:-1])
    assert [row.tolist() for row in rows] == [sorted(row) for row in expected["candidates"]]
    np.testing.assert_allclose(found.cost, expected["cost"])


def check_keys(family, items, Q, expected):
    np.testing.assert_array_equal(family.keys(items).T, expected["item_keys"])
    np.testing.assert_array_equal(family.query_keys(Q).T, expected["query_keys"])


@pytest.mark.parametrize("name", ["srp", "simple_lsh"])
def test_signs(fixture, case, name):
    X, Q = case
    expected = fixture[name]
    reduction = PaperAugment(fixture["U"], fixture["m"]) if name == "srp" else PadToSphere()
    lift = reduction.fit(X)
    family = SignHash(lift, np.array(expected["projections"], np.float32))
    check_keys(family, lift.items(X), Q, expected)
    check_search(hash_items(family, len(family.directions), lift.items(X), silent), Q, expected)


def test_wta(fixture, case):
    X, Q = case
    expected = fixture["wta"]
    lift = PaperAugment(fixture["U"], fixture["m"]).fit(X)
    family = WinnerHash(lift, np.array(expected["prefixes"]), X.shape[1])
    check_keys(family, lift.items(X), Q, expected)
    check_search(hash_items(family, len(family.prefixes), lift.items(X), silent), Q, expected)


def test_l2_alsh(fixture, case):
    X, Q = case
    expected = fixture["l2_alsh"]
    m = expected["m"]
    functions = FloorFunctions(
        np.array(expected["a"], np.float32), np.array(expected["b"]), expected["r"]
    )
    items = lift_items(X, expected["U"], m)
    for rows, hashes in (
        (items, expected["item_hash"]),
        (lift_queries(Q, m), expected["query_hash"]),
    ):
        values = functions.values(rows, float32_slack(rows), slice(None))
        np.testing.assert_array_equal(values.transpose(0, 2, 1), hashes)
    check_search(hash_values(functions, m, items, silent), Q, expected)
