"""The small picture of every method: 72 words in the plane, and what one search of them scores.

Drawn from real builds by `python -m pages._ui.parts.method_picture [METHOD ...]`, and stored beside
the app, so that a page need not build them. A method without one is shown without.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mips_core import INDEXES, Index, exact_top_k, rng_for
from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.text import counted
from mips_core.figures.styles import METHODS, ROLES
from mips_core.groups.clusters import outlines_of
from mips_core.methods.baselines import NormOrder
from mips_core.methods.hashing.hash_tables import HashTables, SymmetricFamily
from mips_core.methods.kmeans.head_search import HeadAndClusters
from mips_core.methods.kmeans.top_down_tree import SplitTree
from mips_core.methods.quantization.product import Quantized
from mips_core.methods.trees.ball_tree import BallTree
from mips_core.methods.trees.median_tree import MedianTree, route
from pages._ui.parts.lesson.plane_words import points, unit
from pages._ui.parts.method_marks import R, circle, cross, framed, grid, line, polygon, region

FOLDER = Path(__file__).parents[1] / "elements/assets"
ANGLE, K, SEED = 112.0, 3, 8
SMALL: dict[str, dict[str, Any]] = {  # than for thousands of items
    "flat-kmeans": {"n_clusters": 8},
    "hierarchical-kmeans": {"n_levels": 2, "sizes": (4, 16)},
    "multi-kmeans": {"n_clusterings": 2, "n_clusters": 7},
    "top-down-kmeans": {"leaf_size": 9},
    "head-kmeans": {"head": 0.12, "n_clusters": 7},
    "ip-tree": {"leaf_size": 9},
    "srp-hash": {"n_bits": 4, "n_tables": 6},
    "simple-lsh": {"n_bits": 3, "n_tables": 32},
    "wta-hash": {"n_permutations": 2, "n_tables": 6},
    "l2-alsh": {"n_hashes": 2, "n_tables": 6},
    "product-quantization": {"n_subspaces": 2, "n_codewords": 5},
}


def picture_of(key: str) -> str:
    """The stored picture of the method `key` as SVG, "" where there is none.

    Its colours are variables, `colours()`, so that it follows the theme.
    """
    return _text(path_of(key))


@cache
def _text(path: Path) -> str:
    return path.read_text() if path.is_file() else ""


def path_of(key: str) -> Path:
    """Where the picture of a method is stored."""
    return FOLDER / f"method_{key}.svg"


@cache
def colours() -> str:
    """CSS declarations of the variables of all pictures, for either theme."""
    looks = {key: (style.light, style.dark) for key, style in METHODS.items()} | ROLES
    return "; ".join(
        f"--{name}: light-dark({light}, {dark})" for name, (light, dark) in looks.items()
    )


def drawn(cls: type[Index]) -> str:
    """The picture of one method, made anew: at the least effort that finds all three answers."""
    P, q = points(), unit(np.array([ANGLE]))
    index = cls(**SMALL.get(cls.key, {}))
    structure = index.build(P, rng_for(SEED))
    searcher = index.searcher(structure)
    truth = np.asarray(exact_top_k(P, q, K))[0]
    for effort in searcher.efforts():
        asked = searcher.candidates(q, effort, K)
        hits = np.isin(truth, asked.ids)
        if hits.all():
            break
    scored = np.zeros(len(P), np.bool_)
    scored[asked.ids] = True
    words = f"{asked.cost[0]:.0f} inner products for {hits.sum()} of {K}; exact {len(P)}"
    tip = 0.94 * q[0]
    words_drawn = (
        circle(p, 2.6 if on else 1.8, fill=cls.key if on else "axis")
        for p, on in zip(P, scored, strict=True)
    )
    answers = (
        circle(P[i], 4.6, fill="hit", stroke="background") if on else cross(P[i])
        for i, on in zip(truth, hits, strict=True)
    )
    parts = [
        *_within(structure, searcher, q, effort, scored, cls.key),
        line([(0.0, 0.0), tip], "query", 2),
        circle(tip, 3.5, fill="query"),
        *words_drawn,
        *answers,
    ]
    return framed(parts, words, cls.label)


def _within(
    structure: Any, searcher: Any, q: Matrix, effort: int, scored: Mask, key: str
) -> Iterator[str]:
    """What the method made of the plane, as far as a picture of its kind can be drawn."""
    match structure:
        case MedianTree():
            leaves = searcher.subtrees(searcher.leaves(q), effort)[0][0]
            V = structure.lift.items(grid())
            reached = route(V @ structure.directions.T, structure.thresholds) >> (effort - 1)
            yield region(np.isin(reached, leaves), key)
        case HashTables():
            yield from _buckets(structure, searcher, q, effort, scored, key)
        case BallTree():
            yield from _leaf_balls(structure, scored, key)
        case Quantized():
            yield from _codewords(structure)
        case NormOrder():
            yield _beyond(scored, key)
        case HeadAndClusters():
            (labels,) = searcher.groups()
            yield _beyond(labels == 0, key)
            yield from _hulls(labels, scored, key, left_out=0)
        case _ if not scored.all():
            *coarse, finest = searcher.groups()
            for labels in coarse[-2:] if isinstance(structure, SplitTree) else coarse[-1:]:
                yield from (polygon(ring, stroke=key, dash="4 3") for _, ring in _rings(labels))
            yield from _hulls(finest, scored, key)


def _buckets(
    tables: HashTables[Any], searcher: Any, q: Matrix, effort: int, scored: Mask, key: str
) -> Iterator[str]:
    """Where a word shares the query's bucket, in each table used; else hulls of these buckets."""
    if isinstance(family := tables.family, SymmetricFamily):
        same = family.keys(family.lift.items(grid())) == family.query_keys(q)
        met = [same[:, table] for table in range(effort) if same[:, table].any()]
        yield from (region(cells, key, min(0.22, 0.9 / effort)) for cells in met)
        return
    for table in np.flatnonzero(searcher.opened(q)[0, :effort] >= 0).tolist():
        labels = searcher.groups()[table]
        for group, ring in _rings(labels):
            if scored[labels == group].all():
                yield polygon(ring, stroke=key, fill=key)


