"""How many visitors the app bears, and what a run of each page costs the server.

`python -m benchmarks.visitors pages` opens every page for one visitor, when all is measured, and
takes the server's processor time of a run of the page and of its dearest fragment. `python -m
benchmarks.visitors load` lets many visitors use the app at once, each by a seed of their own: they
change pages and K, drag, build, tune and leave. `polls` takes what a page costs that waits, `soak`
what the server holds in a long time, and `page` writes all of that down. No browser is in the way;
what fragments ask for by the clock is asked for as browsers do. Seconds are from the press to the
end of the run.
"""

import asyncio
import json
import platform
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from benchmarks.app_speed import processor_seconds
from benchmarks.crowd import LINK, PAGES, crowd, measured_once, settled, soak, warmed
from benchmarks.machine import machine
from benchmarks.pages import FILE
from benchmarks.process import PageTime
from benchmarks.visitor import Visitor, visit
from benchmarks.visitors_page import visitors_page
from tests.e2e.harness import ROOT, Server

TARGET = 0.03  # seconds of processor time a run
WATCHED = ("", "trade-off", "robustness", "tune", "compare", "map", "report")
PRESSED = ("Find the cheapest", "Measure")  # where there is such a button
OTHERS, LOOKS = 3, 20.0  # visitors that are waited for, and seconds that each page is watched
FEWEST = 5  # looks that a page takes, to tell what one costs


async def page_costs(server: Server, repeats: int) -> list[dict[str, Any]]:
    """A row a page: processor time and bytes sent of a run of it, and of its dearest fragment."""
    process, rows = server.process.pid, []

    async def cost(visitor: Visitor, run: Callable[[], Coroutine[Any, Any, float]]) -> list[float]:
        before, sent, seconds = processor_seconds(process), visitor.sent, []
        for _ in range(repeats):
            seconds.append(await run())
        spent = (processor_seconds(process) - before) / repeats
        return [spent, float(np.median(seconds)), (visitor.sent - sent) / repeats]

    visitor = await visit(server.url)
    await visitor.go("", LINK.format(K=10, seed=0, effort=10))
    await settled(visitor)
    for path in PAGES:
        await visitor.go(path)
        await settled(visitor)
        await visitor.run()
        full = await cost(visitor, visitor.run)
        parts = [await cost(visitor, lambda f=f: visitor.run(f)) for f in list(visitor.fragments)]
        dearest = max(parts, default=[0.0, 0.0, 0.0])
        rows.append({"page": path or "home", "run": full, "fragment": dearest})
        click.echo(f"{path or 'home'}: {1e3 * full[0]:.0f} ms", err=True)
    await visitor.leave()
    return rows


async def poll_costs(server: Server) -> list[dict[str, Any]]:
    """A row a page that waits for measurements, its own and those of others, and that nobody uses.

    One that has nothing to wait for has none. What it costs by the clock, a look: looks a second,
    processor time of all but measuring, bytes.
    """
    process, rows = server.process.pid, []
    await warmed(server)
    await measured_once(server)  # what is compiled once is no look's
    for number, path in enumerate(WATCHED):
        seeds = range(100 * (number + 1), 100 * (number + 1) + OTHERS + 1)
        visitors = [await visit(server.url) for _ in seeds]
        for seed, visitor in zip(seeds, visitors, strict=True):
            here = path if visitor is visitors[0] else "trade-off"
            await visitor.go(here, LINK.format(K=10, seed=seed, effort=10))
        poll = asyncio.create_task(visitors[0].poll())
        await asyncio.sleep(3)
        for button in filter(None, (visitors[0].find("button", label) for label in PRESSED)):
            await visitors[0].set(button, trigger_value=True)
        pages = PageTime(process)
        spent, sent, polls = pages.look(), visitors[0].sent, len(visitors[0].polls)
        spent, sent = await pages.watch(LOOKS) - spent, visitors[0].sent - sent
        polls = len(visitors[0].polls) - polls
        poll.cancel()
        for visitor in visitors:
            await visitor.leave()
        if polls < FEWEST:
            continue  # it has nothing to wait for: what the server did was for others
        of_one = {"processor_s": spent / polls, "bytes": sent / polls}
        rows.append({"page": path or "home", "a_second": polls / LOOKS, **of_one})
    return rows


def show_polls(rows: list[dict[str, Any]]) -> None:
    """The table of polls: how often, milliseconds of the processor, kB sent."""
    click.echo(f"{'':12}{'a second':>9}{'processor':>12}{'sent':>11}")
    for row in rows:
        cells = f"{row['a_second']:9.1f}{1e3 * row['processor_s']:9.1f} ms"
        click.echo(f"{row['page']:12}{cells}{row['bytes'] / 1000:8.1f} kB")


def show_pages(rows: list[dict[str, Any]]) -> None:
    """The table of pages: milliseconds of the processor, by the clock, and kB sent."""
    click.echo(f"{'':12}{'full run':>26}{'dearest fragment':>26}")
    for row in rows:
        cells = ""
        for cpu, clock, sent in (row["run"], row["fragment"]):
            mark = "!" if cpu > TARGET else " "
            cells += f"{1e3 * cpu:8.1f}{mark} {1e3 * clock:6.0f} {sent / 1000:7.0f} kB"
        click.echo(f"{row['page']:12}{cells}")


@click.command(help=__doc__)
@click.argument("what", type=click.Choice(["pages", "polls", "load", "soak", "page"]))
@click.option("--repeats", type=click.IntRange(min=1), default=20, help="Runs of each page.")
@click.option("--visitors", type=click.IntRange(min=1), help="How many at once: 20; in a soak 6.")
@click.option("--minutes", type=click.FloatRange(min=0.1), help="For how long: 10; a soak 60.")
@click.option("--json", "data", type=FILE, help="Add what was measured to this file.")
@click.option("--markdown", type=FILE, help="Write the page of all that the file holds.")
def main(
    what: str,
    repeats: int,
    visitors: int | None,
    minutes: float | None,
    data: Path | None,
    markdown: Path | None,
) -> None:
    """Measure and print."""
    named = ("numpy", "numba", "streamlit")
    made_with = {"python": platform.python_version()} | {name: version(name) for name in named}
    report: dict[str, Any] = {"machine": machine(), "versions": made_with}
    if data is not None and data.exists():
        report = json.loads(data.read_text(encoding="utf-8")) | report
    if what != "page":
        report[what] = measured(what, repeats, visitors, 60 * (minutes or 0))
    if data is not None:
        data.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if markdown is not None:
        markdown.write_text(visitors_page(report), encoding="utf-8")


def measured(what: str, repeats: int, visitors: int | None, seconds: float) -> Any:
    """What a new server of the app costs; printed too."""
    with TemporaryDirectory() as folder, Server(ROOT / "app.py", Path(folder) / "log") as server:
        match what:
            case "pages":
                report: Any = asyncio.run(page_costs(server, repeats))
                show_pages(report)
            case "polls":
                report = asyncio.run(poll_costs(server))
                show_polls(report)
            case "load":
                report = asyncio.run(crowd(server, visitors or 20, seconds or 600))
                click.echo(json.dumps(report, indent=1))
            case _:
                report = asyncio.run(soak(server, visitors or 6, (seconds or 3600) / 60))
                click.echo(json.dumps(report, indent=1))
    return report


if __name__ == "__main__":
    main()
