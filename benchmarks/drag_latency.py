"""How long after a pointer move the picture has changed: input event to painted frame, in ms.

Run `python -m benchmarks.drag_latency`. It starts the element's demo app, drags the probes slider
(the point moves) and the clusters slider (the curves are redrawn) in Chromium, and prints p50 and
p95. `--throttle 4` slows the browser's processor down by that factor.
"""

import argparse
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.e2e.harness import FLAGS, ROOT, AppPage, Server, chromium_path

# From the event's own time stamp, when the browser got the move, to the task after the frame in
# which the element changed. One sample an element's redraw, as several moves may share a frame.
WATCH = """
() => {
  window.samples = []
  let since = null
  const root = document.querySelector(".mx-live")
  root.addEventListener("input", (event) => { since ??= event.timeStamp }, true)
  new MutationObserver(() => {
    if (since === null) return
    const start = since
    since = null
    const channel = new MessageChannel()
    channel.port1.onmessage = () => window.samples.push(performance.now() - start)
    channel.port2.postMessage(null) // the change is made in a frame, and painted before this comes
  }).observe(root, { attributeFilter: ["data-draws"] })
}
"""


def measure(app: AppPage, label: str, places: list[float], moves: int) -> np.ndarray:
    """Samples of drags from place to place on a slider, in shares of its track."""
    app.page.evaluate("() => { window.samples = [] }")
    for start, end in pairwise(places):
        app.drag(label, start, end, moves=moves, pause=25)
        app.idle()
    return np.array(app.page.evaluate("() => window.samples"))


def report(name: str, samples: np.ndarray) -> None:
    """One line of figures."""
    half, most = np.percentile(samples, [50, 95])
    print(f"{name:28} p50 {half:6.1f}  p95 {most:6.1f}  ({len(samples)} redraws)")


def run(throttle: float) -> None:
    """Measure both sliders on the demo app."""
    log = Path(tempfile.mkdtemp()) / "log.txt"
    with Server(ROOT / "tests/e2e/element_app.py", log) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        app = AppPage(page, server.url)
        app.goto()
        app.drawn(3)
        if throttle > 1:
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        page.evaluate(WATCH)
        measure(app, "Probes", [0.07, 0.5], 10)  # warm
        report("probes: the point moves", measure(app, "Probes", [0.5, 0.02, 0.5], 60))
        report("clusters: curves redrawn", measure(app, "Clusters", [0.5, 0, 0.75, 0, 0.75], 20))
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throttle", type=float, default=1)
    run(parser.parse_args().throttle)
