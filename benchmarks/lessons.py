"""Lessons in Chromium: `python -m benchmarks.lessons drags [NAME ...]`, or `stills [NAME ...]`.

`drags` times what is dragged in each lesson, from the pointer's move to the painted frame, on a
page of 1280 x 800 and in presenter mode at 1920 x 1080. `stills` draws the small pictures of the
contents page anew, from the lessons themselves, into pages/learn.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
from playwright.sync_api import sync_playwright

from pages._ui.elements import serve
from pages._ui.parts.lesson.course import FOLDER, lessons
from tests.e2e.chromium import chromium_path
from tests.e2e.harness import FLAGS, ROOT, AppPage, Server

SHOWN = "(number) => document.querySelector('.mx-learn')?.dataset.lesson === String(number)"
STILL = "async (address) => (await import(new URL(address, location.href).href)).still()"
TARGET = 50  # ms, at the 95th percentile
# From the event's own time stamp to the task after the frame in which the lesson was drawn. Of a
# slider what it enters is heard: on one with steps, most moves of the pointer change nothing.
WATCH = """
(kind) => {
  window.samples = []
  let since = null
  const root = document.querySelector(".mx-learn")
  root.addEventListener(kind, ({ buttons, timeStamp }) => {
    if (buttons || kind === "input") since ??= timeStamp
  }, true)
  new MutationObserver(() => {
    if (since === null) return
    const start = since
    since = null
    const channel = new MessageChannel()
    channel.port1.onmessage = () => window.samples.push(performance.now() - start)
    channel.port2.postMessage(null)
  }).observe(root, { attributeFilter: ["data-draws"] })
}
"""
VIEWS = {"page": ((1280, 800), ""), "presenter": ((1920, 1080), ":step=1")}


@contextmanager
def opened(size: tuple[int, int]) -> Iterator[AppPage]:
    """The app in a page of this size."""
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        with Server(ROOT / "app.py", Path(folder) / "log.txt") as server:
            width, height = size
            context = browser.new_context(viewport={"width": width, "height": height})
            yield AppPage(context.new_page(), server.url)
            browser.close()


def show(app: AppPage, place: str, number: int) -> None:
    """Open a place of the course."""
    app.goto(f"learn?learn={place}")
    app.until(lambda: app.page.evaluate(SHOWN, number), seconds=120)
    app.idle()


def drag(app: AppPage, moves: int = 80) -> list[float]:
    """Milliseconds from each move to its frame: of the handle, or of the first slider."""
    handle, slider = (app.page.locator(f".mx-learn {kind}") for kind in (".mx-handle", ".mx-range"))
    app.page.evaluate(WATCH, "pointermove" if handle.count() else "input")
    box = (handle if handle.count() else slider).first.bounding_box()
    assert box is not None
    start, middle = (box["x"] + 10, box["y"] + box["height"] / 2)
    if handle.count():
        start = box["x"] + box["width"] / 2
    app.page.mouse.move(start, middle)
    app.page.mouse.down()
    for i in range(1, moves + 1):
        across = (box["width"] - 20) * i / moves if not handle.count() else 2.5 * i
        app.page.mouse.move(start + across, middle + 1.5 * i * bool(handle.count()))
        app.frame()
        app.page.wait_for_timeout(20)
    app.page.mouse.up()
    samples: list[float] = app.page.evaluate("() => window.samples")
    return samples


@click.group(help=__doc__)
def main() -> None:
    """Choose what to do."""


@main.command()
@click.argument("names", nargs=-1, type=click.Choice(list(lessons())))
def drags(names: Sequence[str]) -> None:
    """Time the drags."""
    print(f"{'ms from a move to its frame':40}{'median':>8}{'p95':>8}{'frames':>8}")
    for view, (size, step) in VIEWS.items():
        with opened(size) as app:
            for name in names or lessons():
                number = lessons()[name].number
                show(app, f"{number}{step}", number)
                drag(app, 10)  # warm
                times = drag(app)
                p95 = np.percentile(times, 95)
                late = "" if p95 <= TARGET else f"  above {TARGET}"
                text = f"{number}. {name}, {view}"
                print(f"{text:40}{np.median(times):8.0f}{p95:8.0f}{len(times):8}{late}", flush=True)


@main.command()
@click.argument("names", nargs=-1, type=click.Choice(list(lessons())))
def stills(names: Sequence[str]) -> None:
    """Draw the small pictures."""
    with opened((1280, 800)) as app:
        for name in names or lessons():
            number = lessons()[name].number
            show(app, str(number), number)
            drawn = app.page.evaluate(STILL, f"{serve.address()}learn_still.js")
            path = FOLDER / f"{name}.svg"
            path.write_text(drawn)
            print(f"{path.name}: {len(drawn):,} characters")


if __name__ == "__main__":
    main()
