"""Exact products of one code with 16 others at once, in registers as wide as the processor has.

Codes lie in blocks of 16 rows, four entries of each row side by side: no sum goes across a
register. Processors with VNNI multiply and add four bytes in one step; for others LLVM makes what
they have of the same sums. Sums of integers are exact, so every way gives the same numbers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir  # type: ignore[import-untyped]
from numba import config, types
from numba.core import cgutils as untyped
from numba.extending import intrinsic
from numpy.typing import NDArray

ROWS = 16  # of a block: sums of 32 bits in the widest register
ENTRIES = 4  # of a row that lie side by side
STEP = ROWS * ENTRIES  # bytes
ZERO = 128  # entries are stored with so much added

Blocks = NDArray[np.uint8]  # (b, width / 4, 16, 4)
Planes = NDArray[np.int8]  # (2, width): an entry of a query is 128 * high + low

cgutils: Any = untyped
I8, I32, I64 = (ir.IntType(bits) for bits in (8, 32, 64))
SUMS, BYTES = ir.VectorType(I32, ROWS), ir.VectorType(I8, STEP)
VNNI = "llvm.x86.avx512.vpdpbusd.512"


def width(d: int) -> int:
    """Entries of the code of a vector of d: the next multiple of ENTRIES, with zeros at the end."""
    return -(-d // ENTRIES) * ENTRIES


def zero_blocks(count: int, d: int) -> Blocks:
    """Blocks of zeros for codes of d entries, where no step crosses a line of the cache."""
    size = count * ROWS * width(d)
    raw = np.empty(size + STEP, np.uint8)
    first = -raw.ctypes.data % STEP
    blocks = raw[first : first + size].reshape(count, width(d) // ENTRIES, ROWS, ENTRIES)
    blocks[:] = ZERO
    return blocks


def plain_products(
    blocks: Blocks, block: int, planes: Planes, excess: int, products: NDArray[np.int32]
) -> None:
    """Write the products (16,) of the rows of a block with a query; for uncompiled runs.

    excess: 128 times the sum of the query's entries, which ZERO adds to each product.
    """
    rows = blocks[block].astype(np.int64).swapaxes(0, 1).reshape(ROWS, -1)
    products[:] = rows @ (128 * planes[0].astype(np.int64) + planes[1]) - excess


def compiled_products(*, vnni: bool) -> Callable[..., None]:
    """`plain_products` for compiled code; vnni: where the processor has it."""

    @intrinsic
    def block_products(
        context: Any, blocks: Any, block: Any, planes: Any, excess: Any, products: Any
    ) -> Any:
        signature = types.void(blocks, types.int64, planes, types.int64, products)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            features = context.codegen().magic_tuple()[2]  # by which numba keeps what it compiled
            add = _add_vnni if vnni and "+avx512vnni" in features else _add_plain
            pairs = [(signature.args[at], values[at]) for at in (0, 2, 4)]
            arrays = [context.make_array(kind)(context, builder, value) for kind, value in pairs]
            _generate(builder, add, arrays, values[1], values[3])
            return context.get_dummy_value()

        return signature, generate

    return block_products


def _generate(builder: Any, add: Any, arrays: Any, block: Any, excess: Any) -> None:
    """The steps of one block: both planes of the query against each 64 bytes."""
    blocks, planes, products = arrays
    steps = cgutils.unpack_tuple(builder, blocks.shape)[1]
    size = builder.mul(steps, ir.Constant(I64, STEP))
    first = builder.gep(builder.bitcast(blocks.data, I8.as_pointer()), [builder.mul(block, size)])
    words = builder.bitcast(planes.data, I32.as_pointer())
    nothing = ir.Constant(SUMS, [0] * ROWS)
    high, low = (cgutils.alloca_once_value(builder, nothing) for _ in range(2))
    with cgutils.for_range(builder, steps) as loop:
        at = builder.gep(first, [builder.mul(loop.index, ir.Constant(I64, STEP))])
        codes = builder.load(builder.bitcast(at, BYTES.as_pointer()))
        codes.align = 1
        for sums, word in ((high, loop.index), (low, builder.add(loop.index, steps))):
            entries = _repeated(builder, builder.load(builder.gep(words, [word])))
            builder.store(add(builder, builder.load(sums), codes, entries), sums)
    whole = builder.shl(builder.load(high), ir.Constant(SUMS, [7] * ROWS))
    less = _splat(builder, builder.trunc(excess, I32))
    total = builder.sub(builder.add(whole, builder.load(low)), less)
    stored = builder.store(total, builder.bitcast(products.data, SUMS.as_pointer()))
    stored.align = 4


def _splat(builder: Any, value: Any) -> Any:
    """Sixteen times a value of 32 bits."""
    unset = ir.Constant(SUMS, ir.Undefined)
    one = builder.insert_element(unset, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(one, unset, ir.Constant(SUMS, [0] * ROWS))


def _repeated(builder: Any, word: Any) -> Any:
    """Sixteen times the four bytes of a word."""
    return builder.bitcast(_splat(builder, word), BYTES)


def _add_vnni(builder: Any, sums: Any, codes: Any, entries: Any) -> Any:
    """In one step; before LLVM 22 it takes words, not bytes."""
    kind = BYTES if binding.llvm_version_info[0] >= 22 else SUMS
    step = ir.FunctionType(SUMS, [SUMS, kind, kind])
    function = cgutils.get_or_insert_function(builder.module, step, VNNI)
    pair = (builder.bitcast(each, kind) for each in (codes, entries))
    return builder.call(function, [sums, *pair])


def _add_plain(builder: Any, sums: Any, codes: Any, entries: Any) -> Any:
    """By widening, multiplying, and adding neighbours twice, which LLVM knows how to do at once."""
    wide = ir.VectorType(I32, STEP)
    total = builder.mul(builder.zext(codes, wide), builder.sext(entries, wide))
    for size in (STEP // 2, STEP // 4):
        unset = ir.Constant(total.type, ir.Undefined)
        even, odd = (
            builder.shuffle_vector(
                total, unset, ir.Constant(ir.VectorType(I32, size), [*range(part, 2 * size, 2)])
            )
            for part in (0, 1)
        )
        total = builder.add(even, odd)
    return builder.add(sums, total)


UNCOMPILED: bool = config.DISABLE_JIT  # type: ignore[attr-defined]
block_products = plain_products if UNCOMPILED else compiled_products(vnni=True)
