"""Both hands draw what they are asked for: SVG that parses, PNG with colours where they belong."""

from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from mips_core.figures.styles import tokens
from mips_core.report import sketches
from mips_core.report.sketches import SCALE, PngSketch, SvgSketch


def drawn(sketch):
    sketch.line([(10, 50), (90, 50)], "bad", 4, "8 8")
    sketch.area([(10, 60), (40, 60), (40, 90), (10, 90)], "good", 1.0, "text")
    sketch.text("a < b × σ\u202e", (50, 20), "middle")
    return sketch


def test_svg_holds_text_as_text_in_the_colours_of_a_theme_or_of_the_page():
    for mode, colour in (("dark", tokens("dark")["bad"]), (None, "var(--m-bad)")):
        markup = drawn(SvgSketch(100, 100, mode)).markup('an "alt" <text>')
        root = ElementTree.fromstring(markup)
        texts = [element.text for element in root.iter() if element.tag.endswith("text")]
        assert texts == ["a < b × σ "]
        assert root.get("aria-label") == 'an "alt" <text>'
        assert colour in markup


def test_png_has_the_colours_where_they_were_asked_for():
    image = Image.open(BytesIO(drawn(PngSketch(100, 100, "light")).png()))
    assert image.size == (100 * SCALE, 100 * SCALE)
    pixels, colours = np.asarray(image.convert("RGB")), tokens("light")

    def is_near(x, y, name):
        wanted = [int(colours[name][i : i + 2], 16) for i in (1, 3, 5)]
        return np.abs(pixels[y * SCALE, x * SCALE].astype(int) - wanted).max() < 12

    assert is_near(25, 75, "good")
    assert is_near(14, 50, "bad")
    assert is_near(22, 50, "background")  # between two dashes
    assert is_near(70, 75, "background")
    assert not is_near(10, 75, "background")  # the rim


def test_without_the_letters_of_the_app_those_of_pillow_do(monkeypatch):
    monkeypatch.setattr(sketches, "find_spec", lambda name: None)
    sketches._font.cache_clear()
    try:
        assert drawn(PngSketch(100, 100, "light")).png().startswith(b"\x89PNG")
    finally:
        sketches._font.cache_clear()


@pytest.mark.parametrize("dashes", [[3.0, 2.0], [5.0, 5.0]])
def test_dashes_cover_their_share_of_a_line(dashes):
    pieces = sketches._dashed([(0, 0), (60, 0), (60, 40)], dashes)
    length = sum(np.hypot(b[0] - a[0], b[1] - a[1]) for piece in pieces
                 for a, b in pairwise(piece))  # fmt: skip
    assert length == pytest.approx(100 * dashes[0] / sum(dashes))
