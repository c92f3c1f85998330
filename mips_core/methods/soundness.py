"""What must hold of a structure for its index to be asked safely: compiled code checks no bounds.

A structure checks itself, with these rules: a list names each item once, a tree is one, a key is as
wide as its table; what follows from other parts is what follows.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import row_norms

LONGEST = 1 + 1e-5  # of a unit vector in float32


class UnsoundError(ValueError):
    """What a file holds is not what is declared; its text says where and how."""


def expect(holds: object, what: str) -> None:
    """Raise UnsoundError, saying `what` is wrong, unless it `holds`."""
    if not holds:
        raise UnsoundError(what)


def check_structure(structure: Any, n: int, d: int) -> None:
    """Raise UnsoundError unless `structure` is one of n items (n, d), and can tell."""
    says = callable(getattr(structure, "check", None))
    name = type(structure).__name__
    expect(says, f"a structure {name} has no check(n, d) to say whether it can be asked safely")
    structure.check(n, d)


def expect_equal(part: NDArray[Any], expected: NDArray[Any], what: str) -> None:
    """A part is what follows from the other parts."""
    expect(np.array_equal(part, expected), f"{what} are not what follows from the other parts")


def expect_built(built: object, wanted: object, what: str) -> None:
    """What was built is what the parameters of an index ask for."""
    expect(built == wanted, f"{what}: {built} built, {wanted} asked for")


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
