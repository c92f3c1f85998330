"""Files for the browser: a fixed book, an address that changes with any of them."""

import asyncio
import socket
from pathlib import Path

import pytest
from streamlit.web.server.starlette.starlette_server import _bind_socket

from pages._ui.elements import serve


def test_only_files_of_known_types_are_in_the_book():
    files = serve.files()
    assert {"chart.js", "map.js", "page.css", "favicon.svg"} <= set(files)
    assert all(path.suffix in serve.TYPES and path.is_file() for path in files.values())
    assert "README.md" not in files


def test_another_content_has_another_address(monkeypatch, tmp_path):
    file = tmp_path / "one.js"
    monkeypatch.setattr(serve, "files", lambda: {"one.js": file})
    addresses = set()
    try:
        for text in ("a", "b", "a"):
            file.write_text(text)
            serve.version.cache_clear()
            serve._etag.cache_clear()
            addresses.add(serve.address())
    finally:
        serve.version.cache_clear()
        serve._etag.cache_clear()
    assert len(addresses) == 2


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="the system does not tell what is open")
def test_answers_leave_at_once_on_connections_to_a_socket_as_streamlit_makes_it():
    def descriptors():
        return {path.name for path in Path("/dev/fd").iterdir()}

    def is_set(connection):
        return bool(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def accepted(listening):
        arrived = asyncio.get_running_loop().create_future()
        async with await asyncio.start_server(
            lambda reader, writer: arrived.set_result(writer), sock=listening
        ):
            with socket.create_connection(listening.getsockname()):
                writer = await arrived
                on = is_set(writer.get_extra_info("socket"))
                writer.close()
        return on

    for call, expected in ((lambda: None, False), (serve.answer_at_once, True)):
        listening = _bind_socket("127.0.0.1", 0, 10)
        before = descriptors()
        call()
        assert descriptors() == before
        assert asyncio.run(accepted(listening)) == expected
