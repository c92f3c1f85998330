"""A session that opens a million vectors in the data folder and draws all curves of Trade-off.

What the server held at most, as the system counts it, is read from outside, as is what of it was
memory of its own: pages of mapped files apart, of which the system keeps what it has room for.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from urllib.parse import urlencode

import numpy as np

from benchmarks.app_speed import processor_seconds
from benchmarks.crowd import settled, warmed
from benchmarks.million_works import Told
from benchmarks.visitor import visit
from mips_core.data.dataset import fingerprint_of
from mips_core.data.folder import VARIABLE
from mips_core.data.readers import Choices
from pages._ui.data.reading import Interpretation
from tests.e2e.harness import ROOT, Server

PATIENCE = 900.0  # seconds until all curves are there
LOOK = 0.1  # from one reading of memory to the next
SESSIONS = {"a session on Trade-off": False, "the same of float16, kept": True}


def session(items: Path, name: str) -> Told:
    """What the session `name` takes with the file `items`, or with a float16 copy of it."""
    kept = SESSIONS[name]
    file = items.with_name("halves.npy") if kept else items
    X = np.load(items, mmap_mode="r")
    if kept:
        X = X.astype(np.float16)
        np.save(file, X)
    address = _address(X, file, kept=kept)
    del X
    os.environ[VARIABLE] = str(items.parent)
    with TemporaryDirectory() as folder, Server(ROOT / "app.py", Path(folder) / "log") as server:
        return asyncio.run(_visit(server, address))


def _address(X: np.ndarray, file: Path, *, kept: bool) -> str:
    """A link to this file of the data folder."""
    size = f"{len(X)}x{X.shape[1]} {file.stat().st_size} folder"
    reading = Interpretation(Choices(keep_float16=kept)).text
    data = fingerprint_of(X)
    told = [size, file.stem, reading, file.name]
    return urlencode([("data", data), *(("from", one) for one in told)])


async def _visit(server: Server, address: str) -> Told:
    await warmed(server)
    process, before = server.process.pid, processor_seconds(server.process.pid)
    visitor = await visit(server.url)
    with _peaks(process) as most:
        began = asyncio.get_running_loop().time()
        await visitor.go("trade-off", address)
        await settled(visitor, PATIENCE)
        seconds = asyncio.get_running_loop().time() - began
    if visitor.boxes:
        raise RuntimeError(f"The page shows {visitor.boxes[0]}")
    await visitor.leave()
    own = most["RssAnon"] / 2**20
    spent = processor_seconds(process) - before
    return {"processor": spent, "memory": most["VmHWM"], "whole": seconds, "MB of its own": own}


@contextmanager
def _peaks(process: int) -> Iterator[dict[str, float]]:
    """The most bytes of each kind that a process had, read all the while."""
    ended, most = Event(), {"VmHWM": 0.0, "RssAnon": 0.0}

    def read() -> None:
        status = Path(f"/proc/{process}/status").read_text()
        for kind in most:
            most[kind] = max(most[kind], 1024.0 * int(status.split(f"{kind}:")[1].split()[0]))

    def watch() -> None:
        while not ended.wait(LOOK):
            read()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield most
        read()
    finally:
        ended.set()
        thread.join()
