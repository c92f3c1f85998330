"""The element behind every figure that updates: Plotly redrawn in place, in the visitor's theme.

Zoom and hidden curves survive an update. Colours are tokens ("$flat-kmeans@0.15") that the browser
resolves, so Python need not know the theme, nor the width. See `assets/chart.js`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mips_core.figures.styles import LOOKS, tokens
from mips_core.figures.template import CONFIG, LAYOUT, merge
from pages._ui.elements.component import component, nothing
from pages._ui.elements.wire import pack

# Our own buttons save pictures, on solid ground.
_CONFIG = CONFIG | {"modeBarButtonsToRemove": [*CONFIG["modeBarButtonsToRemove"], "toImage"]}
_TOKENS = {"light": tokens("light"), "dark": tokens("dark")}


NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, eq=False, kw_only=True)
class Picture:
    """What every figure tells the browser, with sliders or without: see `chart`."""

    figure: Mapping[str, Any]
    alt: str
    height: int
    narrow: Mapping[str, Any] = field(default_factory=dict)
    narrow_height: int = 0  # 0: as high
    chips: Sequence[str] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    topic: str = ""
    file_name: str = ""

    def message(self) -> dict[str, Any]:
        """It, as the browser takes it."""
        layout = merge(LAYOUT, dict(self.figure.get("layout", {})))
        return {
            "figure": {"data": list(self.figure["data"]), "layout": layout},
            "chips": [{"key": key, **look(key, self.labels)} for key in self.chips],
            **{"narrow": self.narrow, "narrowHeight": self.narrow_height or self.height},
            **{"height": self.height, "alt": self.alt},
            **{"topic": self.topic, "fileName": self.file_name},
        }


def chart(
    figure: Mapping[str, Any],
    *,
    key: str,
    height: int,
    alt: str,
    narrow: Mapping[str, Any] = NOTHING,
    narrow_height: int = 0,
    chips: Sequence[str] = (),
    labels: Mapping[str, str] = NOTHING,
    topic: str = "",
    file_name: str = "",
) -> None:
    """Draw a figure, or update the one drawn under this key.

    `figure` has `data` and `layout`, the latter laid over the common one; x and y may be numpy
    arrays. `narrow` is a layout patch for widths below 560 px. Each of `chips`, method keys,
    toggles the traces of that `legendgroup`; `labels` renames them. A new `topic` resets zoom and
    hidden curves. With a `file_name`, buttons save the picture as SVG and PNG.
    """
    picture = Picture(
        figure=figure, alt=alt, height=height, narrow=narrow, narrow_height=narrow_height,
        chips=chips, labels=labels, topic=topic, file_name=file_name,
    )  # fmt: skip
    mount(picture.message(), key)


def look(key: str, labels: Mapping[str, str]) -> dict[str, str]:
    """What the browser needs to draw and name a method."""
    style = LOOKS[key]
    name = labels.get(key, style.label)
    return {"label": name, "glyph": style.glyph, "dash": style.dash, "symbol": style.symbol}


def mount(message: dict[str, Any], key: str, on_choice: Callable[[], None] | None = None) -> Any:
    """Put the element on the page; returns its state."""
    block = block_of(message)
    draw = next((_KINDS[kind] for kind in _KINDS if kind in message), _PLAIN)
    return draw(data=block, key=key, on_choice_change=on_choice or nothing)


def block_of(message: Mapping[str, Any]) -> bytes:
    """The message with colours and what Plotly may do, as `assets/chart.js` takes it."""
    return pack({**message, "tokens": _TOKENS, "config": _CONFIG})


# Those with sliders reserve more height until their modules have come.
_PLAIN = component("plain", "chart.js")
_KINDS = {"live": component("live", "chart.js"), "stepped": component("stepped", "stepped.js")}
