"""Uploads together: what is too much is refused before it is read."""

import asyncio
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from mips_core.base import limits
from pages._ui.elements import upload_room

PATH = "/_stcore/upload_file/session/file"


@pytest.fixture
def manager(monkeypatch):
    monkeypatch.setattr(limits, "MAX_UPLOADED_BYTES", 100)
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    runtime = SimpleNamespace(uploaded_file_mgr=manager)
    monkeypatch.setattr(upload_room, "get_instance", lambda: runtime)
    return manager


def put(room, size, path=PATH, method="PUT"):
    """The status that an upload of so many bytes is answered with."""
    sent = []

    async def send(message):
        sent.append(message)

    named = {} if size is None else {"content-length": str(size)}
    fields = [(name.encode(), value.encode()) for name, value in named.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": fields}
    asyncio.run(room(scope, None, send))
    return sent[0]["status"]


async def takes(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})


def test_what_is_held_and_what_is_on_its_way_count_together(manager):
    inner = []

    async def while_one_comes(scope, receive, send):
        if scope["headers"] == [(b"content-length", b"50")]:
            for size in (42, 41):  # beside 9 that are held
                inner.append(await asyncio.to_thread(put, room, size))
        await takes(scope, receive, send)

    room = upload_room.UploadRoom(while_one_comes)
    manager.add_file("session", UploadedFileRec("held", "a.npy", "", b"x" * 9))
    assert put(room, 50) == 204
    assert inner == [413, 204]
    assert room.coming == 0
    manager.add_file("another", UploadedFileRec("more", "b.npy", "", b"x" * 91))
    assert put(room, 1) == 413
    manager.remove_file("another", "more")
    assert put(room, 1) == 204


def test_a_length_must_be_said_and_only_uploads_are_looked_at(manager):
    room = upload_room.UploadRoom(takes)
    assert put(room, None) == put(room, "-5") == put(room, "x") == 411
    assert put(room, 1000, path="/other") == 204
    assert put(room, 1000, method="DELETE") == 204


def test_another_keeper_of_uploads_counts_as_empty(monkeypatch):
    runtime = SimpleNamespace(uploaded_file_mgr=None)
    monkeypatch.setattr(upload_room, "get_instance", lambda: runtime)
    assert upload_room.held() == 0
