"""The map of all items as one Plotly figure.

For a look at home and for mails: the map of the app draws more items, and acts. Points are drawn by
WebGL (scattergl).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.text import in_one_line
from mips_core.figures.map_names import label_of, names_on
from mips_core.figures.styles import CLUSTERS, Mode, plain, resolve, tokens
from mips_core.figures.template import LAYOUT, SEQUENTIAL, merge, template
from mips_core.figures.tradeoff import SIMULATED
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.map_table import MappedItems, SearchMarks

MOST_POINTS = 100_000  # in a file that stays below 5 MB
SIZES = ((2_000, 7.0), (20_000, 5.0), (100_000, 3.5))  # up to so many points, px of each
LEAST_SIZE = 2.5
FADED = 0.28  # of points, beside a search
EDGE = 1e-6  # beyond the ends of a scale, so that ticks at its ends are drawn
NOT_KNOWN = ({"color": "$muted"}, {"name": "not known", "showlegend": True})
MOST_TICKS = 6  # of the bar of a log scale
MOST_TEXT = 200  # characters of a label under the pointer
BELOW = {"orientation": "h", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top"}


@dataclass(frozen=True, slots=True, eq=False)
class PointColours:
    """What the colours of n points say.

    groups: those of the level shown. kinds: values (n,) number `names`, below 0 where not known.
    values: numbers (n,) on the sequential palette, NaN where not known; `log` where they span
    sizes, 0 as the least above it.
    """

    kind: Literal["groups", "kinds", "values"] = "groups"
    label: str = ""
    values: NDArray[Any] | None = None
    names: Sequence[str] = ()
    log: bool = False


def map_figure(
    mapped: MappedItems,
    colours: PointColours,
    mode: Mode = "light",
    *,
    level: int = -1,
    most: int = MOST_POINTS,
    seed: int = 0,
) -> dict[str, Any]:
    """The figure in the colours of one theme; `level` of mapped.levels, the finest by default.

    Of more than `most` items a sample is drawn, named by `seed`, which the title tells.
    """
    shown = mapped.levels[level] if mapped.levels else None
    rows = sample_rows(rng_for(seed, "points of a map"), mapped.n, most)
    point = partial(_points, mapped, shown)
    faded = mapped.search is not None
    traces = [
        point(part, marker | {"size": _size(len(rows)), "opacity": FADED if faded else 0.8}) | more
        for part, marker, more in _coloured(rows, shown, colours)
    ]
    if mapped.search is not None:
        traces += _searched(mapped.search, point, rows)
    notes = [*names_on(mapped, shown), *([SIMULATED] if mapped.simulated else [])]
    layout = merge(LAYOUT, _layout(mapped, colours, len(rows))) | {"annotations": notes}
    palette = {f"s{i}": colour for i, colour in enumerate(SEQUENTIAL[mode][1:])}
    figure = resolve({"data": traces, "layout": layout}, tokens(mode) | palette)
    figure["layout"]["template"] = template(mode)
    return figure


def _size(count: int) -> float:
    return next((size for most, size in SIZES if count <= most), LEAST_SIZE)


def _coloured(
    rows: Ids, level: GroupLevel | None, colours: PointColours
) -> Iterator[tuple[Ids, dict[str, Any], dict[str, Any]]]:
    """Rows of one trace each, their marker, and what else it needs for a legend."""
    if colours.kind == "values" and colours.values is not None:
        yield from _valued(rows, np.asarray(colours.values, np.float64), colours)
    elif colours.kind == "kinds" and colours.values is not None:
        of = colours.values[rows]
        for kind, name in enumerate(colours.names):
            legend = {"name": plain(name), "showlegend": True}
            yield rows[of == kind], {"color": f"$c{kind % len(CLUSTERS['light'])}"}, legend
        if (of < 0).any():
            yield rows[of < 0], *NOT_KNOWN
    elif level is not None:
        of = level.colours[level.of[rows]]
        for colour in np.unique(of):
            yield rows[of == colour], {"color": f"$c{colour}"}, {}
    else:
        yield rows, {"color": "$candidate"}, {}


def _valued(
    rows: Ids, values: Floats, colours: PointColours
) -> Iterator[tuple[Ids, dict[str, Any], dict[str, Any]]]:
    """Those not known in grey, below the others on the palette, the largest on top."""
    finite = np.isfinite(values[rows])
    if not finite.all():
        yield rows[~finite], *NOT_KNOWN
    rows = rows[finite]
    rows = rows[np.argsort(values[rows], kind="stable")]
    shown = values[rows]
    bar: dict[str, Any] = {
        **BELOW,
        **{"title": {"text": plain(colours.label), "side": "top"}, "len": 0.5, "thickness": 10},
        "ticklabeloverflow": "allow",  # else the first is hidden where it reaches beyond the bar
    }
    if colours.log and (shown > 0).any():
        least = shown[shown > 0].min()
        ticks = _ticks(least, shown.max())
        texts = [f"{float(f'{tick:.3g}'):,.10g}" for tick in ticks]
        if (shown <= 0).any():
            texts[0] = f"0 to {texts[0]}"
        shown = np.log10(np.maximum(shown, least))
        bar |= {"tickvals": np.log10(ticks).tolist(), "ticktext": texts, "tickangle": 0}
    ends = {} if not len(rows) else {"cmin": shown.min() - EDGE, "cmax": shown.max() + EDGE}
    scale = [[i / 8, f"$s{i}"] for i in range(9)]
    marker = {"color": shown, "colorscale": scale, "showscale": True, "colorbar": bar}
    yield rows, marker | ends, {}


def _ticks(least: float, most: float) -> Floats:
    """`least`, and at most MOST_TICKS round sizes above it up to `most`."""
    powers = 10.0 ** np.arange(np.floor(np.log10(least)), np.ceil(np.log10(most)) + 1)
    for heads in ([1, 2, 5], [1, 3], [1]):
        ticks = np.outer(powers, heads).ravel()
        ticks = ticks[(ticks > least) & (ticks <= most)]
        if len(ticks) <= MOST_TICKS:
            break
    return np.concatenate([[least], ticks[:: max(1, -(-len(ticks) // MOST_TICKS))]])


def _points(
    mapped: MappedItems, level: GroupLevel | None, rows: Ids, marker: dict[str, Any]
) -> dict[str, Any]:
    """A trace of these rows, with what is told of each under the pointer."""
    columns: list[NDArray[Any]] = [
        rows.astype(np.float64),
        _shortened(mapped.norms[rows]),
    ]
    lines = ["<b>%{text}</b><br>row %{customdata[0]:d} · norm %{customdata[1]:.4~g}"]
    if level is not None:
        groups = level.of[rows]
        columns += [groups, level.sizes[groups]]
        noun = plain(level.nouns[0])
        lines[0] += f" · {noun} %{{customdata[2]:d}}, size %{{customdata[3]:,d}}"
    for words, counts in {"true answers": mapped.answers, "of them missed": mapped.missed}.items():
        if counts is not None:
            lines.append(f"{words}: %{{customdata[{len(columns)}]:,d}}")
            columns.append(counts[rows])
    x, y = mapped.xy[rows].T
    return {
        **{"type": "scattergl", "mode": "markers", "x": x, "y": y, "marker": marker},
        "showlegend": False,
        "text": [plain(in_one_line(label_of(mapped, int(row)), MOST_TEXT)) for row in rows],
        "customdata": np.stack(columns, axis=1),
        "hovertemplate": "<br>".join(lines) + "<extra></extra>",
    }


def _shortened(values: NDArray[Any]) -> Floats:
    """To five digits, of which four are shown: so they take half the room in a file."""
    wide = np.asarray(values, np.float64)
    digits = 10.0 ** (4 - np.floor(np.log10(np.maximum(np.abs(wide), 1e-30))))
    return np.asarray((np.round(wide * digits) / digits).astype(np.float32), np.float64)


def _searched(search: SearchMarks, point: Any, rows: Ids) -> list[dict[str, Any]]:
    """Candidates, true answers found and missed, and the query, over the faded points."""
    near = rows[search.candidates[rows]]
    size = _size(len(rows))
    x, y = search.place
    return [
        point(near, {"color": "$candidate", "size": max(size, 4)}),
        point(search.true[search.found], {"color": "$hit", "size": 10}),
        point(search.true[~search.found], {"color": "$miss", "size": 11, "symbol": "x"}),
        {
            **{"type": "scattergl", "mode": "markers", "x": [x], "y": [y]},
            "marker": {
                **{"symbol": "star", "size": 17, "color": "$query"},
                "line": {"color": "$background", "width": 1.5},
            },
            "showlegend": False,
            "text": [plain(in_one_line(search.name, MOST_TEXT))],
            "hovertemplate": "<b>%{text}</b><br>the query<extra></extra>",
        },
    ]


def _layout(mapped: MappedItems, colours: PointColours, drawn: int) -> dict[str, Any]:
    notes = [mapped.note] if mapped.note else []
    if drawn < mapped.n:
        notes.append(f"Drawn are {drawn:,} of the {mapped.n:,} items, a sample.")
    axis = {"visible": False, "showgrid": False}
    return {
        "title": {
            **{"text": plain(mapped.name), "y": 0.98},
            "subtitle": {"text": plain(" ".join(notes)), "font": {"color": "$muted"}},
        },
        "margin": {"l": 8, "r": 8, "t": 64, "b": 8 if colours.kind == "groups" else 64},
        "showlegend": colours.kind != "groups",
        "legend": BELOW | {"itemsizing": "constant", "x": 1, "xanchor": "right"},
        "xaxis": axis,
        "yaxis": axis | {"scaleanchor": "x"},
        "dragmode": "pan",
    }
