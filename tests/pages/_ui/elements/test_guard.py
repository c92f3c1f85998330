"""Whose requests reach the app: by what they say of themselves, and on a started server."""

import asyncio
import re
import socket
import urllib.request
from urllib.error import HTTPError

import pytest
import streamlit as st
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from mips_core import ParamError
from pages._ui.elements import guard
from tests.e2e.harness import ROOT, Server

HERE = "localhost:8501"


@pytest.fixture
def options(monkeypatch):
    options = {"server.address": "localhost", "server.allowedHosts": []}
    monkeypatch.setattr(st, "get_option", options.get)
    return options


def headers(**named):
    return [(name.encode(), value.encode()) for name, value in named.items()]


def is_ours(host, *origins):
    fields = [*headers(host=host), *((b"origin", origin.encode()) for origin in origins)]
    return guard.is_ours(Headers(raw=fields))


def ask(guarded, kind="http", path="/", **said):
    """What the middleware answers: the messages it sends."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": f"{kind}.connect"}

    fields = headers(**{"host": HERE, **said})
    scope = {"type": kind, "path": path, "headers": fields, "server": ("127.0.0.1", 8501)}
    asyncio.run(guarded(scope, receive, send))
    return sent


async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": headers(etag="1")})
        await send({"type": "http.response.body", "body": b"the app"})
    else:
        await send({"type": "websocket.accept"})


@pytest.mark.parametrize("host", ["localhost", HERE, "127.0.0.1:9", "[::1]:8501", "LocalHost:80"])
def test_a_closed_server_answers_under_names_of_this_machine(options, host):
    assert is_ours(host)
    assert is_ours(host, f"http://{host}")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8501", "localhost.evil.example", "10.0.0.7:8501", "",
     "localhost@evil.example", "localhost:x", "localhost/..", "localhost,evil.example", "[::2]"],
)  # fmt: skip
def test_a_closed_server_answers_under_no_other(options, host):
    assert not is_ours(host)


@pytest.mark.parametrize(
    "origin",
    ["null", "file://", "http://evil.example", "http://localhost:1234", "http://localhost",
     "http://127.0.0.1:8501", "http://LOCALHOST:8501", "ftp://localhost:8501", "",
     "http://localhost:8501.evil.example", "http://x@localhost:8501", "http://localhost:8501/"],
)  # fmt: skip
def test_only_the_page_of_this_very_address_may_ask(options, origin):
    assert is_ours(HERE)
    assert is_ours(HERE, f"https://{HERE}")  # behind a proxy that speaks TLS
    assert not is_ours(HERE, origin)
    assert not is_ours(HERE, f"http://{HERE}", origin)


def test_a_host_is_named_once():
    assert not guard.is_ours(Headers(raw=headers()))
    assert not guard.is_ours(Headers(raw=[*headers(host=HERE), *headers(host=HERE)]))


def test_an_open_server_answers_under_addresses_and_the_name_of_its_machine(options, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Desk")
    options["server.address"] = "0.0.0.0"
    for host in ("10.0.0.7:8501", "[fe80::1]", "localhost", "desk:8501", "desk.local"):
        assert is_ours(host), host
    for host in ("evil.example", "desk.evil.example", "10.0.0.7.evil.example"):
        assert not is_ours(host), host


def test_named_hosts_are_all_there_are(options):
    options["server.allowedHosts"] = ["Mips.example.org", "*.lab.example"]
    assert is_ours("mips.example.org", "https://mips.example.org")
    assert is_ours("a.lab.example:8443")
    assert not is_ours("localhost")
    assert not is_ours("lab.example")
    assert not is_ours("mips.example.org", "https://a.lab.example")


def test_what_is_foreign_is_told_why_and_never_reaches_the_app(options):
    start, body = ask(guard.Guard(app), host="evil.example")
    assert start["status"] == 403
    assert b"http://localhost:8501" in body["body"]
    assert b"docs/security.md" in body["body"]
    assert (ROOT / "docs/security.md").is_file()
    refused = ask(guard.Guard(app), "websocket", origin="null")
    assert refused == [{"type": "websocket.close", "code": 1008}]


def test_all_answers_bind_the_browser(options):
    for said in ({}, {"host": "evil.example"}):
        start, _ = ask(guard.Guard(app), **said)
        got = Headers(raw=start["headers"])
        assert "default-src 'none'" in got["content-security-policy"]
        assert "frame-ancestors 'self'" in got["content-security-policy"]
        assert got["x-content-type-options"] == "nosniff"
        assert got["referrer-policy"] == "same-origin"
    scripts = re.search("script-src ([^;]*)", guard.headers_of_all()["Content-Security-Policy"])
    assert "unsafe-inline" not in scripts[1]
    assert "'unsafe-eval'" not in scripts[1]
    assert "'sha256-" in scripts[1]


def test_who_is_here_is_not_told(options):
    for path in ("/_stcore/metrics", "/base/_stcore/metrics"):
        assert ask(guard.Guard(app), path=path)[0]["status"] == 404


def test_a_full_server_says_so_until_somebody_leaves(options, monkeypatch):
    monkeypatch.setattr(guard, "MAX_VISITORS", 1)
    while_one_is_here = []

    async def visited(scope, receive, send):
        if scope["type"] == "websocket":
            loop = asyncio.get_running_loop()
            for kind, said in (("http", {"accept": "text/html"}), ("websocket", {}), ("http", {})):
                asked = loop.run_in_executor(None, lambda k=kind, s=said: ask(guarded, k, **s))
                while_one_is_here.append(await asked)
        await app(scope, receive, send)

    guarded = guard.Guard(visited)
    assert ask(guarded, "websocket")[0]["type"] == "websocket.accept"
    page, socket_, file = while_one_is_here
    assert page[0]["status"] == socket_[0]["status"] == 503
    assert socket_[0]["type"] == "websocket.http.response.start"
    assert b"MIPS Explorer is full" in page[1]["body"]
    assert file[0]["status"] == 200  # of the page that is open
    assert ask(guarded, accept="text/html")[0]["status"] == 200


@pytest.mark.skipif(guard.resource is None, reason="no descriptors are counted here")
def test_descriptors_are_asked_for_and_some_are_kept_back(monkeypatch, options):
    resource = guard.resource
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        guard.raise_descriptors()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, guard.MAX_DESCRIPTORS)
        assert guard.descriptors_left()
        assert ask(guard.Guard(app), "websocket")[0]["type"] == "websocket.accept"
        monkeypatch.setattr(guard, "SPARE_DESCRIPTORS", guard.MAX_DESCRIPTORS)
        assert not guard.descriptors_left()
        assert ask(guard.Guard(app), "websocket")[0]["status"] == 503
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


LISTENER = """
import socket
ask = socket.getaddrinfo
def getaddrinfo(host, *more, **named):
    if host not in ("localhost", "127.0.0.1", None):
        with open({path!r}, "a") as file:
            file.write(f"{{host}}\\n")
        raise socket.gaierror("this test is alone in the world")
    return ask(host, *more, **named)
