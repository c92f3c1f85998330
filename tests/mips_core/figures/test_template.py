"""The layout that all figures share."""

import plotly.graph_objects as go
import pytest

from mips_core.figures.styles import MODES, resolve, tokens
from mips_core.figures.template import (
    LAYOUT,
    NARROW,
    PRECISION_AXIS,
    SPEEDUP_AXIS,
    merge,
    template,
)


@pytest.mark.parametrize("mode", MODES)
def test_plotly_accepts_the_template_and_axes(mode):
    made = template(mode)
    assert "$" not in repr(made)
    axes = {"xaxis": SPEEDUP_AXIS, "yaxis": PRECISION_AXIS}
    layout = resolve(merge(merge(LAYOUT, axes), NARROW), tokens(mode))
    go.Figure(layout=go.Layout(layout, template=made))


def test_merge_leaves_both_sides():
    base, patch = {"a": {"b": 1, "c": 2}}, {"a": {"c": 3}, "d": 4}
    assert merge(base, patch) == {"a": {"b": 1, "c": 3}, "d": 4}
    assert (base, patch) == ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}, "d": 4})
