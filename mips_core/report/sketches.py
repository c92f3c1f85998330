"""The two hands that draw a `Drawing` for files and reports: one as SVG, one as PNG.

Nothing at hand renders Plotly's pictures without a browser. Pillow, which comes with Streamlit,
draws lines and letters; so does a string of SVG. Both draw what `picture` asks of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Literal, final

from PIL import Image, ImageColor, ImageDraw, ImageFont

from mips_core.base.text import UNSEEN
from mips_core.figures.styles import Mode, tokens
from mips_core.figures.template import FONT

Place = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
BAND = 0.14  # how much of its colour a band has
SCALE, FINER = (
    2,
    2,
)  # pixels of a PNG for one of the picture; drawn so much finer, then made smaller


class Sketch(ABC):
    """Draws lines, areas and words in colours of `styles.tokens`; x to the right, y down, px."""

    @abstractmethod
    def line(self, points: Sequence[Place], colour: str, width: float, dash: str = "") -> None:
        """From one point to the next; `dash` as in SVG."""

    @abstractmethod
    def area(
        self, points: Sequence[Place], colour: str, strength: float = 1.0, rim: str = ""
    ) -> None:
        """The area within the points, with a rim in another colour where one is named."""

    @abstractmethod
    def text(
        self, words: str, at: Place, anchor: Anchor = "start", size: float = 13,
        colour: str = "muted", bold: bool = False,
    ) -> None:  # fmt: skip
        """Words whose base line is at a place."""


@final
class SvgSketch(Sketch):
    """As SVG: in the colours of one theme, or of the page it stands in where `mode` is None."""

    def __init__(self, width: int, height: int, mode: Mode | None) -> None:
        self.size, self.mode = (width, height), mode
        self.parts: list[str] = []
        self.colours: Mapping[str, str] = {} if mode is None else tokens(mode)

    def colour(self, name: str) -> str:
        """As CSS has it; methods of a page have an m before their names."""
        if self.mode is not None:
            return self.colours[name]
        roles = ("background", "surface", "text", "muted", "grid", "axis")
        return f"var(--{name})" if name in roles else f"var(--m-{name})"

    def line(self, points: Sequence[Place], colour: str, width: float, dash: str = "") -> None:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<path d="M{path}" style="fill:none;stroke:{self.colour(colour)}" '
            f'stroke-width="{width:g}" stroke-linejoin="round"{dashes}></path>'
        )

    def area(
        self, points: Sequence[Place], colour: str, strength: float = 1.0, rim: str = ""
    ) -> None:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        look = f"fill:{self.colour(colour)};fill-opacity:{strength:g}"
        look += f";stroke:{self.colour(rim)}" if rim else ""
        self.parts.append(f'<path d="M{path}Z" style="{look}"></path>')

    def text(
        self, words: str, at: Place, anchor: Anchor = "start", size: float = 13,
        colour: str = "muted", bold: bool = False,
    ) -> None:  # fmt: skip
        weight = ' font-weight="600"' if bold else ""
        said = escape(words.encode(errors="replace").decode().translate(UNSEEN))
        self.parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" '
            f'style="fill:{self.colour(colour)};font-size:{size:g}px"{weight}>{said}</text>'
        )

    def markup(self, alt: str, kind: str = "picture") -> str:
        """The whole picture, told as `alt` to who cannot see it."""
        width, height = self.size
        told, font = escape(alt, quote=True), escape(FONT, quote=True)
        ground = "" if self.mode is None else (
            f'<rect width="{width}" height="{height}" fill="{self.colour("background")}"></rect>'
        )  # fmt: skip
        size = f' width="{width}" height="{height}"'
        if self.mode is None:  # in a page it shrinks with it, and is no larger than drawn
            size = f' style="max-width:{width}px"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width} '
            f'{height}"{size} role="img" font-family="{font}" aria-label="{told}"><title>{told}'
            f"</title>{ground}{''.join(self.parts)}</svg>"
        )


@final
class PngSketch(Sketch):
    """As PNG in the colours of one theme."""

    def __init__(self, width: int, height: int, mode: Mode) -> None:
        self.colours, self.factor = tokens(mode), SCALE * FINER
        self.size = (width * SCALE, height * SCALE)
        finer = (width * self.factor, height * self.factor)
        self.image = Image.new("RGB", finer, self.colours["background"])
        self.draw = ImageDraw.Draw(self.image, "RGBA")

    def _at(self, points: Sequence[Place]) -> list[Place]:
        return [(x * self.factor, y * self.factor) for x, y in points]

    def _colour(self, name: str, strength: float = 1.0) -> tuple[int, ...]:
        return (*ImageColor.getrgb(self.colours[name])[:3], round(255 * strength))

    def line(self, points: Sequence[Place], colour: str, width: float, dash: str = "") -> None:
        wide, paint = max(round(width * self.factor), 1), self._colour(colour)
        pieces = _dashed(points, [float(n) for n in dash.split()]) if dash else [list(points)]
        for piece in pieces:
            self.draw.line(self._at(piece), fill=paint, width=wide, joint="curve")

    def area(
        self, points: Sequence[Place], colour: str, strength: float = 1.0, rim: str = ""
    ) -> None:
        edge = self._colour(rim) if rim else None
        self.draw.polygon(
            self._at(points), fill=self._colour(colour, strength), outline=edge,
            width=round(1.2 * self.factor) if rim else 0,
        )  # fmt: skip

    def text(
        self, words: str, at: Place, anchor: Anchor = "start", size: float = 13,
        colour: str = "muted", bold: bool = False,
    ) -> None:  # fmt: skip
        side = {"start": "l", "middle": "m", "end": "r"}[anchor]
        font = _font(round(size * self.factor), 600 if bold else 400)
        (place,), said = self._at([at]), words.translate(UNSEEN)
        self.draw.text(place, said, fill=self._colour(colour), font=font, anchor=f"{side}s")

    def png(self) -> bytes:
        """The file."""
        file = BytesIO()
        self.image.resize(self.size, Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
        return file.getvalue()


@cache
def _font(size: int, weight: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The letters of the app, which Streamlit brings; else those of Pillow."""
    streamlit = find_spec("streamlit")
    folder = Path(streamlit.origin).parent if streamlit and streamlit.origin else Path()
    for path in sorted(folder.glob("static/static/media/SourceSansVF-Upright*")):
        try:
            font = ImageFont.truetype(str(path), size)
            font.set_variation_by_axes([weight])
            return font
        except OSError:
            continue
    return ImageFont.load_default(size)


def _dashed(points: Sequence[Place], dashes: Sequence[float]) -> list[list[Place]]:
    """The pieces of a line that are drawn, the first dash first."""
    pieces: list[list[Place]] = [[points[0]]]
    at, left = 0, dashes[0]
    for (x0, y0), (x1, y1) in pairwise(points):
        length, done = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.0
        while length - done > left:
            done += left
            turn = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length)
            if at % 2 == 0:
                pieces[-1].append(turn)
            else:
                pieces.append([turn])
            at += 1
            left = dashes[at % len(dashes)]
        left -= length - done
        if at % 2 == 0:
            pieces[-1].append((x1, y1))
    return [piece for piece in pieces if len(piece) > 1]
