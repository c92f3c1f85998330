"""The largest eigenvalues of a symmetric matrix, their vectors, and the same bits everywhere.

Lanczos's method, every new direction made orthogonal to all before (Golub and Van Loan, "Matrix
Computations", 4th ed., 10.1 and 10.3), and implicit QL with Wilkinson's shifts on what it leaves
(8.3). LAPACK and ARPACK form their sums in kernels chosen by the processor; here they run in one
fixed order.
"""

from collections.abc import Callable
from math import copysign, sqrt

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats

LANES = 8  # sums that run beside each other, and are added up at the end
SLACK = 20  # directions beyond twice those wanted before the first look at how near they are
EXACT = 1e-13  # a residual below this share of its eigenvalue is rounding
NOTHING = 1e-14  # of the largest entry seen: a direction below is rounding, and another one starts


def largest_eigenvectors(
    product: Callable[[Floats], Floats], size: int, count: int
) -> tuple[Floats, Floats]:
    """`count` eigenvalues (c,), descending, and unit eigenvectors (c, size), both float64.

    product gives A @ x for x (size,) float64 by sums in one fixed order; A is symmetric (size,
    size), without negative eigenvalues. Equal eigenvalues have some orthonormal vectors. Signs are
    as they come out.
    """
    rng = np.random.default_rng(0)
    look = min(size, 2 * count + SLACK)
    V = np.empty((look, size))  # the directions, one a row
    diagonal, beside = np.empty(size), np.empty(size)
    direction, m = _direction(rng, V[:0]), 0
    while True:
        V[m] = direction
        rest = product(direction)
        diagonal[m] = _take_off(rest, V[: m + 1])
        length = sqrt(_inner(rest, rest))
        m += 1
        scale = np.abs(diagonal[:m]).max()
        beside[m - 1] = length if length > NOTHING * scale else 0.0
        if m == look:
            last = np.zeros((m, 1))
            last[-1] = 1.0  # the last entry of each vector says how far off it is
            values = _tridiagonal(diagonal[:m].copy(), beside[:m].copy(), last)
            top = np.argsort(-values, kind="stable")[:count]
            off = beside[m - 1] * np.abs(last[top, 0])
            if m == size or (off <= EXACT * np.maximum(values[top], NOTHING * scale)).all():
                break
            look = min(size, m + m // 16 + 1)
            V = np.concatenate([V, np.empty((look - m, size))])
        direction = rest / length if beside[m - 1] else _direction(rng, V[:m])
    turned = np.eye(m)
    values = _tridiagonal(diagonal[:m].copy(), beside[:m].copy(), turned)
    top = np.argsort(-values, kind="stable")[:count]
    return values[top], _combined(turned[top], V[:m])


def _direction(rng: np.random.Generator, V: Floats) -> Floats:
    """A unit vector, drawn, orthogonal to the rows of V (m, size)."""
    x = rng.normal(size=(V.shape[1],))
    if len(V):
        _take_off(x, V)
    return np.asarray(x / sqrt(_inner(x, x)))


@njit(cache=True, nogil=True)
def _inner(x: Floats, y: Floats) -> float:
    lanes = np.zeros(LANES)
    whole = len(x) - len(x) % LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] += x[start + lane] * y[start + lane]
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    for i in range(whole, len(x)):
        total += x[i] * y[i]
    return total


@njit(cache=True, nogil=True)
def _take_off(x: Floats, V: Floats) -> float:
    """Take from x (size,) what lies along the unit rows of V; how much lay along the last.

    What is multiplied lies along the last two but for rounding. They go first, and then from what
    is left all rows: so the rounding is of what is left.
    """
    along, parts = 0.0, np.empty(len(V))
    for first in (max(0, len(V) - 2), 0):
        for j in range(first, len(V)):
            parts[j] = _inner(V[j], x)
        for j in range(first, len(V)):
            part, row = parts[j], V[j]
            for i in range(len(x)):
                x[i] -= part * row[i]
        along += parts[-1]
    return along


@njit(cache=True, nogil=True)
def _combined(factors: Floats, V: Floats) -> Floats:
    """factors (c, m) @ V (m, size), each sum over m in order."""
    rows = np.zeros((len(factors), V.shape[1]))
    for k in range(len(factors)):
        row = rows[k]
        for j in range(len(V)):
            factor, other = factors[k, j], V[j]
            for i in range(len(row)):
                row[i] += factor * other[i]
    return rows


@njit(cache=True, nogil=True)
def _tridiagonal(diagonal: Floats, beside: Floats, turned: Floats) -> Floats:
    """Eigenvalues (m,) of the matrix with `diagonal` (m,) and `beside` (m,) next to it.

    The rows of turned (m, q) are turned with them: of the identity they become the eigenvectors.
    Overwrites all three; the last of `beside` is not of the matrix.
    """
    m = len(diagonal)
    beside[m - 1] = 0.0
    for low in range(m):
        while True:
            high = low
            while high < m - 1:
                near = abs(diagonal[high]) + abs(diagonal[high + 1])
                if near + abs(beside[high]) == near:
                    break
                high += 1
            if high == low:
                break
            g = (diagonal[low + 1] - diagonal[low]) / (2 * beside[low])
            g = beside[low] / (g + copysign(sqrt(g * g + 1), g)) + diagonal[high] - diagonal[low]
            sine, cosine, shift = 1.0, 1.0, 0.0
            for i in range(high - 1, low - 1, -1):
                f, b = sine * beside[i], cosine * beside[i]
                r = sqrt(f * f + g * g)
                beside[i + 1] = r
                if r == 0.0:
                    diagonal[i + 1] -= shift
                    break
                sine, cosine = f / r, g / r
                g = diagonal[i + 1] - shift
                r = (diagonal[i] - g) * sine + 2 * cosine * b
                shift = sine * r
                diagonal[i + 1] = g + shift
                g = cosine * r - b
                for j in range(turned.shape[1]):
                    upper, lower = turned[i, j], turned[i + 1, j]
                    turned[i + 1, j] = sine * upper + cosine * lower
                    turned[i, j] = cosine * upper - sine * lower
            else:
                diagonal[low] -= shift
                beside[low] = g
            beside[high] = 0.0
    return diagonal
