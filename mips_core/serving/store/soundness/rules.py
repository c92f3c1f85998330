"""The rules that structures share, and what is to hold of each, by its type."""

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.methods.reductions import Lift
from mips_core.serving.store.packing import UnsoundError

LONGEST = 1 + 1e-5  # of a unit vector in float32


def expect(holds: object, what: str) -> None:
    """Raise UnsoundError, saying `what` is wrong, unless it `holds`."""
    if not holds:
        raise UnsoundError(what)


@singledispatch
def check_sound(structure: Any, n: int, d: int) -> None:
    """Raise UnsoundError unless `structure` is one of n items (n, d).

    Of a type that is not known here, nothing more is asked than its declaration.
    """


def check_shape(array: NDArray[Any], shape: tuple[int, ...], what: str) -> None:
    """`array` has the `shape`."""
    expect(array.shape == shape, f"{what} is {array.shape} in place of {shape}")


def check_within(ids: NDArray[Any], count: int, what: str) -> None:
    """Every one of `ids` is from 0 to count - 1."""
    expect(ids.size == 0 or (ids.min() >= 0 and ids.max() < count), f"{what} leaves 0 to {count}")


def check_ascending(starts: Ids, count: int, stop: int, what: str) -> None:
    """starts (count + 1,) lead from 0 to `stop` without a step back."""
    check_shape(starts, (count + 1,), what)
    ends = starts[0] == 0 and starts[-1] == stop
    expect(ends and (starts[1:] >= starts[:-1]).all(), f"{what} does not ascend from 0 to {stop}")


def check_permutation(ids: NDArray[Any], count: int, what: str) -> None:
    """ids (count,) name each of 0 to count - 1 once."""
    check_shape(ids, (count,), what)
    check_within(ids, count, what)
    named = np.zeros(count, np.bool_)
    named[ids] = True
    expect(named.all(), f"{what} names an item twice")


def check_lists(starts: Ids, members: NDArray[Any], labels: NDArray[Any], count: int) -> None:
    """`count` lists of the things labels (n,) say are in each, ascending."""
    check_within(labels, count, "a label")
    check_ascending(starts, count, len(labels), "the starts of lists")
    check_permutation(members, len(labels), "the members of lists")
    held = labels[members]
    expect((held == np.repeat(np.arange(count), np.diff(starts))).all(), "lists differ from labels")
    ascend = (members[1:] > members[:-1]) | (held[1:] != held[:-1])
    expect(ascend.all(), "a list does not ascend")


def check_unit(rows: Matrix, shape: tuple[int, ...], what: str) -> None:
    """No row is longer than 1, but for rounding: scores are told apart by what that bounds."""
    check_shape(rows, shape, what)
    expect((row_norms(rows) <= LONGEST).all(), f"{what} are longer than 1")


def check_lift(lift: Lift) -> None:
    """It brings items to a length above 0."""
    expect(lift.scale > 0, "the scale of the items is not positive")


@check_sound.register
def _(structure: int, n: int, d: int) -> None:
    expect(structure == n, f"it searches {structure} items, not {n}")


@check_sound.register
def _(structure: np.ndarray, n: int, d: int) -> None:
    check_permutation(structure, n, "the order of items")
