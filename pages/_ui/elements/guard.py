"""What every request passes first: is the address ours, is there room, and what browsers may do.

A page of any other site that is open in a visitor's browser can send requests here, and under a
name that leads here read the answers. So a request must name this server as its host, and, where a
page sent it, as the page's origin. Streamlit looks at WebSockets only, and to judge an origin it
asks a server outside for its own address, while all visitors wait.
"""

import base64
import hashlib
import os
import re
import socket
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from ipaddress import ip_address
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mips_core import ParamError
from mips_core.base.limits import MAX_DESCRIPTORS, MAX_VISITORS, SPARE_DESCRIPTORS
from pages._ui.work import earlier

try:
    import resource
except ImportError:  # Windows, where sockets are not counted so
    resource = None  # type: ignore[assignment]

CLOSED = "/_stcore/metrics"  # says who is here, to nobody that we know
HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::[0-9]{1,5})?")
FRAMED_BY = "MIPS_FRAMED_BY"  # the variable that names sites whose pages may show the app
SITE = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?")
RETRY = 10  # seconds
FOREIGN = (
    "This server does not answer under this address. Open it under its own, such as "
    "http://localhost:{port}, or let who runs it add the name: docs/security.md says how.\n"
)
FULL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{retry}">
<title>Full · MIPS Explorer</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }}
body {{ max-width: 34rem; margin: 18vh auto 0; padding: 0 1rem }}
h1 {{ font-size: 1.5rem; line-height: 1.3 }}
</style>
</head>
<body>
<h1>MIPS Explorer is full</h1>
<p>As many people use it now as this server has room for. This page looks again every {retry}
seconds and opens as soon as somebody has left.</p>
</body>
</html>
"""


def raise_descriptors() -> None:
    """Let this process open as many files and sockets as it may: a visitor takes four."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Guard:
    """Middleware for st.App: refuses foreign hosts and origins, and whom there is no room for.

    The names of a server that is reached under others than its own are Streamlit's setting
    server.allowedHosts.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.visitors = 0  # with a page open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers, is_page = Headers(scope=scope), scope["type"] == "http"
        if not is_ours(headers) and not is_page:  # refused before it is taken up
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self.refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
        elif is_page:
            await self.app(scope, receive, _with_headers(send))
        else:
            self.visitors += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.visitors -= 1

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """What is answered instead of the app, if it is not to be asked."""
        if not is_ours(headers):
            port = (scope.get("server") or ("", 8501))[1]
            return PlainTextResponse(FOREIGN.format(port=port), 403)
        if scope["path"].endswith(CLOSED):
            return PlainTextResponse("Not here.\n", 404)
        opens = scope["type"] == "websocket" or "text/html" in headers.get("accept", "")
        if opens and (self.visitors >= MAX_VISITORS or not descriptors_left()):
            return HTMLResponse(FULL.format(retry=RETRY), 503, {"Retry-After": str(RETRY)})
        return None


def is_ours(headers: Headers) -> bool:
    """Whether a request names us as its host, and as the origin of the page it came from, if any.

    An origin is compared with the host to the letter, as Streamlit does before it asks others.
    """
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or len(origins) > 1:
        return False
    match = HOST.fullmatch(hosts[0].lower())
    if match is None or not is_our_name(match["six"] or match["name"]):
        return False
    return not origins or origins[0] in (f"http://{hosts[0]}", f"https://{hosts[0]}")


def is_our_name(name: str) -> bool:
    """Whether this server answers under this name or address, in small letters.

    Where it is open to a network it answers under any address in numbers: only a name can be made
    to lead here by others.
    """
    named: list[str] = st.get_option("server.allowedHosts")
    if named:
        return any(fnmatchcase(name, pattern.strip().lower()) for pattern in named)
    try:
        return ip_address(name).is_loopback or earlier.is_open()
    except ValueError:
        return name in _own_names()


def descriptors_left() -> bool:
    """Whether another visitor can come and files can still be opened."""
    if resource is None:
        return True
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    taken = sum(1 for _ in Path("/dev/fd").iterdir())
    return most == resource.RLIM_INFINITY or taken < most - SPARE_DESCRIPTORS


def _own_names() -> set[str]:
    here = socket.gethostname().lower()
    return {"localhost", *((here, f"{here}.local") if earlier.is_open() else ())}


def framed_by(environment: Mapping[str, str]) -> list[str]:
    """Sites that may show the app in a frame. Raises ParamError where one is no such address."""
    sites = environment.get(FRAMED_BY, "").split()
    for site in sites:
        if SITE.fullmatch(site) is None:
            raise ParamError(
                f"{FRAMED_BY} names {site!r}.", "Give sites such as https://huggingface.co."
            )
    return sites


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"].endswith("http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in headers_of_all().items():
                headers[name] = value
        await send(message)

    return sent


@cache
def headers_of_all() -> dict[str, str]:
    """What every answer tells browsers: nothing is fetched, sent or framed but here."""
    rules = {
        "default-src": "'none'",
        # Streamlit starts our elements from blobs, reads its messages with WebAssembly, and has
        # one script within its page.
        "script-src": " ".join(("'self'", "blob:", "'wasm-unsafe-eval'", *_scripts_of_page())),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data:",  # Plotly fetches a picture to save from its own data: URL
        "media-src": "'self'",
        "manifest-src": "'self'",
        "worker-src": "'self' blob:",
        "base-uri": "'self'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(("'self'", *framed_by(os.environ))),
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in rules.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def _scripts_of_page() -> list[str]:
    """Fingerprints of the scripts within Streamlit's page, which alone may run there."""
    page = (Path(st.__file__).parent / "static/index.html").read_text()
    digests = (
        hashlib.sha256(script.encode()).digest()
        for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    )
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
