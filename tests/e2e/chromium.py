"""The Chromium for browser tests: one that is there, else Playwright's own, else Debian's package.

Run as a program it fetches one where none is there, and prints its path alone; what it does goes to
stderr. Where none can be had it prints nothing: an error in CI, and where CHROMIUM names one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
STARTS = ("--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank")
ADVICE = (
    "apt-get install chromium (macOS: brew install --cask chromium), or set CHROMIUM=PATH, or "
    "BROWSER=0 to skip browser tests."
)


def chromium_path() -> str | None:
    """The browser's path: what CHROMIUM names, on PATH, or Playwright's own; None without one."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    return on_path or next(filter(starts, _of_playwright()), None)


def driven() -> bool:
    """Whether what drives the browser runs: it wants a library that a bare machine may not have."""
    command = [sys.executable, "-m", "playwright", "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def starts(path: str) -> bool:
    """Whether the browser runs here: one that was fetched may want libraries that are not there."""
    try:
        ended = subprocess.run([path, *STARTS], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"<html>" in ended.stdout


def fetch() -> None:
    """Fetch Playwright's own; where that does not start, as root on Debian, install the package."""
    own = [sys.executable, "-m", "playwright", "install", "chromium"]
    done = _run("Fetching Playwright's Chromium into the user's cache.", own, 600)
    if done and any(map(starts, _of_playwright())):
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        packages = "chromium fonts-liberation libatomic1"
        install = f"apt-get install -y -qq --no-install-recommends {packages}"
        _run("Installing Debian's.", ["sh", "-c", f"apt-get update -qq && {install}"], 900)


def _of_playwright() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if Path(path).exists():
        yield path


def _run(said: str, command: list[str], seconds: float) -> bool:
    print(said, file=sys.stderr)
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        ended = subprocess.run(
            command, env=env, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"It took more than {seconds:,} s.", file=sys.stderr)
        return False
    if ended.returncode:
        print(*ended.stderr.strip().splitlines()[-1:], file=sys.stderr)
    return ended.returncode == 0


def main() -> int:
    """Print the path. 1 where there has to be one and none can be had."""
    named = os.environ.get("CHROMIUM", "")
    path = chromium_path() if named or driven() else None
    if path is None and not named:
        fetch()
        path = chromium_path() if driven() else None
    if path is None and (named or os.environ.get("CI")):
        print(f"No Chromium found{named and f' at {named}'}: {ADVICE}", file=sys.stderr)
        return 1
    print(path or "")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
