"""Our own files for the browser: ES modules, pictures, and the bundles kept beside them.

Nothing comes from another host. A request names a file in a fixed book of files, so no path of the
disk can be reached through it. Addresses carry a fingerprint of all files, so browsers may keep
them for ever, and new versions of the app are seen at once.
"""

import gzip
import hashlib
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

ASSETS = Path(__file__).with_name("assets")
PREFIX = "assets"
VENDOR = ASSETS / "vendor"
LESSONS = Path(__file__).parents[2] / "learn"  # each has a module that draws it, and a picture
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
YEAR = 365 * 24 * 3600


@cache
def files() -> dict[str, Path]:
    """Every file we serve, by its name in the address."""
    paths = [*sorted(ASSETS.iterdir()), *sorted(VENDOR.iterdir())]
    own = {path.name: path for path in paths if path.suffix in TYPES}
    lessons = {f"lesson_{p.name}": p for p in sorted(LESSONS.iterdir()) if p.suffix in TYPES}
    return own | lessons


@cache
def version() -> str:
    """A fingerprint of all files together."""
    digest = hashlib.sha256()
    for name in files():
        digest.update(f"{name} {_etag(name)}\n".encode())
    return digest.hexdigest()[:12]


def address() -> str:
    """Where the files are, relative to any page of the app."""
    return f"./{PREFIX}/{version()}/"


def routes() -> list[BaseRoute]:
    """The routes to give to st.App."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{base}/{PREFIX}" if base else f"/{PREFIX}"
    return [Mount(prefix, routes=[Route("/{version}/{name}", _answer)])]


def prepare() -> None:
    """Compress the large files in the background, before anyone asks for them."""
    Thread(target=lambda: [_packed(name) for name in files()], daemon=True).start()


def answer_at_once() -> None:
    """Let no answer wait for the browser to confirm the one before: 40 ms of every press.

    Connections take the option from the socket that listens. asyncio sets it only where the
    socket names its protocol, and Streamlit's does not. Where the system does not tell what is
    open (Windows), nothing is done.
    """
    folder = Path("/dev/fd")
    for descriptor in [int(path.name) for path in folder.iterdir()] if folder.is_dir() else []:
        with suppress(OSError):  # no socket, or none of TCP
            opened = socket.socket(fileno=descriptor)
            try:
                if opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            finally:
                opened.detach()  # it is another's to close


async def _answer(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in files():
        return Response("No such file", status_code=404, media_type="text/plain")
    current = request.path_params["version"] == version()
    headers = {
        "ETag": _etag(name),
        "Cache-Control": f"public, max-age={YEAR}, immutable" if current else "no-cache",
        "Content-Type": TYPES[files()[name].suffix],
        "X-Content-Type-Options": "nosniff",
        "Vary": "Accept-Encoding",
    }
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_packed(name), headers=headers | {"Content-Encoding": "gzip"})
    return Response(files()[name].read_bytes(), headers=headers)


@cache
def _etag(name: str) -> str:
    return f'"{hashlib.sha256(files()[name].read_bytes()).hexdigest()[:24]}"'


@cache
def _packed(name: str) -> bytes:
    return gzip.compress(files()[name].read_bytes(), 6)
