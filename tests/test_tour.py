"""The tour: each picture is one that the script takes, stands in the page, and is light."""

import re

from benchmarks.tour import FOLDER, STOPS


def test_the_tour_shows_the_pictures_that_are_taken():
    shown = re.findall(r"\]\(pictures/([\w-]+)\.png\)", (FOLDER.parent / "tour.md").read_text())
    assert shown == [stop.name for stop in STOPS]
    for name in shown:
        path = FOLDER / f"{name}.png"
        assert path.read_bytes()[:4] == b"\x89PNG"
        assert path.stat().st_size < 250_000
