"""Many visitors of the app at once, each by a seed of their own, and what they met.

They come by links, change pages and K, drag, build, tune, look at the map and the report, and
leave. No browser is in the way; what fragments ask for by the clock is asked for as browsers do.
Seconds are from the press to the end of the run.
"""

import asyncio
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

import numpy as np

from benchmarks.app_speed import processor_seconds
from benchmarks.process import Holding, PageTime, children_of, holding
from benchmarks.visitor import Visitor, visit
from tests.e2e.harness import Server

PAGES = ("", "data", "build", "trade-off", "robustness", "tune", "compare", "drift", "search")
PAGES += ("map", "report", "learn", "methods", "paper", "guide")
LINK = "data=glove-6b-50d&method=flat-kmeans&method=pca-tree&k={K}&seed={seed}&effort={effort}"
STARTS = ("", "trade-off", "build", "search", "map")
STAYS, THINKS = (60, 150), (1, 4)  # seconds a visitor stays, and between two actions
SHARES = {"page": 5, "K": 4, "drag": 8, "build": 2, "tune": 1, "map": 2, "compare": 1, "report": 1}
WARM = 5.0  # seconds from one look at a server that warms up to the next
STILL = 3  # looks that find it at rest: it waits some seconds for a first visitor between
AT_REST = 0.05  # share of a processor below which a server has warmed up
TEN = 10  # minutes of a soak that are not counted: what is needed comes into memory
LOOK = 5.0  # seconds from one look at what is held in a soak to the next
SHOWN = 4000  # characters of a traceback that are kept
RESTS = (60, 180, 300)  # seconds after the last has left at which memory is read again


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


@dataclass
class Crowd:
    """What visitors did and met: seconds by action, errors that pages showed, lost connections."""

    url: str
    seconds: float
    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: Counter[str] = field(default_factory=Counter)
    polls: list[float] = field(default_factory=list)  # seconds of each
    polled: int = 0  # bytes sent for them

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
            self.polls += visitor.polls
            self.polled += visitor.sent - visitor.asked
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


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Number, median, 95th percentile and most of the seconds measured."""
    if not seconds:
        return {"n": 0}
    p50, p95 = np.percentile(seconds, [50, 95])
    return {"n": len(seconds), "p50": float(p50), "p95": float(p95), "most": max(seconds)}


async def warmed(server: Server, seconds: float = 300) -> Holding:
    """Wait until the server has done what it does before anybody comes; what it holds then."""
    process, used, still = server.process.pid, -1.0, 0
    async with asyncio.timeout(seconds):
        while still < STILL:
            await asyncio.sleep(WARM)
            each = [process, *children_of(process)]  # one of them compiles
            before, used = used, float(np.nansum(list(map(processor_seconds, each))))
            still = still + 1 if used - before < WARM * AT_REST else 0
    return holding(process)


async def measured_once(server: Server) -> None:
    """Let somebody look at the shipped words until all of them is measured, and leave."""
    first = await visit(server.url)
    await first.go("", LINK.format(K=10, seed=0, effort=10))
    await settled(first)
    await first.leave()


async def crowd(
    server: Server, visitors: int, seconds: float, rests: Sequence[float] = RESTS
) -> dict[str, Any]:
    """`visitors` at once for `seconds`: times of what they did, and what it cost the server.

    Memory is read before anybody has come, while they are there, and after all have left.
    """
    process = server.process.pid
    held = {"nobody has come yet": await warmed(server)}
    busy = os.getloadavg()[0]
    await measured_once(server)
    pages = PageTime(process)
    spent, of_pages = processor_seconds(process), pages.look()
    everybody, most = Crowd(server.url, seconds), held["nobody has come yet"]
    ends = asyncio.get_running_loop().time() + seconds
    people = [asyncio.create_task(everybody.person(number, ends)) for number in range(visitors)]
    while not all(person.done() for person in people):
        await pages.watch(1)
        most = max(most, holding(process), key=lambda one: one.memory)
    await asyncio.gather(*people)
    left = asyncio.get_running_loop().time()
    spent, of_pages = processor_seconds(process) - spent, pages.look() - of_pages
    held["most"] = most
    for rest in rests:
        await asyncio.sleep(left + rest - asyncio.get_running_loop().time())
        held[f"{rest:g} s after all have left"] = holding(process)
    every, polls = [one for taken in everybody.taken.values() for one in taken], everybody.polls
    rows = {name: quantiles(taken) for name, taken in sorted(everybody.taken.items())}
    return {
        "visitors": visitors,
        "seconds": seconds,
        "machine_load": busy,  # before: what others do
        "actions": rows | {"all": quantiles(every)},
        "polls": quantiles(polls) | {"bytes": everybody.polled / max(len(polls), 1)},
        "processor_s_an_action": spent / max(len(every), 1),
        "of_it_pages": of_pages / max(len(every), 1),
        "held": {name: asdict(one) for name, one in held.items()},
        "faults": dict(everybody.faults),
        **tracebacks(server.log()),
    }


async def soak(
    server: Server, visitors: int, minutes: float, rest: float = RESTS[-1]
) -> dict[str, Any]:
    """`visitors` who come and go for so long: the least and the most a server holds in each minute.

    What stays is in the least; what is used for a moment, and given back, is in the most alone.
    And `rest` seconds after all have left: until then what they look at is part of it.
    """
    held = [[await warmed(server)]]
    busy = os.getloadavg()[0]
    await measured_once(server)
    everybody, clock = Crowd(server.url, 60 * minutes), asyncio.get_running_loop().time
    began = clock()
    ends = began + 60 * minutes
    people = [asyncio.create_task(everybody.person(number, ends)) for number in range(visitors)]
    for minute in range(1, ceil(minutes) + 1):
        looks = [holding(server.process.pid)]
        while (left := began + min(60 * minute, 60 * minutes) - clock()) > 0:
            await asyncio.sleep(min(LOOK, left))
            looks.append(holding(server.process.pid))
        held.append(sorted(looks, key=lambda one: one.memory))
    await asyncio.gather(*people)
    later = held[TEN + 1 :] or held
    await asyncio.sleep(rest)
    return {
        "visitors": visitors,
        "minutes": minutes,
        "machine_load": busy,  # before: what others do
        "actions": sum(map(len, everybody.taken.values())),
        "held": [{**asdict(looks[0]), "most": looks[-1].memory} for looks in held],
        "left": {"seconds": rest, **asdict(holding(server.process.pid))},
        "MiB_a_minute": growth([looks[0].memory for looks in later]),
        "most_a_minute": growth([looks[-1].memory for looks in later]),
        "descriptors_a_minute": growth([float(looks[0].descriptors) for looks in later]),
        "faults": dict(everybody.faults),
        **tracebacks(server.log()),
    }


def tracebacks(log: str) -> dict[str, Any]:
    """How many tracebacks a server wrote, and each one's text, once."""
    found = log.split("Traceback (most recent call last)")[1:]
    return {"tracebacks": len(found), "told": sorted({one[:SHOWN].strip() for one in found})}


def growth(values: Sequence[float]) -> float:
    """How much is added from one value to the next: the slope of the line nearest to them."""
    return float(np.polyfit(np.arange(len(values)), values, 1)[0]) if len(values) > 1 else 0.0
