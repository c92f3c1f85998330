"""Ranks of wanted items, counted for many queries at once, equal those of a sort."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.quantization.quantized_ranks import ranks_of
from tests.mips_core.methods.hard_vectors import SEEDS


@given(SEEDS, st.sampled_from(["any", "ties", "equal", "close", "far apart"]), st.integers(1, 40))
def test_ranks_count_the_items_that_come_before(seed, kind, m):
    rng = np.random.default_rng(seed)
    tables = rng.normal(size=(m, 2, 4)).astype(np.float32)
    if kind == "ties":
        tables = np.rint(tables)
    elif kind == "equal":
        tables[:] = 0.5
    elif kind == "close":
        tables = 1 + np.float32(2.0**-23) * np.rint(tables)
    elif kind == "far apart":
        tables[:, :, 0] *= np.float32(1e8)
    tables = tables.astype(np.float32)
    codes = rng.integers(0, 4, size=(50, 2)).astype(np.uint8)
    wanted = np.array([rng.permutation(50)[:7] for _ in range(m)])
    wanted[rng.random(wanted.shape) < 0.3] = -1
    ranks = ranks_of(tables, codes, wanted)
    for table, items, row in zip(tables, wanted, ranks, strict=True):
        scores = table[0, codes[:, 0]] + table[1, codes[:, 1]]
        order = sorted(range(50), key=lambda i: (-scores[i], i))
        assert row.tolist() == [order.index(i) if i >= 0 else 50 for i in items]
