"""A `Drawing` laid out for files and reports: title, panels side by side or stacked, legend."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from textwrap import wrap

from mips_core.figures.drawing import Drawing, Drawn, DrawnPanel
from mips_core.figures.styles import LOOKS, Mode
from mips_core.report.sketches import BAND, Place, PngSketch, Sketch, SvgSketch
from mips_core.report.symbols import DASHES, outline

PANEL = (390, 300)  # px of one panel with its axes
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 26, 44  # px around its plot
HEAD, LEGEND, LETTER = 22, 24, 7.6  # px of a line above all, of a row of the legend, of a letter
BOLD_LETTER = 10.2  # px of a letter of the title, in the widest of the fonts that may be there
CORNERS = 24  # of a disc


def as_svg(drawing: Drawing, mode: Mode | None, across: int = 3) -> str:
    """The picture as SVG, `across` panels in a row; without a `mode` for a page with colours."""
    sketch = SvgSketch(*_size(drawing, across), mode)
    _draw(drawing, sketch, across)
    kind = "picture" if mode is not None else "picture wide" if across > 1 else "picture narrow"
    return sketch.markup(alt_of(drawing), kind)


def as_png(drawing: Drawing, mode: Mode = "light", across: int = 3) -> bytes:
    """The picture as PNG, two pixels for one."""
    sketch = PngSketch(*_size(drawing, across), mode)
    _draw(drawing, sketch, across)
    return sketch.png()


def alt_of(drawing: Drawing) -> str:
    """What it shows, for who cannot see it."""
    lines = ", ".join(drawing.legend.values())
    return f"{drawing.title}. Lines: {lines}. The numbers are in the CSV file beside it."


def _columns(drawing: Drawing, across: int) -> int:
    return min(across, len(drawing.panels))


def _size(drawing: Drawing, across: int) -> tuple[int, int]:
    columns = _columns(drawing, across)
    rows = -(-len(drawing.panels) // columns)
    width = max(columns, 2 if across > 1 else 1) * PANEL[0]
    return width, _head_height(drawing, width) + rows * PANEL[1] + LEGEND * len(
        list(_legend(drawing, width))
    ) + 12


def _head_lines(drawing: Drawing, width: int) -> list[str]:
    """The title in lines that fit, and whether the data are simulated."""
    title = wrap(drawing.title, int(width / BOLD_LETTER), break_on_hyphens=False)
    return [*title, *(["Simulated data"] if drawing.simulated else [])]


def _head_height(drawing: Drawing, width: int) -> int:
    return HEAD * len(_head_lines(drawing, width)) + 8


def _legend(drawing: Drawing, width: int) -> Iterator[list[tuple[str, str, float]]]:
    """Rows of key, label and where they begin."""
    row: list[tuple[str, str, float]] = []
    x = 8.0
    for key, label in drawing.legend.items():
        wide = 46 + LETTER * len(label)
        if row and x + wide > width:
            yield row
            row, x = [], 8.0
        row.append((key, label, x))
        x += wide
    if row:
        yield row


def _draw(drawing: Drawing, sketch: Sketch, across: int) -> None:
    width, height = _size(drawing, across)
    lines = _head_lines(drawing, width)
    for at, words in enumerate(lines):
        bold = at < len(lines) - drawing.simulated
        y = HEAD * at + 20
        sketch.text(words, (8, y), size=15 if bold else 13, colour="text" if bold else "muted",
                    bold=bold)  # fmt: skip
    columns = _columns(drawing, across)
    for number, panel in enumerate(drawing.panels):
        row, column = divmod(number, columns)
        wide = width / columns
        _panel(panel, sketch, (column * wide, _head_height(drawing, width) + row * PANEL[1]), wide)
    rows = list(_legend(drawing, width))
    for at, entries in enumerate(rows):
        y = height - LEGEND * (len(rows) - at) + 8
        for key, label, x in entries:
            style = LOOKS[key]
            sketch.line([(x, y), (x + 30, y)], key, 2, DASHES.get(style.dash, ""))
            _mark(sketch, style.symbol, (x + 15, y), key)
            sketch.text(label, (x + 36, y + 4), colour="text")


def _panel(panel: DrawnPanel, sketch: Sketch, corner: Place, width: float) -> None:
    """Grid, lines and bands, each cut off at the ends of the axes."""
    left, right = corner[0] + LEFT, corner[0] + width - RIGHT
    top, bottom = corner[1] + TOP, corner[1] + PANEL[1] - BOTTOM

    def place(x: float, y: float) -> Place:
        across, up = (min(max(share, 0.0), 1.0) for share in (panel.x.share(x), panel.y.share(y)))
        return left + across * (right - left), bottom - up * (bottom - top)

    for value, words in panel.y.shown():
        y = place(panel.x.low, value)[1]
        sketch.line([(left, y), (right, y)], "grid", 1)
        sketch.text(words, (left - 6, y + 4), "end", 12)
    last = -100.0
    for value, words in panel.x.shown():
        x = place(value, panel.y.low)[0]
        sketch.line([(x, top), (x, bottom)], "grid", 1)
        if x - last > 8 * len(words) + 4:
            sketch.text(words, (x, bottom + 16), "middle", 12)
            last = x
    sketch.line([(left, bottom), (right, bottom)], "axis", 1)
    sketch.text(_head(panel), (corner[0] + 8, corner[1] + 16), size=13, colour="text", bold=True)
    sketch.text(panel.x.title, ((left + right) / 2, bottom + 36), "middle", 12.5)
    for line in panel.lines:
        upper = [place(spot.x, spot.high) for spot in line.spots]
        lower = [place(spot.x, spot.low) for spot in reversed(line.spots)]
        sketch.area([*upper, *lower], line.key, BAND)
    for line in panel.lines:
        _line(line, sketch, [place(spot.x, spot.y) for spot in line.spots])
        for spot in line.marked():
            _mark(sketch, LOOKS[line.key].symbol, place(spot.x, spot.y), line.key)


def _head(panel: DrawnPanel) -> str:
    """The title, and what the vertical axis shows."""
    return " · ".join(filter(None, (panel.title, panel.y.title)))


def _line(line: Drawn, sketch: Sketch, points: Sequence[Place]) -> None:
    if len(points) > 1:
        sketch.line(points, line.key, 2, DASHES.get(LOOKS[line.key].dash, ""))


def _mark(sketch: Sketch, symbol: str, at: Place, key: str, radius: float = 4.0) -> None:
    """A marker; hollow ones are filled with the ground and have a rim."""
    hollow, shape = symbol.endswith("-open"), symbol.removesuffix("-open")
    corners = _corners(shape)
    if shape == "line-ew":
        sketch.line([(at[0] - 5, at[1]), (at[0] + 5, at[1])], key, 2)
        return
    points = [(at[0] + radius * x, at[1] + radius * y) for x, y in corners]
    sketch.area(points, "background" if hollow else key, 1.0, key if hollow else "background")


def _corners(shape: str) -> Sequence[Place]:
    if shape in ("circle", "circle-dot"):
        return [(sin(2 * pi * i / CORNERS), cos(2 * pi * i / CORNERS)) for i in range(CORNERS)]
    return outline("diamond" if shape == "bowtie" else shape)
