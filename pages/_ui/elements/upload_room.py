"""Uploads of all visitors together take so much memory at most: a file that is too much is refused.

Streamlit holds a file in memory from its last byte until a page takes it, or its visitor leaves.
"""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from mips_core.base import limits

TO = "/_stcore/upload_file/"
NO_LENGTH = "Say how long the file is.\n"
NO_ROOM = "More is uploaded just now than this server has room for. Try again in a minute.\n"


class UploadRoom:
    """Middleware for st.App: refuses uploads that there is no room for, before they are read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.coming = 0  # bytes of uploads that are on their way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or TO not in scope["path"]:
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        if not (length.isascii() and length.isdecimal()):
            await PlainTextResponse(NO_LENGTH, 411)(scope, receive, send)
            return
        if held() + self.coming + int(length) > limits.MAX_UPLOADED_BYTES:
            await PlainTextResponse(NO_ROOM, 413)(scope, receive, send)
            return
        self.coming += int(length)
        try:
            await self.app(scope, receive, send)
        finally:
            self.coming -= int(length)


def held() -> int:
    """Bytes of uploads that no page has taken yet."""
    manager = get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for files in list(manager.file_storage.values())
               for file in list(files.values()))  # fmt: skip
