"""Names on a map do not touch."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.figures.map import PointColours, map_figure
from mips_core.figures.map_names import LETTER, NAME_HEIGHT
from tests.mips_core.figures.maps import mapped


@given(st.integers(0, 2**32 - 1))
def test_names_do_not_touch(seed):
    rng = np.random.default_rng(seed)
    items = mapped(n=200, k=50, hostile=False)
    items = replace(items, xy=rng.normal(size=(200, 2)).astype(np.float32))
    notes = map_figure(items, PointColours())["layout"]["annotations"]
    assert 1 <= len(notes) <= 40
    span = items.xy.max(axis=0) - items.xy.min(axis=0)
    for room, shown in (
        ((1100, 700), notes),
        ((370, 600), [note for note in notes if note.get("name") != "wide"]),
    ):
        scale = (np.array(room) / span).min()
        for i, one in enumerate(shown):
            for other in shown[:i]:
                across = abs(one["x"] - other["x"]) * scale
                up = abs(one["y"] - other["y"]) * scale
                letters = len(one["text"] + other["text"]) - 2 * len("<b></b>")
                assert up > NAME_HEIGHT - 1e-3 or across > LETTER * letters / 2
