"""Where the scripts of the pages are: links and the navigation name them."""

from pathlib import Path

PAGES = Path(__file__).parents[2]
