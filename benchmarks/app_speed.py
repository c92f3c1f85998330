"""How soon the app answers a person: `python -m benchmarks.app_speed`.

In Chromium, in one run: from starting the server to the first curve, with nothing compiled and
with numba's cache as such a start leaves it; from a click in the sidebar to the page, first and
second visit; from a pointer move to the painted frame. Beside the start stands that of an empty
Streamlit app: what lies between them is ours. Every start has a server and a browser context of
its own; imports are timed in processes of their own. Seconds by the clock, unless they are called
seconds of processor time, which a busy machine stretches less.
"""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.machine import machine, made_on
from benchmarks.pages import FILE, app_page
from tests.e2e.chromium import chromium_path
from tests.e2e.harness import FLAGS, ROOT, AppPage, Server

CURVE = "() => Number(document.querySelector('.mx-live')?.dataset.precision) > 0"
BARE = "() => document.body.innerText.includes('Nothing here')"
BARE_APP = "import streamlit as st\nst.write('Nothing here')\n"
UNDER_WAY = '.st-key-context [data-testid="stPageLink"]'  # in the line over every page
IMPORTS = {
    "import mips_core": "import mips_core",
    "import of every method": "from mips_core import INDEXES",
    "first search in a new process": """
import numpy as np
from mips_core import INDEXES, rng_for, search
X = np.random.default_rng(0).normal(size=(1000, 16)).astype(np.float32)
index = INDEXES["flat-kmeans"]()
search(index.searcher(index.build(X, rng_for(0))), X, X[:5], 10, 3)
""",
}
TARGETS = {  # seconds
    "import mips_core": 0.5,
    "our own work before the first curve, warm": 1.5,
    "page change": 0.3,
    "drag": 0.05,
}
# A page is there when the sidebar says so, its script has run and nothing on it is of the last
# page. Timed from the press to the first moment that was followed by 100 ms of such calm.
VISIT = """
async ([label, seconds]) => {
  const links = [...document.querySelectorAll('[data-testid="stSidebarNav"] a')]
  const link = links.find((one) => one.innerText.trim() === label)
  const began = performance.now()
  link.click()
  let calm = null
  while (performance.now() - began < 1000 * seconds) {
    const app = document.querySelector('[data-testid="stApp"]')
    const there = link.getAttribute("aria-current") === "page"
      && app.dataset.testScriptState === "notRunning"
      && !document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]')
    const now = performance.now()
    if (!there) calm = null
    else if ((calm ??= now) <= now - 100) return (calm - began) / 1000
    await new Promise((done) => setTimeout(done, 5))
  }
  return null
}
"""
# From the event's own time stamp, when the browser got the move, to the task after the frame in
# which the element changed. One sample a redraw, as several moves may share a frame.
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
    channel.port1.onmessage = () => window.samples.push((performance.now() - start) / 1000)
    channel.port2.postMessage(null) // the change is made in a frame, and painted before this comes
  }).observe(root, { attributeFilter: ["data-draws"] })
}
"""
DRAGS = {  # slider: what it does, and the places it is dragged to, in shares of its track
    "Probes": ("the point moves", (0.5, 0.02, 0.5)),
    "Clusters": ("the curves are redrawn", (0.5, 0.0, 0.75, 0.0, 0.75)),
}


@dataclass
class Times:
    """Seconds measured, by what was done, in the order it was first done."""

    taken: dict[str, list[float]] = field(default_factory=dict)

    def add(self, work: str, *seconds: float) -> None:
        """Note `seconds` for `work`."""
        self.taken.setdefault(work, []).extend(seconds)

    def rows(self) -> list[dict[str, Any]]:
        """One a work: median, 95th percentile, range, number of samples, and its target."""
        return [
            {
                "work": work,
                "median_s": float(np.median(seconds)),
                "p95_s": float(np.percentile(seconds, 95)),
                "least_s": min(seconds),
                "most_s": max(seconds),
                "samples": len(seconds),
                "target_s": target_of(work),
            }
            for work, seconds in self.taken.items()
        ]


def target_of(work: str) -> float | None:
    """What `work` should take at most; for a drag, at the 95th percentile."""
    found = (seconds for name, seconds in TARGETS.items() if work.startswith(name))
    return next(found, None)


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Variables for the processes started within it."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def import_times(times: Times, rounds: int) -> None:
    """Each of IMPORTS in new processes, after one that is not counted."""
    for work, code in IMPORTS.items():
        timed = (
            f"import time\nbegan = time.perf_counter()\n{code}\nprint(time.perf_counter()-began)"
        )
        for number in range(rounds + 1):
            done = subprocess.run(
                [sys.executable, "-c", timed], cwd=ROOT, stdout=subprocess.PIPE, check=True
            )
            if number:
                times.add(work, float(done.stdout))


def processor_seconds(process: int) -> float:
    """What a running process has used so far (Linux); children apart; NaN where it is not told."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Start:
    """What a start took, in seconds."""

    answered: float  # until the server answered
    shown: float  # until the picture, or the text, was on screen
    server: float  # processor time of the server until then