socket.getaddrinfo = getaddrinfo
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app, and the file in which it writes what other machines it would ask."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "sitecustomize.py").write_text(LISTENER.format(path=str(folder / "asked")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with Server(ROOT / "app.py", folder / "log.txt") as server:
            server.asked = folder / "asked"
            yield server


def status_of_socket(server, **said):
    try:
        with connect(f"ws://127.0.0.1:{server.port}/_stcore/stream", **said):
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


def test_a_foreign_page_neither_gets_in_nor_makes_the_server_ask_outside(server):
    own = f"http://127.0.0.1:{server.port}"
    assert [status_of_socket(server, origin=origin) for origin in (own, None)] == [101, 101]
    for origin in ("null", "file://", "http://evil.example", "http://localhost:1", own + "0"):
        assert status_of_socket(server, origin=origin) == 403, origin
        for path in ("", "_stcore/health", "blobs/x"):
            request = urllib.request.Request(f"{own}/{path}", headers={"Origin": origin})
            with pytest.raises(HTTPError, match="403"):
                urllib.request.urlopen(request)
    request = urllib.request.Request(own, headers={"Host": "evil.example.com"})
    with pytest.raises(HTTPError, match="403"):
        urllib.request.urlopen(request)
    with pytest.raises(HTTPError, match="404"):
        urllib.request.urlopen(f"{own}/_stcore/metrics")
    assert not server.asked.exists(), server.asked.read_text()


def test_no_other_site_shows_the_app_but_those_that_are_named(monkeypatch):
    monkeypatch.setenv(guard.FRAMED_BY, "https://huggingface.co https://a.example:8443")
    guard.headers_of_all.cache_clear()
    rules = guard.headers_of_all()["Content-Security-Policy"]
    guard.headers_of_all.cache_clear()
    assert "frame-ancestors 'self' https://huggingface.co https://a.example:8443" in rules
    assert guard.framed_by({}) == []
    for site in ("*", "http://huggingface.co", "https://*.co", "https://a.b; script-src *", "a.b"):
        with pytest.raises(ParamError, match="MIPS_FRAMED_BY names"):
            guard.framed_by({guard.FRAMED_BY: site})
