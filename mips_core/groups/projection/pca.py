"""The picture that is there at once: the plane in which the rows vary most.

Principal components as in Jolliffe and Cadima, "Principal component analysis: a review and recent
developments", 2016, section 2. Sums run over fixed blocks on one BLAS thread each, in float64, so
the picture is the same at any number of threads.
"""

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix, settled
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.threads import map_blocks

BLOCK_VALUES = 2**20  # numbers of a block held as float64: 8 MB
MOST_PRODUCTS = 2.5e10  # of a covariance: half a second; rows beyond are left to a sample
WIDE = 1024  # dimensions beyond which the products of rows are fewer than those of columns
WIDE_ROWS = 1024  # sampled then
NEGLIGIBLE = 1e-12  # of the largest variance: below, a direction is rounding


def pca_layout(rows: Matrix, progress: Progress = silent) -> Matrix:
    """(n, 2) float32: rows (n, d') in the plane of their two directions of largest variance.

    Centred and scaled together so that the mean of |xy|^2 is 1. The largest entry in size of each
    direction is positive. A direction without variance gives zeros, so that equal rows stand in
    one place, and rows on a line on a line. From 2.5e10 / d'^2 rows on (2.5 million at 100
    dimensions, 42,000 at 768), and from 1,024 at more than 1,024 dimensions, directions are those
    of a seeded sample. 100,000 x 100 take 0.1 to 0.3 s.
    """
    if _first_other(rows, np.arange(len(rows)), rows[0]) is None:
        return np.zeros((len(rows), 2), np.float32)
    sums = map_blocks(lambda a, b: rows[a:b].sum(axis=0, dtype=np.float64), len(rows), _block(rows))
    centre = sum(sums, np.zeros(rows.shape[1])) / len(rows)
    directions = _directions(rows, centre, span(progress, 0.0, 0.9))

    def work(start: int, stop: int) -> Floats:
        return (rows[start:stop] - centre) @ directions.T

    xy = np.concatenate(map_blocks(work, len(rows), _block(rows)))
    progress(1.0, "Principal components")
    return (xy / np.sqrt(np.einsum("ij,ij->", xy, xy) / len(xy))).astype(np.float32)


def pca_note(xy: Matrix) -> str:
    """What a reader of a flat picture xy (n, 2) of `pca_layout` should know; "" of most."""
    if len(xy) == 1:
        return "There is one item."
    if not xy.any():
        return "All items are the same vector, so they stand in one place."
    if not xy[:, 1].any():
        return "The items differ in one direction only, so they stand on a line."
    return ""


def _directions(rows: Matrix, centre: Floats, progress: Progress) -> Floats:
    """(2, d') unit directions of largest variance; zero where there is no variance left."""
    wide = rows.shape[1] > WIDE
    most = WIDE_ROWS if wide else int(MOST_PRODUCTS / rows.shape[1] ** 2)
    sample = sample_rows(rng_for(0, "map", "covariance"), len(rows), most)
    drawn = rows[sample[0]]
    if _first_other(rows, sample, drawn) is None:  # the few that differ were not drawn
        differs = _first_other(rows, np.arange(len(rows)), drawn)
        sample = np.append(sample, np.array([differs], np.int64))
    vectors = (_from_rows if wide else _from_columns)(rows, sample, centre, progress)
    directions = np.zeros((2, rows.shape[1]))
    directions[: vectors.shape[1]] = settled(vectors).T
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.where(directions[[0, 1], largest] < 0, -1.0, 1.0)[:, None]


def _first_other(rows: Matrix, ids: Ids, row: Floats) -> int | None:
    """The first of `ids` whose row is another than `row` (d',); None where all are equal."""
    for start in range(0, len(ids), _block(rows)):
        chosen = ids[start : start + _block(rows)]
        other = (rows[chosen] != row).any(axis=1)
        if other.any():
            return int(chosen[other.argmax()])
    return None


def _from_columns(rows: Matrix, sample: Ids, centre: Floats, progress: Progress) -> Floats:
    """(d', c) directions, c at most 2, from the covariance of the columns."""
    d = rows.shape[1]

    def work(start: int, stop: int) -> Floats:
        differences = rows[sample[start:stop]] - centre
        progress(start / len(sample), "Principal components")
        return differences.T @ differences

    covariance = sum(map_blocks(work, len(sample), _block(rows)), np.zeros((d, d)))
    variances, vectors = np.linalg.eigh(covariance)
    return vectors[:, ::-1][:, _varying(variances)]


def _from_rows(rows: Matrix, sample: Ids, centre: Floats, progress: Progress) -> Floats:
    """The same from the inner products of the chosen rows: directions are sums of rows."""
    progress(0.0, "Principal components")
    differences = rows[sample] - centre
    variances, weights = np.linalg.eigh(differences @ differences.T)
    varying = _varying(variances)
    return (differences.T @ weights[:, ::-1][:, varying]) / np.sqrt(variances[::-1][varying])


def _varying(variances: Floats) -> slice:
    """The first of the two largest of ascending `variances` that are more than rounding."""
    largest = variances[::-1][:2]
    return slice(0, int(np.count_nonzero(largest > NEGLIGIBLE * variances[-1])))


def _block(rows: Matrix) -> int:
    return max(1, BLOCK_VALUES // rows.shape[1])
