"""Neither the server nor the browser asks another machine for anything, on any page.

Both are told of a proxy that notes who comes to it, and each Python process that the server starts
notes what it connects to and which names it looks up.
"""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Thread

import pytest
from playwright.sync_api import Error

from tests.e2e.harness import ROOT, AppPage, Server

pytestmark = pytest.mark.browser
OWN = "content-autofill.googleapis.com"  # asked by Chromium about any page that has a form
GUARD = """
import os, sys

def watch(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        asked = given[1] if event == "socket.connect" else given
        host = asked[0] if isinstance(asked, tuple) else ""  # a path, of a socket of this machine
        if host not in ("", None, "127.0.0.1", "::1", "localhost", "0.0.0.0", "::"):
            with open(os.environ["ASKED"], "a") as log:
                log.write(f"{event} {host}\\n")

sys.addaudithook(watch)
"""
ASKS_OTHERS = """
import socket, urllib.request
for ask in (
    lambda: urllib.request.urlopen("http://proxy.example/x", timeout=5),
    lambda: socket.getaddrinfo("name.example", 9, flags=socket.AI_NUMERICHOST),
    lambda: (one := socket.socket(), one.setblocking(False), one.connect(("192.0.2.1", 9))),
):
    try:
        ask()
    except OSError:
        pass
"""


class Proxy:
    """Takes every connection, notes what it asks for, and answers nothing."""

    def __init__(self):
        self.asked = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        Thread(target=self._take, daemon=True).start()

    def _take(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.settimeout(5)
                self.asked.append(connection.recv(200).split(b"\r\n")[0].decode("latin-1"))


@pytest.fixture
def proxy(monkeypatch, tmp_path):
    """One that all are told of, with the guard in every Python that is started."""
    proxy = Proxy()
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "guard"))
    monkeypatch.setenv("ASKED", str(tmp_path / "asked.txt"))
    (tmp_path / "asked.txt").touch()
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        for variable in (name, name.lower()):
            monkeypatch.setenv(variable, proxy.url)
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(variable, "127.0.0.1,localhost")
    yield proxy
    proxy.socket.close()


def asked(tmp_path):
    return (tmp_path / "asked.txt").read_text().splitlines()


def test_what_a_process_asks_would_be_seen(proxy, tmp_path):
    subprocess.run([sys.executable, "-c", ASKS_OTHERS], check=True, env=os.environ)
    assert proxy.asked == ["GET http://proxy.example/x HTTP/1.1"]
    assert asked(tmp_path) == ["socket.getaddrinfo name.example", "socket.connect 192.0.2.1"]


def test_no_page_asks_another_machine_and_what_one_asks_would_be_seen(browser, proxy, tmp_path):
    with Server(ROOT / "app.py", tmp_path / "log.txt") as server:
        to_proxy = {"server": proxy.url, "bypass": "127.0.0.1"}
        context = browser.new_context(proxy=to_proxy, viewport={"width": 1280, "height": 1200})
        app = AppPage(context.new_page(), server.url)
        app.goto("?method=none&index=flat-kmeans:n_clusters=31")
        links = app.page.locator('[data-testid="stSidebarNav"] a')
        pages = links.all_inner_texts()
        assert {"Data", "Map", "Report", "Learn", "Guide"} < set(pages)
        for number, name in enumerate(pages):
            links.nth(number).click()
            app.until(app.page.title, lambda title, name=name: title.startswith(f"{name} · "))
            app.idle()
            if name == "Data":  # sets that others publish are listed, and not asked for
                app.page.get_by_text("Published", exact=True).click()
                app.page.get_by_role("button", name="Fetch").wait_for()
                app.idle()
        app.assert_clean()
        assert ([ask for ask in proxy.asked if OWN not in ask], asked(tmp_path)) == ([], [])
        with suppress(Error):
            app.page.goto("http://page.example/x")
        assert "GET http://page.example/x HTTP/1.1" in proxy.asked
        context.close()
