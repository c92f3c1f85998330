"""Pictures of the pages for docs/tour.md: `python -m benchmarks.tour`.

The app is started, opened in Chromium on the shipped data, and each page is taken when it has come
to rest and nothing is measured any more. Needs a Chromium.
"""

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks.app_speed import UNDER_WAY
from tests.e2e.chromium import chromium_path
from tests.e2e.harness import FLAGS, ROOT, AppPage, Server

FOLDER = ROOT / "docs/pictures"
SIZE = {"width": 1280, "height": 800}
COLOURS = 192  # of a picture: nothing is lost that an eye sees, and files are a third as large
CANCEL = "button:text-is('Cancel')"  # where the page itself says what it does
PATIENCE = 300  # seconds for what a page measures


def press(name: str) -> Callable[[Page], None]:
    """Press the button `name`."""
    return lambda page: page.get_by_role("button", name=name, exact=True).first.click()


def nothing(page: Page) -> None:
    """The page as it opens."""


@dataclass(frozen=True)
class Stop:
    """One picture of the tour."""

    name: str  # of the file
    address: str
    act: Callable[[Page], None] = nothing
    seconds: float = 1.0  # that a picture may still move: a map that turns up


STOPS = (
    Stop("home", ""),
    Stop("data", "data"),
    Stop("build", "build", press("Build")),
    Stop("trade-off", "trade-off"),
    Stop("robustness", "robustness"),
    Stop("tune", "tune", press("Find the cheapest setting")),
    Stop("compare", "compare"),
    Stop("search", "search"),
    Stop("map", "map", seconds=4),
    Stop("report", "report"),
    Stop("learn", "learn"),
    Stop("methods", "methods"),
    Stop("paper", "paper", press("Measure")),
)


def at_rest(app: AppPage) -> None:
    """Wait until nothing is drawn or measured any more."""
    deadline = time.monotonic() + PATIENCE
    calm = 0
    while calm < 3:
        if time.monotonic() > deadline:
            raise click.ClickException(f"{app.page.url} did not come to rest")
        app.idle()
        calm = 0 if app.page.locator(f"{UNDER_WAY}, {CANCEL}").count() else calm + 1
        time.sleep(1)


def picture(png: bytes) -> Image.Image:
    """A screenshot with few colours."""
    return Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)


def take(app: AppPage, stop: Stop) -> bytes:
    """A picture of one stop."""
    app.page.goto(f"{app.url}/{stop.address}", wait_until="domcontentloaded")
    app.page.wait_for_selector('[data-testid="stApp"]', timeout=60_000)
    at_rest(app)
    stop.act(app.page)
    time.sleep(1)
    at_rest(app)
    time.sleep(stop.seconds)
    return app.page.screenshot()


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice([stop.name for stop in STOPS]))
@click.option("--into", type=click.Path(path_type=Path), default=FOLDER, help="Folder for them.")
def main(names: Sequence[str], into: Path) -> None:
    """Take the pictures named, or all."""
    into.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        with Server(ROOT / "app.py", Path(folder) / "log") as server:
            app = AppPage(browser.new_page(viewport=SIZE, color_scheme="light"), server.url)
            for stop in STOPS:
                if not names or stop.name in names:
                    path = into / f"{stop.name}.png"
                    picture(take(app, stop)).save(path, optimize=True)
                    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)
        browser.close()
    if app.faults:
        raise click.ClickException("\n".join(app.faults))


if __name__ == "__main__":
    main()
