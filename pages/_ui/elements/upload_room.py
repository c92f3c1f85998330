"""Uploads go to disk as they come, those of all visitors together up to a limit.

Streamlit's own route holds a whole file in memory, more than once while it is read. This one stands
before it, makes the same checks, and gives what came to the same widget.
"""

from collections.abc import Callable
from typing import BinaryIO, cast

import streamlit as st
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime, get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.server_util import is_xsrf_enabled
from streamlit.web.server.starlette.starlette_app_utils import validate_xsrf_token
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from mips_core import DataError
from mips_core.base import limits
from mips_core.base.text import memory
from pages._ui.work.data_files import Arrival, not_stored
from pages._ui.work.upload_copy import Copy

TO = "/_stcore/upload_file/"
FRAME = 2**20  # bytes of a request that are none of its file, at most
NO_LENGTH = "Say how long the file is.\n"
NOT_FROM_HERE = "XSRF token missing or invalid.\n"
NO_SESSION = "There is no such visitor. Open the page anew.\n"
TOO_LARGE = "The limit of an upload is {}.\n"
NO_FILE = "One file is expected.\n"
NO_ROOM = DataError(
    "More is uploaded just now than this server has room for.", "Try again in a minute."
)


class UploadRoom:
    """Middleware for st.App: takes uploads, and refuses those that there is no room for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.coming = 0  # bytes of uploads that are on their way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or TO not in scope["path"]:
            await self.app(scope, receive, send)
            return
        response = await self.answer(Request(scope, receive))
        await response(scope, receive, send)

    async def answer(self, request: Request) -> Response:
        """Put the file of a request where the page of its visitor finds it.

        Where there is no room for it, the page finds why: the widget could only turn it red.
        """
        length = request.headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal()):
            return PlainTextResponse(NO_LENGTH, 411)
        token, cookie = request.headers.get("x-xsrftoken"), request.cookies.get(XSRF_COOKIE_NAME)
        if is_xsrf_enabled() and not validate_xsrf_token(token, cookie):
            return PlainTextResponse(NOT_FROM_HERE, 403)
        session_id, _, file_id = request.url.path.partition(TO)[2].partition("/")
        runtime, size = get_instance(), int(length)
        if not file_id or "/" in file_id or not runtime.is_active_session(session_id):
            return PlainTextResponse(NO_SESSION, 400)
        most = int(st.get_option("server.maxUploadSize")) * 2**20
        if size > most + FRAME:
            return PlainTextResponse(TOO_LARGE.format(memory(most)), 413)
        sink = Sink(self.problem(runtime, size))
        self.coming += size
        try:
            form = await Incoming(request, sink).parse()
        except (MultiPartException, ClientDisconnect, KeyError):
            form = None
        finally:
            self.coming -= size
        if sink.what is None or not form:
            sink.remove()
            return PlainTextResponse(NO_FILE, 400)
        if runtime.is_active_session(session_id):
            record = UploadedFileRec(file_id, sink.name, sink.kind, Arrival.of(sink.what))
            manager_of(runtime).add_file(session_id, record)
        else:  # who left meanwhile wants it no more
            sink.remove()
        return Response(status_code=204)

    def problem(self, runtime: Runtime, size: int) -> DataError | None:
        """Why there is no room for a request of `size` bytes, if there is none."""
        most = limits.MAX_UPLOADED_BYTES
        if size > most + FRAME:
            return DataError(
                f"The file is larger than all that may be uploaded here, {memory(most)}.",
                "Give its first rows only.",
            )
        return NO_ROOM if held(runtime) + self.coming + size > most else None


class Incoming(MultiPartParser):
    """The one file of a request, on its way to `sink`."""

    def __init__(self, request: Request, sink: "Sink") -> None:
        super().__init__(request.headers, request.stream(), max_files=1, max_fields=0)
        self.sink = sink

    def on_headers_finished(self) -> None:
        """The file begins: let it be written where we want it."""
        super().on_headers_finished()
        upload = self._current_part.file
        assert upload is not None  # a field is refused
        upload.file.close()
        upload.file = cast(BinaryIO, self.sink)
        self.sink.begin(upload.filename or "", upload.content_type)


class Sink:
    """Takes a file to disk; with a `problem` it goes nowhere.

    What the disk does not take goes nowhere either: an answer that comes before the whole request
    was sent is no answer to browsers.
    """

    def __init__(self, problem: DataError | None) -> None:
        self.name, self.kind = "", "application/octet-stream"
        self.what: Copy | DataError | None = problem  # None before there is a file

    def begin(self, name: str, kind: str | None) -> None:
        """A file of this name comes."""
        self.name, self.kind = name, kind or self.kind
        if self.what is None:
            try:
                self.what = Copy(name)
            except OSError as error:
                self.what = not_stored(error)

    def write(self, content: bytes) -> None:
        """The next part of it; in a thread of its own."""
        self._do(Copy.write, content)

    def seek(self, _: int) -> None:
        """It has ended."""
        self._do(Copy.close)

    def remove(self) -> None:
        """Nobody wants it."""
        if isinstance(self.what, Copy):
            self.what.remove()

    def _do(self, act: Callable[..., None], *given: bytes) -> None:
        if isinstance(self.what, Copy):
            try:
                act(self.what, *given)
            except OSError as error:
                self.what = not_stored(error)


def manager_of(runtime: Runtime) -> MemoryUploadedFileManager:
    """What keeps uploads until a page takes them."""
    return cast(MemoryUploadedFileManager, runtime.uploaded_file_mgr)


def held(runtime: Runtime) -> int:
    """Bytes of uploads that no page has taken yet."""
    files = list(manager_of(runtime).file_storage.values())
    arrivals = [file.data for mine in files for file in list(mine.values())]
    return sum(arrival.size for arrival in arrivals if isinstance(arrival, Arrival))
