"""Drives a Streamlit app in Chromium: a server in its own process group, and a page that listens.

Everything stays on this machine: a request to another host fails the test, as do script
exceptions, console errors, uncaught JavaScript errors and failed requests.
"""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import TimeoutError as NotInTime

ROOT = Path(__file__).parents[2]
FLAGS = [
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--hide-scrollbars", "--force-device-scale-factor=1"),
    *("--disable-gpu", "--enable-unsafe-swiftshader"),  # GL is there for pages that ask for it
]
FEW = "method=flat-kmeans&method=pca-tree"  # so that little is measured beside a test
# On a deep link Streamlit looks for itself below the page first. These two answers are expected.
KNOWN_404 = re.compile(r"/[^/_]+/_stcore/(health|host-config)$")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """`streamlit run` of one script on a free port; a context manager."""

    def __init__(self, script, log, **options):
        self.script, self.log_path, self.options = script, Path(log), options
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        options = {
            **{"server.port": self.port, "server.address": "127.0.0.1", "server.headless": "true"},
            **{"server.fileWatcherType": "none", "server.showEmailPrompt": "false"},
            **self.options,
        }
        flags = [f"--{name}={value}" for name, value in options.items()]
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        own = {"PYTHONPATH": path, "MIPS_EXPLORER_CACHE": str(self.log_path.parent / "cache")}
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(self.script), *flags],
                **{"cwd": ROOT, "env": os.environ | own},
                **{"stdout": log, "stderr": subprocess.STDOUT, "start_new_session": True},
            )
        self._wait()
        return self

    def _wait(self, seconds=60):
        deadline, health = time.monotonic() + seconds, f"{self.url}/_stcore/health"
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError), urllib.request.urlopen(health, timeout=1) as answer:
                if answer.status == 200:
                    return
            time.sleep(0.05)
        log = self.log()
        self.__exit__()
        raise RuntimeError(f"{self.script} did not start:\n{log}")

    def __exit__(self, *_):
        for sign in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, sign)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(8)
                return

    def kill(self):
        """End it without a warning, as a crash or a lack of power would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def log(self):
        return self.log_path.read_text(errors="replace")


STATE = """document.querySelector('[data-testid="stApp"]').dataset.testConnectionState"""
# A run may be followed by another (rerun, fragment), so idle means: calm for `quiet` ms on end.
IDLE = """
async ([timeout, quiet]) => {
  const start = performance.now()
  let calm = null
  while (performance.now() - start < timeout) {
    const app = document.querySelector('[data-testid="stApp"]')
    const idle = app?.dataset.testConnectionState === "CONNECTED"
      && app.dataset.testScriptState === "notRunning"
      && !document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]')
    const now = performance.now()
    if (!idle) calm = null
    else if ((calm ??= now) <= now - quiet) return true
    await new Promise((done) => setTimeout(done, 20))
  }
  return false
}
"""
LOOKED_AGAIN = """
(timeout) => new Promise((done) => {
  const app = document.querySelector('[data-testid="stApp"]')
  let began = false
  const watch = new MutationObserver(() => {
    if (app.dataset.testScriptState === "running") began = true
    else if (began) end()
  })
  const end = () => { watch.disconnect(); clearTimeout(late); done() }
  const late = setTimeout(end, timeout)
  watch.observe(app, { attributeFilter: ["data-test-script-state"] })
})
"""
# Plotly keeps its figure on the node; typed arrays need to become lists on their way here.
FIGURES = """
() => [...document.querySelectorAll(".js-plotly-plot")].filter((plot) => plot._fullLayout)
  .map((plot) => ({
    width: plot._fullLayout.width,
    font: plot._fullLayout.font.color,
    x: plot._fullLayout.xaxis?.range,
    annotations: plot._fullLayout.annotations?.map((note) => note.text),
    traces: plot._fullData.map((trace) => ({
      name: trace.name, type: trace.type, mode: trace.mode, group: trace._input.legendgroup,
      visible: trace.visible, color: trace.line?.color, width: trace.line?.width,
      x: Array.from(trace.x ?? []), y: Array.from(trace.y ?? []),
    })),
  }))
