"""Uploads: to disk as they come, checked before, and nothing is left of those that fail."""

import asyncio
import errno
import time
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from mips_core import DataError
from mips_core.base import limits
from pages._ui.elements import upload_room
from pages._ui.work.upload_copy import Copy

BOUNDARY = b"edge"
PART = b'--edge\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\n\r\n'
END = b"\r\n--edge--\r\n"


@pytest.fixture
def manager(monkeypatch, temporary):
    """What keeps uploads of two visitors, "ada" and "bob", until a page takes them."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    here = {"ada", "bob"}
    runtime = SimpleNamespace(
        uploaded_file_mgr=manager, here=here, is_active_session=lambda name: name in here
    )
    manager.runtime = runtime
    monkeypatch.setattr(upload_room, "get_instance", lambda: runtime)
    monkeypatch.setattr(upload_room, "is_xsrf_enabled", lambda: False)
    return manager


def form(content, name=b"a.npy"):
    """The parts of a request that sends a file."""
    return [PART % (name, name), *content, END]


async def refused(scope, receive, send):
    raise AssertionError("Streamlit's own route was asked")


def put(chunks, to="ada/1", room=None, fields=(), length=None, between=None):
    """The status that such a request is answered with; `between` comes before each chunk."""
    sent, left = [], list(chunks)
    size = sum(map(len, chunks)) if length is None else length
    told = {
        "content-type": "multipart/form-data; boundary=edge",
        **({} if size is False else {"content-length": str(size)}),
        **dict(fields),
    }

    async def receive():
        if between is not None:
            await between()
        if not left:
            return {"type": "http.disconnect"}
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    headers = [(name.encode(), value.encode()) for name, value in told.items()]
    path = f"/base/_stcore/upload_file/{to}"
    scope = {"type": "http", "method": "PUT", "path": path, "headers": headers,
             "query_string": b"", "server": ("localhost", 1)}  # fmt: skip
    asyncio.run((room or upload_room.UploadRoom(refused))(scope, receive, send))
    return sent[0]["status"]


def arrived(manager, session="ada", file="1"):
    """What a visitor's page would find."""
    [record] = manager.get_files(session, [file])
    return record


def left(temporary, count):
    """The contents of the files that stay, once no more than `count` folders do.

    The thread that wrote the last of a file may hold it a moment longer than who asked for that.
    """
    ends = time.monotonic() + 10
    while len(found := list(temporary.iterdir())) > count and time.monotonic() < ends:
        time.sleep(0.01)
    assert len(found) <= count
    return [path.read_bytes() for folder in found for path in folder.iterdir()]


def test_a_file_lies_on_disk_and_is_held_in_no_memory(manager, temporary):
    parts = [bytes([i]) * 1000 for i in range(50)]
    assert put(form(parts, "Wörter/words.npy".encode())) == 204
    record = arrived(manager)
    assert (record.name, len(record.data)) == ("Wörter/words.npy", 0)
    copy = record.data.what
    assert copy.path().read_bytes() == b"".join(parts)
    assert (copy.name, copy.size, record.data.size) == ("words.npy", 50_000, 50_000)
    assert upload_room.held(manager.runtime) == 50_000
    del copy, record
    manager.remove_session_files("ada")
    assert left(temporary, 0) == []


def test_two_visitors_at_once_find_each_their_own(manager, temporary):
    room = upload_room.UploadRoom(refused)

    async def other():
        if not manager.get_files("bob", ["1"]):
            status = await asyncio.to_thread(put, form([b"bob's"]), "bob/1", room)
            assert status == 204

    assert put(form([b"ada", b"'s"]), "ada/1", room, between=other) == 204
    for name in ("ada", "bob"):
        assert arrived(manager, name).data.what.path().read_bytes() == f"{name}'s".encode()
    assert manager.get_files("bob", ["2"]) == manager.get_files("eve", ["1"]) == []
    manager.remove_session_files("ada")
    assert left(temporary, 1) == [b"bob's"]