@contextmanager
def started(browser: Browser, script: Path, seen: str) -> Iterator[tuple[AppPage, Start]]:
    """A new server and a new browser context, when the script `seen` in the page says yes."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    page = context.new_page()
    began = time.perf_counter()
    with TemporaryDirectory() as folder, Server(script, Path(folder) / "log.txt") as server:
        answered = time.perf_counter() - began
        page.goto(server.url)
        page.wait_for_function(seen, timeout=600_000)
        shown = time.perf_counter() - began
        spent = processor_seconds(server.process.pid)
        yield AppPage(page, server.url), Start(answered, shown, spent)
        context.close()


def note_start(times: Times, start: Start, bare: Start, state: str) -> None:
    """What a start of the app took, and how much of it an empty app does not take."""
    times.add(f"server answers, {state}", start.answered)
    times.add(f"first curve on screen, {state}", start.shown)
    times.add(f"beyond an empty app, {state}", start.shown - bare.shown)
    times.add(f"processor time of the server, {state}", start.server)
    times.add(f"our own work before the first curve, {state}", start.server - bare.server)


def say(what: str) -> None:
    """Tell whoever waits how far it is."""
    click.echo(what, err=True)


def calm(app: AppPage) -> None:
    """Wait until nothing is computed for this visitor, and the page is at rest."""
    app.looked_again()  # most is asked for at the second look
    app.page.wait_for_selector(UNDER_WAY, state="detached", timeout=600_000)
    app.idle()


def visit_pages(page: AppPage, times: Times, labels: Sequence[str], visit: str) -> None:
    """Go from page to page by the sidebar, each at rest before the next."""
    for label in labels:
        seconds = page.page.evaluate(VISIT, [label, 120])
        assert seconds is not None, f"{label} did not come"
        times.add(f"page change, {visit}: {label}", seconds)
        say(f"{label}, {visit}")
        calm(page)


def page_labels(page: Page) -> list[str]:
    """The pages in the sidebar, the first one last: a visit begins there."""
    links = page.locator('[data-testid="stSidebarNav"] a').all_inner_texts()
    names = [text.strip() for text in links]
    return [*names[1:], names[0]]


def drag(app: AppPage, times: Times, where: str, moves: int) -> None:
    """Drag both sliders of the live curve on the page that is open."""
    app.page.evaluate(WATCH)
    for label, (what, places) in DRAGS.items():
        app.drag(label, 0.07, places[0], moves=5, pause=25)  # warm
        app.idle()
        app.page.evaluate("() => { window.samples = [] }")
        for start, end in pairwise(places):
            app.drag(label, start, end, moves=moves, pause=25)
            app.idle()
        times.add(f"drag, {where}, {label}: {what}", *app.page.evaluate("() => window.samples"))


def cold_starts(browser: Browser, times: Times, bare: Path, caches: Sequence[Path]) -> None:
    """Starts with an empty numba cache each. In the last, every page compiles what it needs."""
    for number, cache in enumerate(caches, 1):
        say(f"cold start {number} of {len(caches)}")
        with environment(NUMBA_CACHE_DIR=str(cache)):
            with started(browser, bare, BARE) as (_, empty):
                pass
            with started(browser, ROOT / "app.py", CURVE) as (app, start):
                note_start(times, start, empty, "cold")
                if number == len(caches):
                    calm(app)
                    visit_pages(app, Times(), page_labels(app.page), "not counted")


def warm_round(browser: Browser, times: Times, bare: Path) -> None:
    """A start with numba's cache filled, every page twice, and drags on both live curves."""
    with started(browser, bare, BARE) as (_, empty):
        pass
    with started(browser, ROOT / "app.py", CURVE) as (app, start):
        note_start(times, start, empty, "warm")
        calm(app)
        labels = page_labels(app.page)
        for visit in ("first visit", "second visit"):
            visit_pages(app, times, labels, visit)
        drag(app, times, labels[-1], moves=30)
        visit_pages(app, Times(), ["Trade-off"], "not counted")
        drag(app, times, "Trade-off", moves=30)


