"""Work on parts under faults, its memory and what a cluster costs: `python -m benchmarks.scale`.

A scheduler and workers of this machine, under TLS, each a process that is killed or stopped while a
driver builds flat k-means, or asks for the true answers of its curve. Every outcome is held, bit by
bit, to that of threads of one process. `--markdown docs/scale.md` puts the tables into that page.
"""

import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
import psutil

from benchmarks.machine import machine, made_on, versions
from benchmarks.tables import as_markdown, put_into
from mips_core.methods.indexes import INDEXES
from mips_core.scale.build_on_parts import build_on_parts
from mips_core.scale.dask_engine import Dask
from mips_core.scale.engine import Engine, Local
from mips_core.scale.finished import remove_runs
from mips_core.scale.manifest import read_manifest
from mips_core.scale.parts_curve import evaluate_on_parts, sampled_queries, truth_on_parts
from mips_core.scale.scheduler_address import TLS, VARIABLE
from mips_core.scale.write_parts import write_parts

ROOT = Path(__file__).parents[1]
TRIALS, WORKERS = 5, 3
KERNELS = ("SkylakeX", "Haswell", "Sandybridge")  # of OpenBLAS
SMALL, LARGE = (300_000, 64), [(1_000_000, 64), (2_000_000, 64), (4_000_000, 64)]
CLUSTERS = {SMALL: 500, **dict.fromkeys(LARGE, 2_000)}
ROUNDS, QUERIES = {SMALL: 6, **dict.fromkeys(LARGE, 2)}, 1_000
STAGES = {"building": "round 2", "asking": "asked"}  # -> what the driver says when it is hit
Row = dict[str, Any]