def test_who_is_refused_leaves_nothing(manager, temporary, monkeypatch):
    assert put(form([b"1"]), length=False) == put(form([b"1"]), length="x") == 411
    assert put(form([b"1"]), to="eve/1") == put(form([b"1"]), to="ada") == 400
    assert put(form([b"1"]), to="ada/1/2") == 400
    field = b"--edge\r\nContent-Disposition: form-data; name=a\r\n\r\n1"
    assert put([field, END]) == 400
    assert put([*form([b"1"])[:2], b"\r\n", *form([b"2"])]) == 400  # two files
    assert put([END[2:]]) == put([b"no form"]) == 400
    assert put(form([b"1"]), fields={"content-type": "text/plain"}) == 400
    assert put(form([b"1"]), length=2001 * 2**20 + 1) == 413
    assert put(form([b"1"] * 3)[:3]) == 400  # its sender has gone
    monkeypatch.setattr(upload_room, "is_xsrf_enabled", lambda: True)
    assert put(form([b"1"])) == put(form([b"1"]), fields={"x-xsrftoken": "a"}) == 403
    cookie = {"x-xsrftoken": "2|1|2|3", "cookie": "_streamlit_xsrf=2|1|2|4"}
    assert put(form([b"1"]), fields=cookie) == 403
    assert manager.get_files("ada", ["1"]) == []
    assert list(temporary.iterdir()) == []


def test_what_is_held_and_what_is_on_its_way_count_together(manager, monkeypatch):
    monkeypatch.setattr(limits, "MAX_UPLOADED_BYTES", 900)
    room, inner = upload_room.UploadRoom(refused), []
    frame = len(b"".join(form([])))

    async def while_one_comes():
        if not inner:
            inner.append(await asyncio.to_thread(put, form([b"2" * 300]), "bob/1", room))

    assert put(form([b"1" * 500]), "ada/1", room, between=while_one_comes) == 204
    assert inner == [204]
    assert 500 + 300 < 900 < 500 + 300 + 2 * frame  # what is on its way counts with its frame
    assert isinstance(arrived(manager, "bob").data.what, DataError)
    assert arrived(manager).data.size == 500
    assert room.coming == 0
    assert put(form([b"3" * 600]), "bob/2", room) == 204
    assert "room for" in str(arrived(manager, "bob", "2").data.what)
    manager.remove_session_files("ada")
    assert put(form([b"3" * 600]), "bob/3", room) == 204
    assert arrived(manager, "bob", "3").data.size == 600


def full(copy, *given):
    """As a write to a full disk does."""
    if hasattr(copy, "remove"):
        copy.remove()
    raise OSError(errno.ENOSPC, "no")


def test_a_file_that_never_has_room_is_not_asked_for_again(manager, temporary, monkeypatch):
    monkeypatch.setattr(limits, "MAX_UPLOADED_BYTES", 3)
    monkeypatch.setattr(upload_room, "FRAME", len(b"".join(form([]))))
    for size, words in ((2, "Try again in a minute"), (4, "larger than all that may be uploaded")):
        assert put(form([b"1" * size])) == 204
        assert words in str(arrived(manager).data.what)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("place", ["write", "close", "__init__"])
def test_a_full_disk_is_told_on_the_page(manager, temporary, monkeypatch, place):
    with monkeypatch.context() as patch:
        patch.setattr(Copy, place, full)
        assert put(form([b"1" * 9, b"2" * 9])) == 204
    assert "The disk is full" in str(arrived(manager).data.what)
    assert upload_room.held(manager.runtime) == 0
    manager.remove_session_files("ada")
    assert left(temporary, 0) == []


def test_who_leaves_while_a_file_comes_leaves_nothing(manager, temporary):
    async def leave():
        manager.runtime.here.discard("ada")

    assert put(form([b"1"]), between=leave) == 204
    assert manager.get_files("ada", ["1"]) == []
    assert list(temporary.iterdir()) == []


def test_only_uploads_are_looked_at():
    asked = []

    async def app(scope, receive, send):
        asked.append(scope)

    room = upload_room.UploadRoom(app)
    others = [
        {"type": "http", "method": "PUT", "path": "/other"},
        {"type": "http", "method": "DELETE", "path": "/_stcore/upload_file/ada/1"},
        {"type": "websocket", "path": "/_stcore/upload_file/ada/1"},
    ]
    for scope in others:
        asyncio.run(room(scope, None, None))
    assert asked == others