def _leaf_balls(tree: BallTree, scored: Mask, key: str) -> Iterator[str]:
    """The ball of every leaf, filled where its words are scored."""
    balls = tree.balls
    for node in np.flatnonzero(balls.second < 0):
        opened = scored[balls.members[balls.starts[node] : balls.stops[node]]].all()
        yield circle(
            balls.centres[node],
            max(R * float(balls.radii[node]), 3.0),
            stroke=key if opened else "axis",
            fill=key if opened else "",
            alpha=0.16,
        )


def _beyond(which: Mask, key: str) -> str:
    """The circle that these words, the longest, lie on and beyond."""
    inner = np.linalg.norm(points()[which], axis=1).min()
    return circle((0.0, 0.0), R * float(inner), stroke=key, dash="4 3")


def _hulls(labels: Ids, scored: Mask, key: str, left_out: int = -1) -> Iterator[str]:
    """A hull round every group, filled where all of it is scored."""
    for group, ring in _rings(labels):
        opened = scored[labels == group].all()
        if group != left_out:
            yield polygon(ring, stroke=key if opened else "axis", fill=key if opened else "")


def _rings(labels: Ids) -> Iterator[tuple[int, Matrix]]:
    """Each group, and the corners (c, 2) of its convex hull."""
    rings = outlines_of(points(), labels.astype(np.int32), "hull")
    for group, start, stop in zip(rings.groups, rings.starts, rings.starts[1:], strict=False):
        yield int(group), rings.points[start:stop]


def _codewords(built: Quantized) -> Iterator[str]:
    """Lines at the codewords of either coordinate, and from each word to the pair it is put at."""
    P, books = points(), built.books
    at = np.empty_like(P)
    for part, dimension in enumerate(books.dimensions):  # each part is one of them here
        values = books.codewords[part]
        at[:, dimension] = values[built.codes[:, part]]
        for value in values:
            ends = np.array([[value, -1.0], [value, 1.0]])[:, :: 1 if dimension == 0 else -1]
            yield line(ends, "grid", 1.2)
    for p, rounded in zip(P, at, strict=True):
        yield line(np.stack([p, rounded]), "product-quantization", 0.8)


if __name__ == "__main__":
    for asked in sys.argv[1:] or METHODS:
        picture = drawn(INDEXES[asked])
        path_of(asked).write_text(picture)
        sys.stdout.write(f"{path_of(asked).name}: {counted(len(picture), 'byte', 'bytes')}\n")
