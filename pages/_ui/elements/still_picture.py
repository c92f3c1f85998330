"""A picture of the app's own as SVG in the page, so that its colours follow the theme."""

from pages._ui.elements.component import component

_STILL = component("still", "still_picture.js")


def still_picture(svg: str, colours: str, *, key: str) -> None:
    """Draw `svg`, never made of what a visitor brings; `colours` declares its variables."""
    _STILL(data={"svg": svg, "colours": colours}, key=key)
