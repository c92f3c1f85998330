"""Large blocks of numbers for the browser, fetched by it once: a message names them by address.

A block is kept under the fingerprint of what it holds, so the same block has the same address and a
browser that knows it does not ask again. Addresses cannot be guessed. The blocks used least lately
are dropped beyond a limit; a page that is still open makes its own again at its next run.
"""

import hashlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from mips_core.base.limits import MAX_BLOB_BYTES
from pages._ui.work import memory, results

PREFIX = "blobs"
_SECRET = secrets.token_bytes(16)
_KEPT: OrderedDict[str, bytes] = OrderedDict()
_LOCK = Lock()
_TYPES = ("float32", "int32", "uint8")  # as browsers know them, little-endian


@dataclass(frozen=True)
class Blob:
    """Where a block is, relative to any page of the app; its type; how many bytes it has."""

    address: str
    type: str  # one of float32, int32, uint8, json
    size: int


def of_array(array: np.ndarray) -> Blob:
    """A block of the numbers of `array`, of a type that browsers know, in C order."""
    if array.dtype.name not in _TYPES:
        raise TypeError(f"A block holds {', '.join(_TYPES)}, not {array.dtype.name}.")
    return _keep(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes(),
                 array.dtype.name)  # fmt: skip


def of_texts(texts: Sequence[str]) -> Blob:
    """A block of texts, as they are."""
    return _keep(json.dumps(list(texts), ensure_ascii=False).encode("utf-8", "replace"), "json")


def block(name: Hashable, content: np.ndarray | Sequence[str]) -> Blob:
    """The block of these numbers, or texts; the one kept under `name` if it was made of the same.

    The same is this very object: nothing large is looked through at each run of a page.
    """
    key = ("block", name)
    kept: tuple[Any, Blob] | None = results.recall(key)
    if kept is not None and kept[0] is content and known(kept[1]):
        return kept[1]
    blob = of_array(content) if isinstance(content, np.ndarray) else of_texts(content)
    results.remember(key, (content, blob))
    return blob


def known(blob: Blob) -> bool:
    """Whether a block is still kept; a page that holds on to a Blob asks before it uses it."""
    with _LOCK:
        name = blob.address.rpartition("/")[2]
        if name in _KEPT:
            _KEPT.move_to_end(name)
        return name in _KEPT


def forget_all() -> None:
    """Keep no block any more."""
    with _LOCK:
        _KEPT.clear()


memory.WHEN_ALONE.append(forget_all)


def routes() -> list[BaseRoute]:
    """The routes to give to st.App."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{base}/{PREFIX}" if base else f"/{PREFIX}"
    return [Mount(prefix, routes=[Route("/{name}", _answer)])]


def _keep(data: bytes, kind: str) -> Blob:
    name = hashlib.blake2b(data, key=_SECRET, digest_size=20).hexdigest()
    with _LOCK:
        _KEPT[name] = data
        _KEPT.move_to_end(name)
        while len(_KEPT) > 1 and sum(map(len, _KEPT.values())) > MAX_BLOB_BYTES:
            _KEPT.popitem(last=False)
    return Blob(f"./{PREFIX}/{name}", kind, len(data))


async def _answer(request: Request) -> Response:
    with _LOCK:
        data = _KEPT.get(request.path_params["name"])
    if data is None:
        return Response("No such block", status_code=404, media_type="text/plain")
    return await run_in_threadpool(_response, data)


def _response(data: bytes) -> Response:
    return Response(
        data,
        media_type="application/octet-stream",
        headers={
            "Cache-Control": "private, max-age=3600, immutable",
            "X-Content-Type-Options": "nosniff",
        },
    )