def simulated(n: int, d: int) -> Iterator[tuple[str, np.ndarray]]:
    """Blocks of rows about 1,000 centres, of uneven length."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(1_000, d)).astype(np.float32)
    for first in range(0, n, 2**16):
        size = min(2**16, n - first)
        rows = centres[rng.integers(len(centres), size=size)] + rng.normal(size=(size, d))
        yield "simulated", (rows * rng.lognormal(sigma=0.3, size=(size, 1))).astype(np.float16)


def drive(folder: Path, out: Path, threads: int) -> None:
    """Build and ask, telling how far it is; then what came out, how long it took, from where on."""
    manifest = read_manifest(folder)
    address = os.environ.get(VARIABLE)
    engine: Engine = Dask(address) if address and not threads else Local(threads or None)
    size = manifest.n, manifest.d
    index = INDEXES["flat-kmeans"](n_clusters=CLUSTERS[size], max_rounds=ROUNDS[size], fit="exact")
    rounds: list[int] = []

    def building(fraction: float, message: str, partial: Any = None) -> None:
        if partial is not None:
            rounds.append(len(partial.rounds))
            print(f"round {rounds[-1]}", flush=True)

    def asking(fraction: float, message: str, partial: Any = None) -> None:
        if fraction > 0:
            print("asked", flush=True)

    began = time.perf_counter()
    built = build_on_parts(index, manifest, 0, engine, building)
    build_seconds = time.perf_counter() - began
    truth = truth_on_parts(manifest, sampled_queries(manifest, QUERIES)[0], engine, asking)
    curve = evaluate_on_parts(index, built, truth, 0).curve((1, 10, 100))
    tree = built.tree()
    digest = sha256(json.dumps(curve.as_dict()).encode())
    for array in (tree.levels[0].centroids, tree.levels[0].labels, truth.ids, truth.scores):
        digest.update(np.ascontiguousarray(array).view(np.uint8).data)
    digest.update(repr(built.finest.rounds).encode())
    told = {"digest": digest.hexdigest(), "first": rounds[0] if rounds else 0,
            "build": build_seconds, "all": time.perf_counter() - began}  # fmt: skip
    out.write_text(json.dumps(told))
    engine.close()


class Cluster:
    """A scheduler, and workers that each have a nanny, as `dask` starts them."""

    def __init__(self, folder: Path, workers: int) -> None:
        from distributed import Security

        security = Security.temporary()
        certificate = folder / "cluster.pem"
        certificate.touch(0o600)
        certificate.write_text(security.tls_client_cert + security.tls_client_key)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tls://127.0.0.1:{self.port}"
        own = dict.fromkeys(TLS.values(), str(certificate))
        self.environment = {**os.environ, **own, VARIABLE: self.address}
        self.tls = [f"--tls-{name}={certificate}" for name in ("ca-file", "cert", "key")]
        self.folder, self.count = folder, workers
        self.scheduler: subprocess.Popen[bytes]
        self.nannies: list[subprocess.Popen[bytes]] = []
        self.start()

    def start(self) -> None:
        here = ["--protocol=tls", "--host=127.0.0.1", *self.tls]
        self.scheduler = self._dask("scheduler", f"--port={self.port}",
                                    "--dashboard-address=127.0.0.1:0", *here)  # fmt: skip
        self.nannies = []
        self.fill()

    def restart(self) -> None:
        self.end()
        self.start()

    def fill(self) -> None:
        """Start the workers that are missing, and wait for all."""
        self.nannies = [nanny for nanny in self.nannies if nanny.poll() is None]
        while len(self.nannies) < self.count:
            nanny = self._dask("worker", self.address, "--nthreads=1", "--memory-limit=2GiB",
                               "--host=127.0.0.1", "--dashboard-address=127.0.0.1:0",
                               "--preload=mips_core.scale.parts_curve",
                               f"--local-directory={self.folder}", *self.tls)  # fmt: skip
            self.nannies.append(nanny)
        engine = Dask(self.address, environment=self.environment)
        engine._client.wait_for_workers(self.count, timeout=60)
        engine.close()

    def _dask(self, *arguments: str) -> subprocess.Popen[bytes]:
        log = (self.folder / "log").open("ab")
        command = [sys.executable, "-m", "dask", *arguments]
        return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=self.environment,
                                start_new_session=True)  # fmt: skip

    def workers(self) -> list[psutil.Process]:
        """The processes that compute, below their nannies."""
        below = [psutil.Process(n.pid).children() for n in self.nannies if n.poll() is None]
        return [p for each in below for p in each if "spawn_main" in " ".join(p.cmdline())]

    def end(self, *processes: subprocess.Popen[bytes]) -> None:
        """Kill these, all of them where none is named, with what they started."""
        for process in processes or (*self.nannies, self.scheduler):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def cluster_of(workers: int) -> Iterator[Cluster]:
    """One that is gone after the block, with its files."""
    with TemporaryDirectory(prefix="mips-scale-") as folder:
        cluster = Cluster(Path(folder), workers)
        try:
            yield cluster
        finally:
            cluster.end()


def driver(folder: Path, out: Path, environment: dict[str, str], threads: int = 0) -> Any:
    """A process that drives, its words to be read."""
    out.unlink(missing_ok=True)
    command = [sys.executable, "-m", "benchmarks.scale", "--drive", str(folder), str(out)]
    return subprocess.Popen([*command, str(threads)], cwd=ROOT, stdout=subprocess.PIPE,
                            env=environment, text=True)  # fmt: skip


def outcome(folder: Path, environment: dict[str, str], threads: int = 0) -> Row:
    """What a driver that nothing happens to writes; what it left is removed first."""
    remove_runs(folder)
    out, began = folder.parent / "out.json", time.perf_counter()
    with driver(folder, out, environment, threads) as process:
        for _ in process.stdout:
            pass
    return {**json.loads(out.read_text()), "seconds": time.perf_counter() - began}


FAULTS: dict[str, Callable[[Cluster], object] | None] = {
    "a worker is killed": lambda cluster: random.choice(cluster.workers()).kill(),
    "a worker and its nanny are killed": lambda cluster: cluster.end(
        random.choice(cluster.nannies)
    ),
    "the driver is killed, and started again": None,
    "scheduler and workers are killed, and started again": lambda cluster: cluster.restart(),
    "a worker is stopped, not killed": lambda cluster: random.choice(cluster.workers()).suspend(),
}


def trial(cluster: Cluster, folder: Path, fault: str, stage: str) -> Row:
    """One run that is hit at a moment of `stage`: seconds in all, and what came out."""
    remove_runs(folder)
    out, act = folder.parent / "out.json", FAULTS[fault]
    began, hit, lag = time.perf_counter(), False, 0.4 * random.random()
    process = driver(folder, out, cluster.environment)
    for line in process.stdout:
        if not hit and line.startswith(STAGES[stage]):
            hit = True
            time.sleep(lag)
            if act is not None:
                act(cluster)
            else:
                process.kill()
    process.wait()
    if act is None:
        with driver(folder, out, cluster.environment) as again:
            for _ in again.stdout:
                pass
    seconds = time.perf_counter() - began
    for worker in cluster.workers():
        worker.resume()
    cluster.fill()
    told = json.loads(out.read_text()) if out.exists() else {}
    left = [path.name for path in folder.rglob("*.unfinished")]
    return {"hit": hit, "seconds": seconds, "left": left, **told}


def faults(folder: Path) -> Row:
    """TRIALS of each fault in each stage, beside as many runs that nothing happens to."""
    expected = outcome(folder, dict(os.environ), 2)["digest"]
    rows = {}
    with cluster_of(WORKERS) as cluster:
        quiet = [outcome(folder, cluster.environment) for _ in range(TRIALS)]
        rows["nothing"] = {"both": quiet}
        for fault in FAULTS:
            rows[fault] = {
                stage: [trial(cluster, folder, fault, stage) for _ in range(TRIALS)]
                for stage in STAGES
            }
            print(f"{fault}: {json.dumps(_summary(rows[fault], expected))}", flush=True)
    return {"expected": expected, "rows": rows}


def _summary(stages: dict[str, list[Row]], expected: str) -> dict[str, list[Any]]:
    """Stage -> equal ones of how many, median and largest seconds, unfinished files."""
    return {
        stage: [
            sum(t.get("digest") == expected for t in trials), len(trials),
            round(statistics.median(t["seconds"] for t in trials), 1),
            round(max(t["seconds"] for t in trials), 1),
            sum(len(t.get("left", ())) for t in trials),
        ]
        for stage, trials in stages.items()
    }  # fmt: skip


def same_bits(*folders: Path) -> Row:
    """Digests by cut, workers and OpenBLAS kernels."""
    found = {}
    for folder in folders:
        parts = len(read_manifest(folder).parts)
        for kernels in KERNELS:
            environment = {**os.environ, "OPENBLAS_CORETYPE": kernels}
            found[f"{parts} parts, threads, {kernels}"] = outcome(folder, environment, 2)["digest"]
        for workers in (1, 2, 4):
            with cluster_of(workers) as cluster:
                told = outcome(folder, cluster.environment)
            found[f"{parts} parts, cluster of {workers}"] = told["digest"]
    return found


def growth(*folders: Path) -> list[Row]:
    """Seconds of builds by threads and by as many workers, and the memory of these at most."""
    rows = []
    for folder in folders:
        local = outcome(folder, dict(os.environ), 2)
        with cluster_of(2) as cluster:
            there = outcome(folder, cluster.environment)
            peaks = [_peak(worker.pid) for worker in cluster.workers()]
        equal = local["digest"] == there["digest"]
        seconds = {"threads": local["build"], "cluster": there["build"]}
        rows.append({"n": read_manifest(folder).n, **seconds, "peak": peaks, "equal": equal})
        print(rows[-1], flush=True)
    return rows


def _peak(process: int) -> int:
    """Bytes that a process had resident at most."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def page(report: Row) -> str:
    """The tables of docs/scale.md, of what was measured."""
    told = [f"Measured with `python -m benchmarks.scale` on {report['made_on']}."]
    for part, words in (("faults", _faults_told), ("bits", _bits_told), ("growth", _growth_told)):
        if part in report:
            told += words(report[part])
    return "\n\n".join(told)


