"""Drawings laid out for files: all within the frame, panels side by side or stacked."""

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from mips_core.figures.paper import drawings
from mips_core.report.paper_pictures import alt_of, as_png, as_svg
from mips_core.report.sketches import SCALE
from tests.mips_core.studies.paper.paper_cases import whole


@pytest.mark.parametrize("across", [3, 1])
def test_every_figure_stays_within_its_frame(across):
    for drawing in drawings(whole(), "paper"):
        markup = as_svg(drawing, "light", across)
        width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', markup).groups())
        for path in re.findall(r' d="M([^"]*)"', markup):
            points = [tuple(map(float, pair.split())) for pair in path.rstrip("Z").split("L")]
            assert all(0 <= x <= width and 0 <= y <= height for x, y in points), drawing.name
        root = ElementTree.fromstring(markup)
        texts = [element.text for element in root.iter() if element.tag.endswith("text")]
        assert " ".join(texts).startswith(drawing.title)  # in as many lines as it takes
        assert set(drawing.legend.values()) <= set(texts)
        assert ("Simulated data" in texts) == drawing.simulated


def test_a_png_is_as_large_as_its_svg_and_the_same_every_time():
    drawing = drawings(whole(), "ours")[0]
    width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', as_svg(drawing, "light"))
                        .groups())  # fmt: skip
    png = as_png(drawing)
    assert Image.open(BytesIO(png)).size == (width * SCALE, height * SCALE)
    assert as_png(drawing) == png
    assert as_png(drawing, "dark") != png
    assert "PCA-tree" in alt_of(drawing)