def measure(rounds: int, cold: int) -> list[dict[str, Any]]:
    """The whole table: `cold` starts with nothing compiled, `rounds` of everything else.

    Both are 1 or more: a cold start leaves the cache that the others need. Python keeps the byte
    code of modules, as it does where nothing forbids it.
    """
    times = Times()
    with environment(PYTHONDONTWRITEBYTECODE=""):
        import_times(times, rounds)
        _in_browser(times, rounds, cold)
    return times.rows()


def _in_browser(times: Times, rounds: int, cold: int) -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        bare = Path(folder) / "empty_app.py"
        bare.write_text(BARE_APP)
        caches = [Path(folder) / f"compiled-{number}" for number in range(cold)]
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        cold_starts(browser, times, bare, caches)
        with environment(NUMBA_CACHE_DIR=str(caches[-1])):
            for number in range(1, rounds + 1):
                say(f"warm start {number} of {rounds}")
                warm_round(browser, times, bare)
        browser.close()


def show(rows: Sequence[dict[str, Any]]) -> None:
    """The table; times are given in ms below a second."""
    print(f"{'':56}{'median':>10}{'p95':>10}{'target':>10}{'samples':>9}")
    for row in rows:
        cells = (_text(row[name]) for name in ("median_s", "p95_s", "target_s"))
        print(f"{row['work']:56}{''.join(f'{cell:>10}' for cell in cells)}{row['samples']:9}")


def _text(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.2f} s" if abs(seconds) >= 1 else f"{1e3 * seconds:.0f} ms"


ONE_OR_MORE = click.IntRange(min=1)


@click.command(help=__doc__)
@click.option(
    "--rounds", type=ONE_OR_MORE, default=5, help="Warm starts, and rounds of everything else."
)
@click.option("--cold", type=ONE_OR_MORE, default=3, help="Starts with nothing compiled.")
@click.option("--json", "data", type=FILE, help="Write the table here.")
@click.option("--markdown", type=FILE, help="Write the page here.")
def main(rounds: int, cold: int, data: Path | None, markdown: Path | None) -> None:
    """Measure and print."""
    named = {name: version(name) for name in ("numpy", "numba", "streamlit", "playwright")}
    report: dict[str, Any] = {
        "machine": machine(),
        "versions": {"python": platform.python_version()} | named,
    }
    print(f"{made_on(report['machine'], report['versions'])}\n")
    report["rows"] = measure(rounds, cold)
    show(report["rows"])
    if data is not None:
        data.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if markdown is not None:
        markdown.write_text(app_page(report), encoding="utf-8")


if __name__ == "__main__":
    main()
