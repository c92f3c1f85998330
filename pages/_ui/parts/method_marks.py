"""What the pictures of methods are drawn with: pieces of SVG in the plane of the words.

Places (2,) are those of the words; colours are names of variables.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from mips_core.base.arrays import Mask, Matrix

WIDTH, HEIGHT, R = 232, 206, 88  # px; of the circle, which words of length 1 lie on
CENTRE = (WIDTH / 2, 96.0)
CELLS = 120  # across the circle, where a region is shaded


@cache
def grid() -> Matrix:
    """(cells, 2) float32: the middles of the cells within the circle, row by row."""
    steps = (np.arange(CELLS) + 0.5) / CELLS * 2 - 1
    x, y = np.meshgrid(steps, -steps)
    cells = np.stack([x.ravel(), y.ravel()], axis=1)
    return np.ascontiguousarray(cells[(cells**2).sum(axis=1) <= 0.999], np.float32)


def region(holds: Mask, colour: str, alpha: float = 0.22) -> str:
    """The cells where something holds, as one path of runs."""
    size = 2 * R / CELLS
    runs: list[tuple[float, float, int]] = []
    for x, y in grid()[holds]:
        left, top = CENTRE[0] + R * float(x) - size / 2, CENTRE[1] - R * float(y) - size / 2
        start, level, cells = runs[-1] if runs else (0.0, -1.0, 0)
        if abs(level - top) < 0.1 and abs(start + cells * size - left) < 0.1:
            runs[-1] = (start, level, cells + 1)
        else:
            runs.append((left, top, 1))
    d = "".join(f"M{x:.1f} {y:.1f}h{n * size:.1f}v{size:.1f}h-{n * size:.1f}z" for x, y, n in runs)
    return f'<path d="{d}" fill="var(--{colour})" opacity="{alpha:.2f}"/>'


def px(point: Any) -> tuple[float, float]:
    """Where a place of the plane is in the picture."""
    return CENTRE[0] + R * float(point[0]), CENTRE[1] - R * float(point[1])


def circle(
    point: Any,
    r: float,
    *,
    fill: str = "",
    stroke: str = "",
    alpha: float = 1.0,
    dash: str = "",
) -> str:
    """A circle of r px round a place; alpha is that of its inside."""
    x, y = px(point)
    inside = f'fill="var(--{fill})"' if fill else 'fill="none"'
    faint = f' fill-opacity="{alpha}"' if alpha < 1 else ""
    around = f' stroke="var(--{stroke})"' if stroke else ""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {inside}{faint}{around}{dashes}/>'


def cross(point: Any) -> str:
    """A missed answer."""
    x, y = px(point)
    d = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
    return f'<path d="{d}" stroke="var(--miss)" stroke-width="2.5"/>'


def line(ends: Any, stroke: str, width: float) -> str:
    """From one place to another, ends (2, 2)."""
    (x0, y0), (x1, y1) = map(px, ends)
    d = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
    return f'<path d="{d}" stroke="var(--{stroke})" stroke-width="{width}"/>'


def polygon(corners: Matrix, *, stroke: str, fill: str = "", dash: str = "") -> str:
    """A closed line through places (c, 2)."""
    at = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(px, corners))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    inside = f'fill="var(--{fill})" fill-opacity="0.18"' if fill else 'fill="none"'
    return f'<polygon points="{at}" {inside} stroke="var(--{stroke})"{dashes}/>'


def framed(parts: Iterable[str], words: str, title: str) -> str:
    """The whole picture, with words below it."""
    below = (
        f'<text x="{CENTRE[0]:.0f}" y="{HEIGHT - 5}" text-anchor="middle" font-size="12" '
        f'fill="var(--muted)">{words}</text>'
    )
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    named = f'role="img" aria-label="{title}: {words}"'
    ground = circle((0.0, 0.0), R, stroke="grid")
    inside = "".join([ground, *parts, below])
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>{inside}</svg>\n'
