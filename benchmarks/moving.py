"""The moving picture on top of README.md: `python -m benchmarks.moving`.

A slider of Home is dragged, a lesson's search goes down its tree, and a search opens cluster after
cluster on the map: all on the shipped data, in Chromium, as a visitor would. Needs a Chromium.
"""

import io
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from PIL import Image
from playwright.sync_api import sync_playwright

from benchmarks.tour import FOLDER, PATIENCE, SIZE, at_rest
from tests.e2e.chromium import chromium_path
from tests.e2e.harness import FLAGS, ROOT, AppPage, Server

PICTURE = FOLDER / "moving.webp"
SHOWN = (896, 560)  # px of the picture: 7/10 of the page
MOST = 2_000_000  # bytes of the file
QUALITY = 78
MOVING, RESTING = 110, 1200  # ms that a frame stays while something moves, and once it rests
TURNS = 2  # seconds that the map takes to move to another view

Frame = tuple[Image.Image, int]  # and how many ms it stays


def taken(app: AppPage, stays: int = MOVING) -> Frame:
    """What the page shows now."""
    app.frame()
    shot = Image.open(io.BytesIO(app.page.screenshot())).convert("RGB")
    return shot.resize(SHOWN, Image.Resampling.LANCZOS), stays


def dragged(app: AppPage, label: str, places: list[float], each: int) -> Iterator[Frame]:
    """The slider `label` is dragged through `places`, shares of its track, with `each` moves."""
    box = app.page.get_by_label(label, exact=True).bounding_box()
    middle = box["y"] + box["height"] / 2
    across = [box["x"] + 10 + (box["width"] - 20) * place for place in places]
    app.page.mouse.move(across[0], middle)
    app.page.mouse.down()
    yield taken(app, RESTING)
    for start, end in pairwise(across):
        for at in range(1, each + 1):
            app.page.mouse.move(start + (end - start) * at / each, middle)
            yield taken(app)
    app.page.mouse.up()
    at_rest(app)
    yield taken(app, RESTING)


def opened(app: AppPage, address: str) -> None:
    """Go there, and wait until nothing is measured any more."""
    app.page.goto(f"{app.url}/{address}", wait_until="domcontentloaded")
    app.page.wait_for_selector('[data-testid="stApp"]', timeout=60_000)
    at_rest(app)


def home(app: AppPage) -> Iterator[Frame]:
    """The ring goes along the curve, from few clusters opened to many and back."""
    opened(app, "")
    yield from dragged(app, "Probes", [0.04, 0.6, 0.3], each=11)


def lesson(app: AppPage) -> Iterator[Frame]:
    """A search goes down the tree level by level, with one branch, then with three."""
    for address in ("learn?learn=7:l=0", "learn?learn=7:l=0,p=3"):
        opened(app, address)
        yield from dragged(app, "Go down", [0.0, 1.0], each=8)


def map_of_words(app: AppPage) -> Iterator[Frame]:
    """The clusters that a search opens light up one by one, and its answers with them."""
    opened(app, "map?map=follow%3Dyes&query=words+queen&effort=1")
    app.until(app.page.get_by_text("UMAP of").count, seconds=PATIENCE)  # it is laid out
    at_rest(app)
    app.page.get_by_role("button", name="Reset the view").click()
    time.sleep(TURNS)
    yield from dragged(app, "Probes", [0.02, 0.35], each=16)


SCENES: tuple[Callable[[AppPage], Iterator[Frame]], ...] = (home, lesson, map_of_words)


def write(frames: list[Frame], path: Path) -> None:
    """All frames as one WebP that begins again at its end."""
    first, *others = (image for image, _ in frames)
    first.save(
        path, save_all=True, append_images=others, duration=[stays for _, stays in frames], loop=0,
        quality=QUALITY, method=6, minimize_size=True,
    )  # fmt: skip


@click.command(help=__doc__)
@click.option("--into", type=click.Path(path_type=Path), default=PICTURE, help="The file.")
@click.option("--stills", type=click.Path(path_type=Path), help="A folder for every frame as PNG.")
def main(into: Path, stills: Path | None) -> None:
    """Take the scenes, one after another."""
    frames: list[Frame] = []
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        with Server(ROOT / "app.py", Path(folder) / "log") as server:
            app = AppPage(browser.new_page(viewport=SIZE, color_scheme="light"), server.url)
            for scene in SCENES:
                frames += scene(app)
                print(f"{scene.__name__}: {len(frames)} frames so far", flush=True)
        browser.close()
    for at, (image, _) in enumerate(frames if stills else ()):
        stills.mkdir(parents=True, exist_ok=True)
        image.save(stills / f"{at:03}.png")
    write(frames, into)
    size, seconds = into.stat().st_size, sum(stays for _, stays in frames) / 1000
    print(f"{into.name}: {size / 1000:.0f} kB, {seconds:.0f} s")
    if size > MOST:
        raise click.ClickException(f"That is more than {MOST / 1000:.0f} kB.")
    if app.faults:
        raise click.ClickException("\n".join(app.faults))


if __name__ == "__main__":
    main()
