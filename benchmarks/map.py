"""Our way to a UMAP picture beside umap-learn's own: `python -m benchmarks.map [ITEMS ...]`.

For the shipped words, or for each file of vectors: seconds to the first picture and to the last
layout, cold (from the start of a new process) and warm (once more in it, with another seed),
trustworthiness (mean of both seeds), and peak memory. Every row is measured in a process of its
own. umap-learn is given the vectors that nearness is measured on, and in one row our neighbours
too. `--new-machine` lets numba find nothing that was compiled before.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

ROOT = Path(__file__).parents[1]
SEEDS = (0, 1)
JUDGED = 5000  # items whose neighbours are looked at
Made = dict[str, Any]


def ours(folder: Path, mode: str, began: float) -> Made:
    """`project` as a page calls it."""
    from mips_core import Dataset
    from mips_core.groups.projection import ProjectionRecipe, project, umap_process

    firsts, lasts, layouts = [], [], []
    for seed in SEEDS:
        seen: list[float] = []

        def progress(fraction: float, message: str, partial: Any = None) -> None:
            if partial is not None:
                seen.append(time.time())  # noqa: B023  (called within this turn)

        dataset = Dataset(np.load(folder / "items.npy"))
        layout = project(dataset, ProjectionRecipe(mode=mode, seed=seed), progress=progress)
        layouts.append(layout.xy)
        firsts.append(seen[0] - began)
        lasts.append(time.time() - began)
        began = time.time()
    memory = peak(os.getpid()) + peak(umap_process._KEPT.child().process.pid)
    return {"first": firsts, "last": lasts, "layouts": layouts, "MB": memory}


def umap_learn(folder: Path, mode: str, began: float) -> Made:
    """`umap.UMAP` with its own search for neighbours, or with ours where those are in `folder`."""
    import umap

    rows = np.load(folder / "rows.npy")
    near = folder / "neighbours.npz"
    given: dict[str, Any] = {}
    if mode == "our neighbours":
        with np.load(near) as stored:
            given["precomputed_knn"] = (stored["ids"], stored["distances"])
    lasts, layouts = [], []
    for seed in SEEDS:
        state = None if mode == "parallel" else seed
        layouts.append(umap.UMAP(n_neighbors=15, random_state=state, **given).fit_transform(rows))
        lasts.append(time.time() - began)
        began = time.time()
    return {"last": lasts, "layouts": layouts, "MB": peak(os.getpid())}


def peak(process: int) -> float:
    """Most memory that a process has held at once, in MB (Linux)."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


ROWS: dict[str, tuple[Callable[[Path, str, float], Made], str]] = {
    "ours, reproducible": (ours, "reproducible"),
    "umap-learn, seeded": (umap_learn, "reproducible"),
    "ours, parallel": (ours, "parallel"),
    "umap-learn, parallel": (umap_learn, "parallel"),
    "umap-learn, our neighbours": (umap_learn, "our neighbours"),
}


def alone(name: str, folder: Path, began: float) -> Made:
    """What a new process measures for one row of the table."""
    work, mode = ROWS[name]
    made = work(folder, mode, began)
    from mips_core.groups.projection import trustworthiness

    rows = np.load(folder / "rows.npy")
    judged = [trustworthiness(rows, xy, sample=JUDGED) for xy in made.pop("layouts")]
    return made | {"trust": float(np.mean(judged))}


def measured(name: str, folder: Path, new_machine: bool) -> Made:
    """One row of the table, measured in a new process."""
    with TemporaryDirectory() as kept:
        places = {"MIPS_EXPLORER_CACHE": kept} | ({"NUMBA_CACHE_DIR": kept} if new_machine else {})
        code = "import sys; from benchmarks.map import answer; answer(*sys.argv[1:])"
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, name, str(folder), str(time.time())],
            cwd=ROOT,
            env=os.environ | places,
            stdout=subprocess.PIPE,
            check=True,
        )
    made: Made = json.loads(done.stdout)
    return made


def answer(name: str, folder: str, began: str) -> None:
    """Print what `alone` measures, for the process that asked."""
    print(json.dumps(alone(name, Path(folder), float(began))))


def prepare(items: np.ndarray, folder: Path) -> None:
    """Write the items, the vectors nearness is measured on, and our neighbours of them."""
    from mips_core import Dataset
    from mips_core.groups.projection import nearest, rows_of

    rows = rows_of(Dataset(items), "index")
    near = nearest(rows, 15)
    np.save(folder / "items.npy", items)
    np.save(folder / "rows.npy", rows)
    np.savez(folder / "neighbours.npz", ids=near.ids, distances=near.distances)


def show(title: str, rows: dict[str, Made]) -> None:
    """The table, then ours as a share of umap-learn's."""
    print(f"\n{title}")
    print(f"{'':28}{'first picture, s':>18}{'last layout, s':>18}{'trust':>8}{'MB':>8}")
    for name, row in rows.items():
        first, last = (
            "".join(f"{seconds:>9.1f}" for seconds in row.get(part, ())).rjust(18)
            for part in ("first", "last")
        )
        print(f"{name:28}{first}{last}{row['trust']:8.4f}{row['MB']:8.0f}")
    for kind, plain in (("reproducible", "seeded"), ("parallel", "parallel")):
        mine, other = rows.get(f"ours, {kind}"), rows.get(f"umap-learn, {plain}")
        if mine and other:
            cold, warm = (a / b for a, b in zip(mine["last"], other["last"], strict=True))
            print(f"ours / umap-learn, {kind}: cold {cold:.2f}, warm {warm:.2f}")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True))
@click.option("--new-machine", is_flag=True, help="Nothing is compiled yet.")
@click.option("--only", default="", help="Only rows whose name begins so, such as: ours.")
@click.option("--most", default=0, help="Only the first so many rows of each file.")
def main(files: tuple[str, ...], new_machine: bool, only: str, most: int) -> None:
    """Print a table for each file, or for the shipped words."""
    from mips_core import read
    from mips_core.data.catalog import shipped

    sets = {Path(file).name: read(file).items for file in files}
    for title, items in (sets or {"shipped words": shipped("glove-6b-50d").items}).items():
        items = items[: most or None]
        with TemporaryDirectory() as folder:
            prepare(items, Path(folder))
            rows = {
                name: measured(name, Path(folder), new_machine)
                for name in ROWS
                if name.startswith(only)
            }
        show(f"{title}: {len(items):,} x {items.shape[1]} (cold, warm)", rows)


if __name__ == "__main__":
    main()