def _faults_told(found: Row) -> list[str]:
    lines, left = [["What happened", "While", "Same bits", "Median seconds", "Most"]], 0
    for fault, stages in found["rows"].items():
        for stage, numbers in _summary(stages, found["expected"]).items():
            equal, trials, middle, most, files = numbers
            lines.append([fault, stage, f"{equal} of {trials}", str(middle), str(most)])
            left += files
    again = found["rows"]["the driver is killed, and started again"]["building"]
    return [
        f"**Faults.** {SMALL[0]:,} × {SMALL[1]} simulated vectors, {CLUSTERS[SMALL]} clusters, "
        f"{ROUNDS[SMALL]} rounds on all rows, {QUERIES:,} queries, {WORKERS} workers under TLS. "
        "Seconds are those of the whole program, from its start. *Same bits*: centroids, labels, "
        "rounds, true answers and the curve are those of threads of one process.",
        as_markdown(lines),
        f"Unfinished files left: {left}. Drivers that were started again went on at round "
        f"{', '.join(str(one['first']) for one in again)}.",
    ]


def _bits_told(bits: Row) -> list[str]:
    return [
        f"**Settings.** {SMALL[0]:,} × {SMALL[1]} simulated vectors, {CLUSTERS[SMALL]} clusters, "
        f"{ROUNDS[SMALL]} rounds, {QUERIES:,} queries. {len(set(bits.values()))} outcome of "
        f"{len(bits)} runs: {'; '.join(bits)}."
    ]


