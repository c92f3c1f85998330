"""A million vectors: builds, a curve, a search for a setting and a map: `-m benchmarks.million`.

Every work has a process of its own, with all threads; its processor time, its time by the clock and
the most memory it held, the vectors included, are those of that process. Vectors are words where
../shared/data has them, each with nine noisy copies, else simulated; queries are rows with noise.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from benchmarks.machine import machine, made_on, versions
from benchmarks.memory import SPAWN, usage
from benchmarks.million_session import SESSIONS, session
from benchmarks.million_works import (
    COMMANDS,
    QUERIES,
    QUERY_NOISE,
    WORKS,
    Told,
    told_by_command,
)
from benchmarks.pages import FILE
from benchmarks.sets import WORDS
from benchmarks.tables import END, as_markdown, as_text, duration
from mips_core import Dataset, rng_for
from mips_core.base.arrays import Matrix
from mips_core.base.text import memory, percent
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.simulated_vectors import simulated_vectors

DIMENSIONS = 100
COPIES, NOISE = 10, 0.3  # of each word; noise in root mean squares
EVERY = (*WORKS, *COMMANDS, *SESSIONS)
TITLE = "# A million vectors"
INTRO = """Every work has a process of its own, on all threads; memory is the most it held, the
vectors included. Vectors are {}; 1,000
queries are rows with noise, and precision is precision@10. Tune has flat and hierarchical k-means
to choose from, for 0.9. Remade by `python -m benchmarks.million --markdown docs/million.md`.

Regret: every setting of both grids is built on all items and asked. Of all efforts that find 0.8,
0.9 or 0.95 of the answers to all queries, the cheapest is known then. Samples of 10,000 and 100,000
items name the likeliest settings; how much more the cheapest effort of these takes is the regret.
Commands are timed from start to end, reading and writing included; `all` is every method there is.
A session opens the file in the data folder of the app and waits until all curves of Trade-off are
there; its memory is that of the server."""
OF_WORDS = "100,000 words (GloVe, 100 dimensions), each with nine noisy copies"
SECONDS = {"build", "curve", "first answer", "tested answer", "layout", "whole"}


def vectors(n: int) -> Matrix:
    """(n, 100): words and noisy copies of them, or simulated."""
    if not WORDS.is_file():
        return simulated_vectors(n, 1, DIMENSIONS).items
    words = np.load(WORDS)[: max(n // COPIES, 1)]
    rng, rms = rng_for(0, "copies"), float(np.sqrt((words**2).mean()))
    noisy = (words + NOISE * rms * rng.normal(size=words.shape) for _ in range(COPIES - 1))
    return np.concatenate([words, *noisy]).astype(np.float32)[:n]


def measured(path: Path, name: str) -> Told:
    """What a work told, with the processor time and memory of its own process."""
    if name in SESSIONS:
        return session(path, name)
    mine, theirs = SPAWN.Pipe()
    measure = _measure_command if name in COMMANDS else _measure
    process = SPAWN.Process(target=measure, args=(path, name, theirs))
    process.start()
    theirs.close()
    try:
        told: Told = mine.recv()
        return told
    except EOFError:
        raise RuntimeError(f"{name}: the process that measures it has ended") from None
    finally:
        process.join()


def _measure(path: Path, name: str, answers: Any) -> None:
    small = simulated_vectors(3_000, 40, 8)
    WORKS[name](small)  # loads what is compiled
    items = np.load(path)
    asked = QueryRecipe("noisy", min(QUERIES, len(items) // 2), QUERY_NOISE)
    data = with_queries(Dataset(items), asked)
    before = usage()[0]
    told = WORKS[name](data)
    seconds, most = usage()
    answers.send({"processor": seconds - before, "memory": most, **told})


def _measure_command(path: Path, name: str, answers: Any) -> None:
    told = told_by_command(name, path)
    used = getrusage(RUSAGE_CHILDREN)
    seconds, most = used.ru_utime + used.ru_stime, 1024.0 * used.ru_maxrss
    answers.send({"processor": seconds, "memory": most, **told})


def lines(results: Mapping[str, Told]) -> list[list[str]]:
    """A line a work: processor time, memory, and what it told."""
    table = [["work", "processor", "memory", "by the clock, and what came of it"]]
    for name, told in results.items():
        rest = [
            f"{what} {_shown(what, value)}"
            for what, value in told.items()
            if what not in ("processor", "memory")
        ]
        table.append([name, duration(told["processor"]), memory(told["memory"]), ", ".join(rest)])
    return table


def _shown(what: str, value: float) -> str:
    if what in SECONDS:
        return duration(value)
    if what.startswith("regret"):
        return percent(value)
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


@click.command(help=__doc__)
@click.option("--items", default=1_000_000, help="How many.", show_default=True)
@click.option("--work", "works", multiple=True, type=click.Choice(EVERY), help="This alone.")
@click.option("--markdown", type=FILE, help="Write the page here.")
@click.option("--json", "data", type=FILE, help="Write all that was measured here.")
def main(items: int, works: tuple[str, ...], markdown: Path | None, data: Path | None) -> None:
    """Measure and print."""
    results: dict[str, Told] = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "items.npy"
        np.save(path, vectors(items))
        for name in works or EVERY:
            results[name] = measured(path, name)
            print(as_text(lines({name: results[name]})), flush=True)
    made = {"machine": machine(), "versions": versions()}
    if data is not None:
        report = {"items": items, **made, "works": results}
        data.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if markdown is not None:
        of = OF_WORDS if WORDS.is_file() else "simulated"
        head = f"{items:,} × {DIMENSIONS}, {made_on(made['machine'], made['versions'])}."
        before = markdown.read_text(encoding="utf-8") if markdown.exists() else ""
        stays = before.partition(END)[2].strip()  # what was measured by hand stands below
        parts = TITLE, INTRO.format(of), head, as_markdown(lines(results)), END, stays
        markdown.write_text("\n\n".join(filter(None, parts)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
