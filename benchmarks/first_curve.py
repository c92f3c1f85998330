"""Seconds from starting the app to the first curve on screen: `python -m benchmarks.first_curve`.

Starts the server, as `make run` does once everything is installed, opens the page in Chromium as
soon as the server answers, and waits until the live curve holds measured numbers. A new server and
a new browser context each time; numba's cache is as the last run left it.
"""

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.e2e.harness import FLAGS, ROOT, Server, chromium_path

ROUNDS = 5
READY = "() => Number(document.querySelector('.mx-live')?.dataset.precision) > 0"


def main() -> None:
    """Print medians and ranges."""
    answered, drawn = [], []
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for number in range(ROUNDS):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            began = time.perf_counter()
            with Server(ROOT / "app.py", Path(folder) / f"{number}.log") as server:
                answered.append(time.perf_counter() - began)
                page.goto(server.url)
                page.wait_for_function(READY, timeout=120_000)
                drawn.append(time.perf_counter() - began)
            context.close()
        browser.close()
    for name, values in (("server answers", answered), ("first curve on screen", drawn)):
        low, high = min(values), max(values)
        print(f"{name}: median {median(values):.2f} s ({low:.2f} to {high:.2f}, {ROUNDS} runs)")


if __name__ == "__main__":
    main()
