"""A page as one file that opens without a server: its program and its numbers are packed inside.

The policy of such a page lets nothing be fetched, and one script of its own run, which is known by
its hash: it unpacks the program and starts it.
"""

import base64
import gzip
import hashlib
import html
from functools import cache

LEVEL = 9  # of gzip: a page is made once and read often
UNPACK = """
const unpack = async (id) => {
  const written = atob(document.getElementById(id).textContent)
  const packed = Uint8Array.from(written, (sign) => sign.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
const begin = async () => {
  window.pageData = await unpack("data")
  const script = document.createElement("script")
  script.src = URL.createObjectURL(new Blob([await unpack("program")], { type: "text/javascript" }))
  document.body.append(script)
}
begin().catch(() => { document.getElementById("old").hidden = false })
"""
NO_SCRIPT = "This page draws in your browser by a script of its own, which is switched off here."
TOO_OLD = "This page could not be unpacked: it needs a browser of 2023 or later."


def page_file(
    title: str, body: str, style: str, program: str, data: bytes, *, makes_programs: bool = False
) -> bytes:
    """The file, UTF-8; `body` and `style` are markup and CSS as they stand.

    program: a classic script that finds `data` as window.pageData, an Uint8Array.
    makes_programs: whether it makes functions from text, as what draws by WebGL does.
    """
    digest = base64.b64encode(hashlib.sha256(UNPACK.encode()).digest()).decode()
    scripts = f"'sha256-{digest}' blob:" + " 'unsafe-eval'" * makes_programs
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; "
        "img-src data: blob:; connect-src data: blob:"
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<noscript><p>{NO_SCRIPT}</p></noscript>\n<p id="old" hidden>{TOO_OLD}</p>\n'
        f'<script type="text/plain" id="program">{_packed_program(program)}</script>\n'
        f'<script type="text/plain" id="data">{_packed(data)}</script>\n'
        f"<script>{UNPACK}</script>\n</body>\n</html>\n"
    ).encode("utf-8", "replace")


@cache
def _packed_program(program: str) -> str:
    return _packed(program.encode())


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, LEVEL, mtime=0)).decode()