def _growth_told(rows: list[Row]) -> list[str]:
    k, d = CLUSTERS[LARGE[0]], LARGE[0][1]
    lines = [["Vectors", "Two threads", "Two workers", "More", "GF/s a worker", "Resident MiB"]]
    for row in rows:
        rate = 2 * ROUNDS[row["n"], d] * row["n"] * k * d / row["cluster"] / len(row["peak"]) / 1e9
        more, peak = row["cluster"] / row["threads"] - 1, max(row["peak"]) / 2**20
        seconds = [f"{row[who]:.1f} s" for who in ("threads", "cluster")]
        lines.append([f"{row['n']:,}", *seconds, f"{more:+.1%}", f"{rate:.0f}", f"{peak:.0f}"])
    return [
        f"**Growth.** Vectors of {d} dimensions in float16, {k:,} clusters, {ROUNDS[LARGE[0]]} "
        "rounds on all rows. Seconds and rates are those of the build, the parts checked too; "
        "workers have loaded this program before. A worker's resident memory counts mapped parts; "
        "300 MB + 12 k d bytes are "
        f"{(300e6 + 12 * k * d) / 2**20:.0f} MiB. The bits were "
        f"{'the same' if all(row['equal'] for row in rows) else 'NOT THE SAME'}.",
        as_markdown(lines),
    ]


CUTS = {
    "a": (SMALL, 20_000),
    "b": (SMALL, 70_000),
    **{str(n): ((n, d), 500_000) for n, d in LARGE},
}  # rows of a part
NEEDS = {"faults": ["a"], "bits": ["a", "b"], "growth": [str(n) for n, _ in LARGE]}
MEASURES: dict[str, Callable[..., Any]] = {"faults": faults, "bits": same_bits, "growth": growth}


@click.command()
@click.option("--json", "file", type=click.Path(path_type=Path), default="scale.json")
@click.option("--markdown", type=click.Path(path_type=Path), help="Put the tables into this page.")
@click.option("--only", type=click.Choice(list(NEEDS)), multiple=True, help="Measure this alone.")
@click.option("--page-only", is_flag=True, help="Measure nothing.")
@click.option("--drive", "driven", type=str, nargs=3, hidden=True)
def main(
    file: Path,
    markdown: Path | None,
    only: tuple[str, ...],
    page_only: bool,
    driven: tuple[str, str, str] | None,
) -> None:
    """Measure, write all numbers as JSON, and put tables of them into a page."""
    if driven:
        drive(Path(driven[0]), Path(driven[1]), int(driven[2]))
        return
    report = json.loads(file.read_text()) if file.exists() else {}
    if not page_only:
        report["made_on"] = made_on(machine(), {"dask": version("dask"), **versions()})
    with TemporaryDirectory(prefix="mips-scale-") as name:
        folders = {cut: Path(name) / cut for cut in CUTS}
        for part in () if page_only else only or NEEDS:
            for cut in NEEDS[part]:
                if not folders[cut].exists():
                    size, rows = CUTS[cut]
                    write_parts(simulated(*size), folders[cut], "float16", rows=rows)
            report[part] = MEASURES[part](*(folders[cut] for cut in NEEDS[part]))
            file.write_text(json.dumps(report, indent=1) + "\n")
    if markdown is not None:
        put_into(markdown, page(report))


if __name__ == "__main__":
    main()
