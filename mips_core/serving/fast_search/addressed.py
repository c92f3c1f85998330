"""Arrays that compiled code finds by one table of addresses, not handed over one by one."""

from typing import Any, final

import numpy as np
from numba import carray, njit, types  # type: ignore[attr-defined]
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.serving.fast_search.blocks import ENTRIES, ROWS, UNCOMPILED
from mips_core.serving.fast_search.one_query import ListChoice, answer_few
from mips_core.serving.fast_search.packed import Codes, PackedLists


def _from_address(context: Any, address: Any) -> Any:
    """An address as a pointer, in compiled code."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


_pointer: Any = intrinsic(_from_address)


@njit(cache=True, nogil=True)
def _codes_at(table: Ids) -> Codes:
    """The codes of which table (9,) holds the addresses and lengths of arrays, and the steps."""
    shape = (table[5], table[8], ROWS, ENTRIES)
    return Codes(
        carray(_pointer(table[0]), (table[4],), np.int64),
        carray(_pointer(table[1]), shape, np.uint8),
        carray(_pointer(table[2]), (table[6],), np.float32),
        carray(_pointer(table[3]), (table[7],), np.float32),
    )


@njit(cache=True, nogil=True)
def _answer_at(Q: Matrix, effort: int, table: Ids, ids: Ids, scores: Floats) -> int:
    """`answer_few` of what the table of an Addressed names."""
    d, lists, n, k = Q.shape[1], table[0], table[1], table[2]
    packed = PackedLists(
        carray(_pointer(table[6]), (lists + 1,), np.int64),
        carray(_pointer(table[7]), (n, d), np.float32),
        carray(_pointer(table[8]), (n,), np.int32),
        carray(_pointer(table[9]), (n,), np.float32),
        carray(_pointer(table[10]), (lists,), np.int64),
    )
    choice = ListChoice(
        carray(_pointer(table[11]), (k, table[3]), np.float32),
        _codes_at(table[22:31]),
        carray(_pointer(table[12]), (1,), np.float32),
        table[4],
        table[5],
    )
    return answer_few(Q, effort, packed, _codes_at(table[13:22]), choice, ids, scores)


@final
class Addressed:
    """What answers single queries, named to compiled code by one table of addresses.

    To hand over each array takes a tenth of a microsecond: of them all a sixth of an answer.
    """

    def __init__(self, packed: PackedLists, codes: Codes, choice: ListChoice) -> None:
        self.parts = packed, codes, choice  # the arrays live as long as their addresses
        sizes = [len(packed.visits), len(packed.items), *choice.centroids.shape]
        arrays: list[NDArray[Any]] = [*packed, choice.centroids, choice.longest]
        table = [*sizes, choice.heads, choice.shift, *(each.ctypes.data for each in arrays)]
        for each in (codes, choice.codes):
            table += [array.ctypes.data for array in each] + [len(array) for array in each]
            table.append(each.blocks.shape[1])
        self.table = np.array(table, np.int64)

    @property
    def nbytes(self) -> int:
        """Bytes of what chooses lists, the centroids themselves aside."""
        choice = self.parts[2]
        return self.table.nbytes + sum(array.nbytes for array in choice.codes)

    def __reduce__(self) -> Any:  # a copy has addresses of its own
        return Addressed, self.parts

    def answer(self, Q: Matrix, effort: int, ids: Ids, scores: Floats) -> int:
        """As `answer_few`."""
        if UNCOMPILED:
            return int(answer_few(Q, effort, *self.parts, ids, scores))
        return int(_answer_at(Q, effort, self.table, ids, scores))
