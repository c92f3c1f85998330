"""A button that puts the address of the view on the clipboard: what defines it stands there."""

from pages._ui.elements.component import component

_LINK = component("link", "copy_link.js")


def copy_link() -> None:
    """Draw it, as wide as its words."""
    _LINK(key="copy link", width="content")
