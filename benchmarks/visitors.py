"""How many visitors the app bears, and what a run of each page costs the server.

`python -m benchmarks.visitors pages` opens every page for one visitor, when all is measured, and
takes the server's processor time of a run of the page and of its dearest fragment. `python -m
benchmarks.visitors load` lets many visitors use the app at once, each by a seed of their own: they
change pages and K, drag, build, tune and leave. No browser is in the way; what fragments ask for
by the clock is asked for as browsers do. Seconds are from the press to the end of the run.
"""

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from benchmarks.app_speed import processor_seconds
from benchmarks.pages import FILE
from benchmarks.visitor import Visitor, visit
from tests.e2e.harness import ROOT, Server

PAGES = ("", "data", "build", "trade-off", "robustness", "tune", "compare", "drift", "search")
PAGES += ("map", "report", "methods")
LINK = "data=glove-6b-50d&method=flat-kmeans&method=pca-tree&k={K}&seed={seed}&effort={effort}"
STARTS = ("", "trade-off", "build", "search", "map")
STAYS, THINKS = (60, 150), (1, 4)  # seconds a visitor stays, and between two actions
TARGET = 0.03  # seconds of processor time a run
SHARES = {"page": 5, "K": 4, "drag": 8, "build": 2, "tune": 1, "map": 2, "compare": 1}


def mebibytes(process: int) -> float:
    """Memory that a running process has now (Linux); NaN where it is not told."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


async def settled(visitor: Visitor, seconds: float = 300, pause: float = 2) -> None:
    """Wait until no fragment of the page looks for news any more."""
    poll = asyncio.create_task(visitor.poll())
    async with asyncio.timeout(seconds):
        await asyncio.sleep(pause)  # most is asked for at the second look
        while any(every < 60 for every in visitor.every.values()):
            await asyncio.sleep(0.2)
    poll.cancel()
    with suppress(asyncio.CancelledError):
        await poll


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


@dataclass
class Crowd:
    """What visitors did and met: seconds by action, errors that pages showed, lost connections."""

    url: str
    seconds: float
    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: Counter[str] = field(default_factory=Counter)

    async def person(self, number: int, ends: float) -> None:
        """One visitor after another, by the seed `number`, each as long as STAYS says."""
        draw, clock = random.Random(number), asyncio.get_running_loop().time
        while clock() < ends:
            visitor = await visit(self.url)
            poll = asyncio.create_task(visitor.poll())
            leaves = min(ends, clock() + draw.uniform(*STAYS))
            link = LINK.format(
                K=draw.choice((1, 10, 100)),
                seed=draw.choice((0, 0, 0, 1)),
                effort=draw.randint(1, 40),
            )
            first = draw.choice(STARTS)
            try:
                self.taken["open by a link"].append(await visitor.go(first, link))
                while clock() < leaves:
                    await asyncio.sleep(draw.uniform(*THINKS))
                    [action] = draw.choices(list(SHARES), list(SHARES.values()))
                    await self._act(visitor, action, draw)
            except (TimeoutError, OSError) as error:
                self.faults[f"{type(error).__name__}: {error}"] += 1
            if poll.done() and not poll.cancelled() and poll.exception():
                self.faults[repr(poll.exception())] += 1
            poll.cancel()
            self.faults.update(visitor.boxes)
            await visitor.leave()

    async def _act(self, visitor: Visitor, action: str, draw: random.Random) -> None:
        match action:
            case "page":
                await self._time("change page", visitor.go(draw.choice(PAGES)))
            case "K":
                if box := visitor.find("number_input", "Any K"):
                    turn = visitor.set(box, double_value=draw.randint(1, 100))
                    await self._time("change K", turn)
            case "drag":
                await self._drag(visitor, draw)
            case "build":
                await self._time("change page", visitor.go("build"))
                if box := visitor.find("number_input", "Clusters"):
                    turn = visitor.set(box, double_value=draw.randint(50, 400))
                    await self._time("set clusters", turn)
                await self._press(visitor, "Build")
            case "tune":
                await self._time("change page", visitor.go("tune"))
                await self._press(visitor, "Find the cheapest")
            case _:
                await self._time("change page", visitor.go(action))

    async def _drag(self, visitor: Visitor, draw: random.Random) -> None:
        if not visitor.live_curve()[0]:
            await self._time("change page", visitor.go("trade-off"))
        name, sent = visitor.live_curve()
        if name:
            build = draw.choice(sent["live"]["builds"])["value"]
            choice = {"topic": sent["topic"], "build": build, "effort": draw.randint(1, 60)}
            choice["serial"] = visitor.runs + 1000
            value = json.dumps({"choice": choice})
            await self._time("let go of a slider", visitor.set(name, json_value=value))

    async def _press(self, visitor: Visitor, label: str) -> None:
        if button := visitor.find("button", label):
            await self._time(f"press {label}", visitor.set(button, trigger_value=True))

    async def _time(self, name: str, action: Coroutine[Any, Any, float]) -> None:
        self.taken[name].append(await action)


async def crowd(server: Server, visitors: int, seconds: float, rest: float = 100) -> dict[str, Any]:
    """`visitors` at once for `seconds`: times of what they did, and what it cost the server.

    Memory is read again `rest` seconds after all have left.
    """
    process, memory = server.process.pid, [mebibytes(server.process.pid)]
    first = await visit(server.url)
    await first.go("", LINK.format(K=10, seed=0, effort=10))
    await settled(first)
    await first.leave()
    spent, ends = processor_seconds(process), asyncio.get_running_loop().time() + seconds
    everybody = Crowd(server.url, seconds)
    people = [asyncio.create_task(everybody.person(number, ends)) for number in range(visitors)]
    while not all(person.done() for person in people):
        await asyncio.sleep(1)
        memory.append(mebibytes(process))
    await asyncio.gather(*people)
    spent = processor_seconds(process) - spent
    await asyncio.sleep(rest)
    rows = {name: quantiles(taken) for name, taken in sorted(everybody.taken.items())}
    every = [one for taken in everybody.taken.values() for one in taken]
    return {
        "actions": rows | {"all": quantiles(every)},
        "processor_s_an_action": spent / max(len(every), 1),
        "memory_MiB": {"at first": memory[0], "most": max(memory), "all left": mebibytes(process)},
        "faults": dict(everybody.faults),
    }


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Number, median, 95th percentile and most of the seconds measured."""
    if not seconds:
        return {"n": 0}
    p50, p95 = np.percentile(seconds, [50, 95])
    return {"n": len(seconds), "p50": float(p50), "p95": float(p95), "most": max(seconds)}


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
@click.argument("what", type=click.Choice(["pages", "load"]))
@click.option("--repeats", type=click.IntRange(min=1), default=20, help="Runs of each page.")
@click.option("--visitors", type=click.IntRange(min=1), default=20, help="How many at once.")
@click.option("--seconds", type=click.FloatRange(min=1), default=100, help="For how long.")
@click.option(
    "--rest", type=click.FloatRange(min=0), default=150, help="Seconds till memory is read again."
)
@click.option("--json", "data", type=FILE, help="Write what was measured here.")
def main(
    what: str, repeats: int, visitors: int, seconds: float, rest: float, data: Path | None
) -> None:
    """Measure and print."""
    with TemporaryDirectory() as folder, Server(ROOT / "app.py", Path(folder) / "log") as server:
        if what == "pages":
            report: Any = asyncio.run(page_costs(server, repeats))
            show_pages(report)
        else:
            report = asyncio.run(crowd(server, visitors, seconds, rest))
            click.echo(json.dumps(report, indent=1))
    if data is not None:
        data.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
