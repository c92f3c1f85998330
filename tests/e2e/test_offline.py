"""A browser that loses the network for a while: it comes back to the same session by itself."""

import socket
from contextlib import suppress
from threading import Thread

import pytest

from tests.e2e.harness import ROOT, STATE, AppPage
from tests.e2e.test_live import sentence, take_answers

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser


class Line:
    """A way to the server that can be cut: what Chromium calls offline spares open WebSockets."""

    def __init__(self, port):
        self.port, self.whole, self.ends = port, True, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        Thread(target=self._take, daemon=True).start()

    def _take(self):
        with suppress(OSError):
            while True:
                near, _ = self.socket.accept()
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.port))
                self.ends += [near, far]
                for pair in ((near, far), (far, near)):
                    Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, one, other):
        with suppress(OSError):
            while sent := one.recv(65_536):
                other.sendall(sent)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.whole = False
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def test_who_was_offline_goes_on_where_they_were(browser, server):
    line = Line(server.port)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    app = AppPage(context.new_page(), line.url)
    state = lambda: app.page.evaluate(STATE)  # noqa: E731
    app.goto("?index=flat-kmeans:n_clusters=31&method=none")
    take_answers(app, 10, 1)
    context.set_offline(True)
    line.cut()
    app.until(state, lambda now: now != "CONNECTED")
    context.set_offline(False)
    line.whole = True
    app.until(state, "CONNECTED", seconds=60)
    app.idle()
    assert "of the true top 1 with" in sentence(app)
    take_answers(app, 1, 100)
    app.faults.clear()  # nobody answered meanwhile
    app.assert_clean()
    context.close()
    line.socket.close()
