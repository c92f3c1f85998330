"""On the map of these tests a layout comes at once in the place of UMAP's."""

from tests.pages.map_page import fits

__all__ = ["fits"]
