"""Products of codes are exact, in whatever registers they are formed."""

import numpy as np
import pytest
from numba import njit

from mips_core.serving.fast_search.blocks import (
    ROWS,
    UNCOMPILED,
    block_products,
    compiled_products,
    plain_products,
    width,
    zero_blocks,
)


def compiled(function):
    """It called from compiled code, where code is compiled."""

    @njit
    def call(blocks, block, planes, excess, products):
        function(blocks, block, planes, excess, products)

    return call


WAYS = [plain_products, compiled(block_products)]
if not UNCOMPILED:
    WAYS.append(compiled(compiled_products(vnni=False)))


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("d", [1, 4, 50, 101, 1000])
def test_products_are_the_definition(way, d):
    rng = np.random.default_rng(d)
    blocks, planes = zero_blocks(3, d), np.zeros((2, width(d)), np.int8)
    rows = rng.integers(-127, 128, (3 * ROWS, d))
    rows[0], rows[1] = 127, -127
    stored = blocks.swapaxes(1, 2).reshape(3 * ROWS, -1)  # a copy
    stored[:, :d] = rows + 128
    blocks[:] = stored.reshape(3, ROWS, -1, 4).swapaxes(1, 2)
    for high, low in ((125, 63), (-125, -64), (None, None)):
        planes[0, :d] = rng.integers(-125, 126, d) if high is None else high
        planes[1, :d] = rng.integers(-64, 64, d) if low is None else low
        query = 128 * planes[0].astype(int)[:d] + planes[1, :d]
        expected = rows @ query
        products = np.empty(ROWS, np.int32)
        for block in range(3):
            WAYS[way](blocks, block, planes, int(128 * query.sum()), products)
            np.testing.assert_array_equal(products, expected[block * ROWS : (block + 1) * ROWS])


@pytest.mark.parametrize("d", [1, 5, 100])
def test_blocks_begin_where_a_line_of_the_cache_does(d):
    blocks = zero_blocks(7, d)
    assert blocks.ctypes.data % 64 == 0
    assert blocks.shape == (7, width(d) // 4, ROWS, 4)
    assert (blocks == 128).all()
