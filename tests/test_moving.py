"""The moving picture of README.md: it moves, is light, and its words say what it shows."""

import re

import pytest
from PIL import Image

from benchmarks import moving
from benchmarks.moving import MOST, PICTURE, SCENES, SHOWN, write
from tests.test_setup import ROOT, text


def test_it_stands_on_top_of_the_readme_and_is_light():
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", text("README.md"))
    words, name = shown[0]
    assert ROOT / name == PICTURE
    assert all(word in words for word in ("slider", "tree", "map"))
    assert PICTURE.stat().st_size < MOST
    with Image.open(PICTURE) as image:
        assert image.size == SHOWN
        assert image.n_frames > 30
        assert image.info["loop"] == 0


def test_frames_are_written_in_their_order_and_stay_as_long_as_they_say(tmp_path):
    colours = ["#000000", "#ffffff", "#808080"]
    frames = [(Image.new("RGB", (40, 30), c), 100 * (at + 1)) for at, c in enumerate(colours)]
    write(frames, tmp_path / "made.webp")
    with Image.open(tmp_path / "made.webp") as image:
        for at, (wanted, stays) in enumerate(frames):
            image.seek(at)
            seen = image.convert("RGB").getpixel((20, 15))
            assert image.info["duration"] == stays
            assert seen == pytest.approx(wanted.getpixel((0, 0)), abs=6)


def test_each_scene_has_words_of_its_own():
    assert [scene.__name__ for scene in SCENES] == ["home", "lesson", "map_of_words"]
    assert all(getattr(moving, scene.__name__).__doc__ for scene in SCENES)
