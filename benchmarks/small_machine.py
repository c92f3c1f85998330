"""Memory of a server on a small machine, page by page: `python -m benchmarks.small_machine`.

The app is started as on Streamlit Community Cloud, with the limits of that script. The first
visitor opens every page and waits until nothing is measured any more. What the server and the
processes it has started hold is read all the while; a file that both have in memory counts once.
Needs Linux.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import click

from benchmarks.app_speed import environment
from benchmarks.crowd import LINK, PAGES, settled, warmed
from benchmarks.process import children_of, held_together
from benchmarks.visitor import visit
from benchmarks.visitors import PRESSED
from tests.e2e.harness import ROOT, Server

SCRIPT = ROOT / "deploy/community/streamlit_app.py"
TARGET = 700  # MiB
LOOK = 0.5  # seconds from one reading to the next


class Held:
    """The most that was held since the last look: (server, its children) at that moment, MiB."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.most = (0.0, 0.0)

    def read(self) -> None:
        """Look once more."""
        own = held_together([self.process])
        more = held_together([self.process, *children_of(self.process)]) - own
        self.most = max(self.most, (own, more), key=sum)

    def take(self) -> tuple[float, float]:
        """The most till now; it begins anew."""
        self.read()
        most, self.most = self.most, (0.0, 0.0)
        return most

    @contextmanager
    def watched(self) -> Iterator["Held"]:
        """Look all the while."""
        ended = Event()

        def watch() -> None:
            while not ended.wait(LOOK):
                self.read()

        thread = Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            ended.set()
            thread.join()


async def tour(server: Server, held: Held, press: bool) -> list[dict[str, object]]:
    """A row for the start and for every page: the most that was held meanwhile."""
    rows: list[dict[str, object]] = []

    def note(name: str) -> None:
        own, children = held.take()
        rows.append({"at": name, "server": own, "children": children, "sum": own + children})
        click.echo(f"{name:14}{own:8.0f} + {children:4.0f} = {own + children:5.0f} MiB")

    await warmed(server)
    note("start")
    visitor = await visit(server.url)
    await visitor.go("", LINK.format(K=10, seed=0, effort=10))
    for path in PAGES:
        await visitor.go(path)
        await settled(visitor, 900)
        button = next(filter(None, (visitor.find("button", label) for label in PRESSED)), "")
        if press and button:
            await visitor.set(button, trigger_value=True)
            await settled(visitor, 900)
        note(path or "home")
    await visitor.leave()
    return rows


@click.command(help=__doc__)
@click.option("--script", type=click.Path(path_type=Path), default=SCRIPT, help="What is started.")
@click.option("--press", is_flag=True, help="Press the buttons of Tune, Keep fresh and Paper too.")
@click.option("--cold", is_flag=True, help="With nothing compiled, as on a new machine.")
@click.option("--json", "data", type=click.Path(path_type=Path), help="Write the rows here.")
def main(script: Path, press: bool, cold: bool, data: Path | None) -> None:
    """Measure and print."""
    os.environ["STREAMLIT_SERVER_ALLOWED_HOSTS"] = "127.0.0.1"  # there it answers its host alone
    with (
        TemporaryDirectory() as folder,
        environment(**({"NUMBA_CACHE_DIR": folder} if cold else {})),
        Server(script, Path(folder) / "log") as server,
        Held(server.process.pid).watched() as held,
    ):
        rows = asyncio.run(tour(server, held, press))
    most = max(float(str(row["sum"])) for row in rows)
    click.echo(f"most: {most:.0f} MiB; {'within' if most < TARGET else 'over'} {TARGET}")
    if data is not None:
        data.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
