"""The markers and dashes of `figures.styles` as SVG, by the names that Plotly gives them."""

from collections.abc import Sequence
from math import cos, pi, sin

from markupsafe import Markup

DASHES = {  # of a line 2 px wide
    "solid": "",
    "dot": "3 3",
    "dash": "9 5",
    "longdash": "15 6",
    "dashdot": "9 4 3 4",
}


def marker(symbol: str, x: float, y: float, radius: float = 4.0) -> Markup:
    """A symbol around (x, y); its colours come from the style sheet: class marker, and hollow."""
    shape = symbol.removesuffix("-open")
    kind = "marker hollow" if shape != symbol or symbol == "line-ew" else "marker"
    if shape not in ("circle", "circle-dot"):
        corners = (f"{x + radius * px:.1f} {y + radius * py:.1f}" for px, py in outline(shape))
        return Markup(f'<path d="M{"L".join(corners)}Z" class="{kind}"></path>')
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="{kind}"></circle>'
    dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius / 3:.1f}" class="eye"></circle>'
    return Markup(disc + dot if shape == "circle-dot" else disc)


def outline(shape: str) -> Sequence[tuple[float, float]]:
    """Corners around the origin, y down; about as large as a disc of radius 1."""
    if shape in ("cross", "x"):
        c, s = (cos(pi / 4), sin(pi / 4)) if shape == "x" else (1.0, 0.0)
        return [(x * c - y * s, x * s + y * c) for x, y in _CROSS]
    if shape == "star":
        return [point for pair in zip(_ring(5, 1.3), _ring(5, 0.55, pi / 5), strict=True)
                for point in pair]  # fmt: skip
    if shape == "line-ew":
        return [(-1.3, 0.0), (1.3, 0.0)]
    corners, turn = _REGULAR[shape]
    return _ring(corners, 1.25 if corners < 5 else 1.1, turn)


_REGULAR = {  # corners, and how far the first is turned from the top
    "square": (4, pi / 4),
    "diamond": (4, 0.0),
    "triangle-up": (3, 0.0),
    "triangle-down": (3, pi),
    "pentagon": (5, 0.0),
    "hexagon": (6, 0.0),
}
_ARM, _HALF = 1.2, 0.4
_CROSS = (
    *((-_HALF, -_ARM), (_HALF, -_ARM), (_HALF, -_HALF), (_ARM, -_HALF), (_ARM, _HALF)),
    *((_HALF, _HALF), (_HALF, _ARM), (-_HALF, _ARM), (-_HALF, _HALF), (-_ARM, _HALF)),
    *((-_ARM, -_HALF), (-_HALF, -_HALF)),
)


def _ring(corners: int, radius: float, turn: float = 0.0) -> list[tuple[float, float]]:
    angles = (turn + 2 * pi * i / corners for i in range(corners))
    return [(radius * sin(angle), -radius * cos(angle)) for angle in angles]