"""


class AppPage:
    """One browser page on the app, and all that went wrong in it."""

    def __init__(self, page, url):
        self.page, self.url = page, url
        self.faults = []
        self.listeners = {
            "console": self._console,
            "pageerror": self._uncaught,
            "request": self._request,
            "requestfailed": self._failed,
            "response": self._response,
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def stop_listening(self):
        """Leave the page to whoever has it next."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)

    def _console(self, message):
        known = KNOWN_404.search(message.location.get("url", ""))
        if message.type == "error" and not known:
            self.faults.append(f"console: {message.text}")

    def _uncaught(self, error):
        self.faults.append(f"uncaught: {error}")

    def _request(self, request):
        if not request.url.startswith((self.url, "blob:", "data:", self.url.replace("http", "ws"))):
            self.faults.append(f"left this machine: {request.url}")

    def _failed(self, request):
        if "ERR_ABORTED" not in (request.failure or ""):  # a page that was left
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _response(self, response):
        if response.status >= 400 and not KNOWN_404.search(response.url):
            self.faults.append(f"{response.status}: {response.url}")

    def goto(self, path=""):
        """Open a page; with few methods compared, where the path says nothing of them."""
        if "method=" not in path:
            path += ("&" if "?" in path else "?") + FEW
        self.page.goto(f"{self.url}/{path}", wait_until="domcontentloaded")
        self.page.wait_for_selector('[data-testid="stApp"]', timeout=60_000)
        self.idle()

    def idle(self, seconds=60, quiet=250):
        assert self.page.evaluate(IDLE, [1000 * seconds, quiet]), "the app did not come to rest"

    def restart(self, server):
        """Kill the server and start it again; wait until the page has found it."""
        server.kill()
        self.until(lambda: self.page.evaluate(STATE), lambda state: state != "CONNECTED")
        server.__enter__()
        self.until(lambda: self.page.evaluate(STATE), "CONNECTED", seconds=60)
        self.idle()
        self.faults.clear()  # nobody answered meanwhile

    def until(self, read, wanted=bool, seconds=20):
        """Wait until read() gives `wanted`, a value or a test of one; returns what it gave.

        The way to see what an action leads to: the server, the next frame or Plotly answer in
        their own time, and on a busy machine even `idle` may come before a press was heard.
        """
        fits = wanted if callable(wanted) else lambda value: value == wanted
        deadline = time.monotonic() + seconds
        while not fits(value := read()):
            late = time.monotonic() > deadline
            assert not late, f"waited {seconds} s for {wanted!r}, last there was {value!r}"
            self.page.wait_for_timeout(50)
        return value

    def looked_again(self, seconds=6):
        """Wait until a run has begun and ended by itself; a page with nothing to come has none."""
        self.page.evaluate(LOOKED_AGAIN, 1000 * seconds)

    def press(self, button, appears, tries=5):
        """Press until it was heard: a button that is drawn anew at that moment does not hear it."""
        for _ in range(tries):
            if appears.count() == 0 and button.count():
                button.click()
            try:
                appears.first.wait_for(timeout=8_000)
            except NotInTime:
                continue
            return
        appears.first.wait_for()

    def download(self, button, tries=4):
        """What a button gives; pressed again where it was just drawn anew and heard nothing."""
        if isinstance(button, str):
            button = self.page.get_by_role("button", name=button, exact=True)
        self.idle()
        for _ in range(tries - 1):
            with contextlib.suppress(NotInTime):
                with self.page.expect_download(timeout=20_000) as coming:
                    button.click(timeout=20_000)
                return coming.value
        with self.page.expect_download() as coming:
            button.click()
        return coming.value

    def frame(self):
        """Wait for the next frame, in which the browser draws what an input event changed."""
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def drawn(self, plots=1):
        """Wait for that many Plotly plots."""
        self.until(lambda: len(self.figures()), lambda count: count >= plots, seconds=60)

    def figures(self):
        return self.page.evaluate(FIGURES)

    def exceptions(self):
        return self.page.locator('[data-testid="stException"]').all_inner_texts()

    def overflows(self):
        """Whether the page scrolls sideways."""
        return self.page.evaluate(
            "() => [document.documentElement, document.querySelector('[data-testid=\"stMain\"]')]"
            ".some((node) => node && node.scrollWidth > node.clientWidth + 1)"
        )

    def drag(self, label, start, end, moves=40, pause=0):
        """Drag a range input with the pointer, from and to a share of its track.

        Each move is drawn before the next is made, `pause` ms later.
        """
        box = self.page.get_by_label(label, exact=True).bounding_box()
        places = [start + (end - start) * i / moves for i in range(moves + 1)]
        across = [box["x"] + 10 + (box["width"] - 20) * place for place in places]
        middle = box["y"] + 18
        self.page.mouse.move(across[0], middle)
        self.page.mouse.down()
        for x in across[1:]:
            self.page.mouse.move(x, middle)
            self.frame()
            self.page.wait_for_timeout(pause)
        self.page.mouse.up()

    def shot(self, path, full=False):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(path), full_page=full)

    def assert_clean(self):
        offered = self.page.locator(".modebar-btn[data-title^=Share]").count()
        found = [*self.exceptions(), *self.faults, *["a chart offers to upload itself"] * offered]
        assert not found, "\n".join(found)
