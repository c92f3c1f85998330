"""The figure behind claim 12 of the paper: speedup over the number of items."""

from math import exp, nan

from mips_core.figures.drawing import Drawing, Drawn, DrawnPanel, Span, Spot
from mips_core.figures.paper_lines import LABELS, look_of
from mips_core.studies.paper import scale
from mips_core.studies.paper.jackknife import estimate
from mips_core.studies.paper.one_set import SetResult
from mips_core.studies.paper.run import view_of
from mips_core.studies.paper.view import View


def scale_drawing(result: SetResult) -> Drawing:
    """Speedup at one precision over the number of items."""
    view = view_of(result)
    sizes = scale.sizes_in(result.sums)
    lines = tuple(
        Drawn(look_of(name), LABELS[name], tuple(
            Spot(float(n), *_factor(view, scale.scale_name(name, n))) for n in sizes))
        for name in ("flat", "hierarchical")
    )  # fmt: skip
    ticks = tuple((float(n), f"{n:,}") for n in scale.SIZES)
    x = Span(sizes[0] / 1.2, sizes[-1] * 1.2, "Items (log scale)", ticks, log=True)
    high = max(spot.high for line in lines for spot in line.spots)
    marks = tuple((float(t), f"{t:g}×") for t in (1, 2, 5, 10, 20, 50, 100, 200, 500))
    y = Span(1.0, max(high, 10.0) * 1.2, "Speedup (log scale)", marks, log=True)
    once = (
        f" Above {scale.DEAR:,} items each is built once: intervals are over queries alone."
        if sizes[-1] > scale.DEAR
        else ""
    )
    caption = (
        f"Speedup at precision@{scale.K} of {scale.PRECISION:g}, best of the settings, on up to "
        f"{sizes[-1]:,} simulated vectors of {scale.D} dimensions, about as hard to search as "
        f"those of words. K-means begins on a sample of them, which grows.{once}"
    )
    panels = (DrawnPanel("", x, y, lines),)
    return Drawing("scale-figure", "Scale: simulated vectors", caption, panels, simulated=True)


def _factor(view: View, name: str) -> tuple[float, float, float]:
    seen = estimate(view, lambda v: v.log_speedup(name, scale.K, scale.PRECISION))
    return (nan, nan, nan) if seen is None else (exp(seen.value), exp(seen.low), exp(seen.high))
