"""Seconds from a command to the first curve on screen: `python -m benchmarks.first_curve COMMAND`.

    python -m benchmarks.first_curve make run
    python -m benchmarks.first_curve mips-explorer words.npy

The command starts the app by itself, and all that it sets up before is counted. With --shows NAME
the curve counts once the page's title names these data. Needs a Chromium, and Linux or macOS.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

import click
from playwright.sync_api import sync_playwright

from benchmarks.app_speed import CURVE
from tests.e2e.chromium import chromium_path
from tests.e2e.harness import FLAGS

ADDRESS = re.compile(r"http://localhost:\d+")
LOOK = 0.05  # seconds between two looks


def address_of(server: "subprocess.Popen[str]") -> str:
    """Where the command says that the app is; an error with what it said where it never does."""
    said = ""
    for line in server.stdout or ():
        said += line
        if address := ADDRESS.search(line):
            return address[0]
    raise click.ClickException(f"it ended without an address:\n{said}")


def curve_within(address: str, shows: str, deadline: float) -> None:
    """Open the app, and wait for the curve of the data named `shows`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        while time.monotonic() < deadline:  # the address is said before anybody answers there
            with suppress(Exception):
                page.goto(address)
                break
            time.sleep(LOOK)
        while not (page.evaluate(CURVE) and shows in page.title()):
            if time.monotonic() > deadline:
                text = page.inner_text("body")[:2000]
                raise click.ClickException(f"no curve of {shows or 'anything'}:\n{text}")
            time.sleep(LOOK)
        browser.close()


@click.command(help=__doc__, context_settings={"ignore_unknown_options": True})
@click.option("--shows", default="", help="A name that the page's title must hold.")
@click.option("--seconds", default=600.0, help="When to give up.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def main(shows: str, seconds: float, command: Sequence[str]) -> None:
    """Start it, look, and end it."""
    began = time.monotonic()
    environment = {**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment, text=True, start_new_session=True)  # fmt: skip
    try:
        address = address_of(server)
        told = time.monotonic() - began
        curve_within(address, shows, began + seconds)
        curve = time.monotonic() - began
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait()
    print(f"{' '.join(command)}: address after {told:.1f} s, first curve after {curve:.1f} s")


if __name__ == "__main__":
    main()
