"""A cluster of two processes gives the bits of threads, and bears the loss of a worker."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.methods.indexes import INDEXES
from mips_core.scale.build_on_parts import build_on_parts
from mips_core.scale.dask_engine import Dask
from mips_core.scale.engine import Local
from mips_core.scale.manifest import read_manifest
from mips_core.scale.parts_curve import evaluate_on_parts, sampled_queries, truth_on_parts
from mips_core.scale.write_parts import write_parts

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def cluster():
    """(address, process) of two workers, started by the command."""
    pytest.importorskip("distributed", reason="distributed, an optional extra, is not installed")
    process = subprocess.Popen(
        [sys.executable, "-m", "mips_core", "parts", "cluster", "--workers", "2"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        assert line.startswith("Started: --cluster tcp://127.0.0.1:"), line
        yield line.split()[-1], process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


@pytest.fixture(scope="module")
def engine(cluster):
    engine = Dask(cluster[0])
    yield engine
    engine.close()


def outcome(folder, engine, progress=lambda *_: None):
    manifest = read_manifest(folder)
    index = INDEXES["flat-kmeans"](n_clusters=20, max_rounds=4)
    built = build_on_parts(index, manifest, 0, engine, progress)
    queries, _ = sampled_queries(manifest, 30)
    truth = truth_on_parts(manifest, queries, engine)
    curve = evaluate_on_parts(index, built, truth, 0).curve((1, 10))
    tree = built.tree()
    fit = tree.histories[-1]
    return fit.centroids.tobytes(), fit.labels.tobytes(), fit.rounds, curve.as_dict()


def written(folder, rows):
    rng = np.random.default_rng(0)
    write_parts([("X", rng.normal(size=(800, 6)).astype(np.float32))], folder, rows=rows)
    return folder


def test_a_cluster_gives_the_bits_of_threads_and_bears_the_loss_of_a_worker(tmp_path, engine):
    whole = outcome(written(tmp_path / "a", 300), Local(1))
    assert outcome(written(tmp_path / "b", 110), engine) == whole
    pids = list(engine._client.run(os.getpid).values())

    def kill(fraction, message, partial=None):
        if partial is not None and len(partial.rounds) == 2 and pids:
            os.kill(pids.pop(), signal.SIGKILL)
            pids.clear()

    assert outcome(written(tmp_path / "c", 110), engine, kill) == whole
    assert not pids
    assert not list((tmp_path / "c").rglob("*.unfinished"))


def test_nothing_listens_beyond_this_machine(cluster):
    psutil = pytest.importorskip("psutil")
    parent = psutil.Process(cluster[1].pid)
    processes = [parent, *parent.children(recursive=True)]
    listening = [c.laddr.ip for p in processes for c in p.net_connections("inet")
                 if c.status == psutil.CONN_LISTEN]  # fmt: skip
    assert len(listening) >= 3
    assert set(listening) == {"127.0.0.1"}


def test_errors_of_a_task_come_as_they_are(engine, tmp_path):
    folder = written(tmp_path / "x", 300)
    np.save(folder / "part-00001.npy", np.zeros((300, 6), np.float32))
    with pytest.raises(DataError, match=r"part-00001\.npy has changed"):
        outcome(folder, engine)
