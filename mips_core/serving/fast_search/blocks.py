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
I8, I16, I32, I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
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
            way = WAYS[vnni and "+avx512vnni" in features]
            pairs = [(signature.args[at], values[at]) for at in (0, 2, 4)]
            arrays = [context.make_array(kind)(context, builder, value) for kind, value in pairs]
            _generate(builder, way, arrays, values[1], values[3])
            return context.get_dummy_value()

        return signature, generate

    return block_products


def _generate(builder: Any, way: Any, arrays: Any, block: Any, excess: Any) -> None:
    """The steps of one block: a query's four entries against each 64 bytes."""
    blocks, planes, products = arrays
    steps = cgutils.unpack_tuple(builder, blocks.shape)[1]
    size = builder.mul(steps, ir.Constant(I64, STEP))
    first = builder.gep(builder.bitcast(blocks.data, I8.as_pointer()), [builder.mul(block, size)])
    words = builder.bitcast(planes.data, I32.as_pointer())
    kind, add, whole = way
    nothing = ir.Constant(kind, [0] * kind.count)
    sums = [cgutils.alloca_once_value(builder, nothing) for _ in range(2)]
    with cgutils.for_range(builder, steps) as loop:
        at = builder.gep(first, [builder.mul(loop.index, ir.Constant(I64, STEP))])
        codes = builder.load(builder.bitcast(at, BYTES.as_pointer()))
        codes.align = 1
        places = loop.index, builder.add(loop.index, steps)
        entries = [builder.load(builder.gep(words, [place])) for place in places]
        add(builder, sums, codes, entries)
    less = _repeated(builder, builder.trunc(excess, I32), SUMS)
    total = builder.sub(whole(builder, *map(builder.load, sums)), less)
    stored = builder.store(total, builder.bitcast(products.data, SUMS.as_pointer()))
    stored.align = 4


def _repeated(builder: Any, value: Any, kind: Any) -> Any:
    """A value again and again, as one of `kind`."""
    unset, times = ir.Constant(ir.VectorType(value.type, 16), ir.Undefined), [0] * 16
    one = builder.insert_element(unset, value, ir.Constant(I32, 0))
    every = builder.shuffle_vector(one, unset, ir.Constant(ir.VectorType(I32, 16), times))
    return builder.bitcast(every, kind)


def _add_vnni(builder: Any, sums: Any, codes: Any, entries: Any) -> None:
    """Add what four bytes of high and of low entries give: each in one step."""
    kind = BYTES if binding.llvm_version_info[0] >= 22 else SUMS  # words, before LLVM 22
    step = ir.FunctionType(SUMS, [SUMS, kind, kind])
    function = cgutils.get_or_insert_function(builder.module, step, VNNI)
    for total, word in zip(sums, entries, strict=True):
        pair = builder.bitcast(codes, kind), _repeated(builder, word, kind)
        builder.store(builder.call(function, [builder.load(total), *pair]), total)


def _whole_vnni(builder: Any, high: Any, low: Any) -> Any:
    return builder.add(builder.shl(high, ir.Constant(SUMS, [7] * ROWS)), low)


def _add_plain(builder: Any, sums: Any, codes: Any, entries: Any) -> None:
    """Add products of 16 bits, neighbours summed, which most processors do in one step."""
    four, wide = ir.VectorType(I16, ENTRIES), ir.VectorType(I32, STEP)
    high, low = (
        builder.sext(builder.bitcast(word, ir.VectorType(I8, ENTRIES)), four) for word in entries
    )
    whole = builder.add(builder.shl(high, ir.Constant(four, [7] * ENTRIES)), low)
    repeated = _repeated(builder, builder.bitcast(whole, I64), ir.VectorType(I16, STEP))
    products = builder.mul(builder.zext(codes, wide), builder.sext(repeated, wide))
    builder.store(builder.add(builder.load(sums[0]), _neighbours(builder, products)), sums[0])


def _whole_plain(builder: Any, pairs: Any, _: Any) -> Any:
    return _neighbours(builder, pairs)


def _neighbours(builder: Any, values: Any) -> Any:
    """Sums of neighbours, half as many."""
    size, unset = values.type.count, ir.Constant(values.type, ir.Undefined)
    halves = (
        ir.Constant(ir.VectorType(I32, size // 2), [*range(part, size, 2)]) for part in (0, 1)
    )
    return builder.add(*(builder.shuffle_vector(values, unset, half) for half in halves))


WAYS = {
    True: (SUMS, _add_vnni, _whole_vnni),
    False: (ir.VectorType(I32, 2 * ROWS), _add_plain, _whole_plain),
}
UNCOMPILED: bool = config.DISABLE_JIT  # type: ignore[attr-defined]
block_products = plain_products if UNCOMPILED else compiled_products(vnni=True)
