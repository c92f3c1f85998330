"""Reads a page that `page_file` made: what stands in it as it is, its program, and its data."""

import base64
import gzip
import re

BLOCK = re.compile(r'<script type="text/plain" id="(\w+)">([^<]*)</script>')


def unpacked(page):
    """(markup and scripts as they stand, program, data)."""
    text = page.decode() if isinstance(page, bytes) else page
    blocks = {
        name: gzip.decompress(base64.b64decode(packed)) for name, packed in BLOCK.findall(text)
    }
    return BLOCK.sub("", text), blocks["program"].decode(), blocks["data"]
