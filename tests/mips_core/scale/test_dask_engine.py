"""A cluster of two processes gives the bits of threads, and bears the loss of a worker."""

import math
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from distributed import Security

from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.evaluation.builder import Builder
from mips_core.methods.indexes import INDEXES
from mips_core.scale import cluster_client, cluster_versions, dask_engine
from mips_core.scale.build_on_parts import build_on_parts
from mips_core.scale.dask_engine import Dask, LostError
from mips_core.scale.engine import Local, WorkersDiedError
from mips_core.scale.handed_tasks import HandedTasks
from mips_core.scale.manifest import parts_told, read_manifest
from mips_core.scale.parts_curve import evaluate_on_parts, sampled_queries, truth_on_parts
from mips_core.scale.parts_search import search_on_parts
from mips_core.scale.scheduler_address import TLS, AbsentError
from mips_core.scale.write_parts import write_parts
from mips_core.studies.sweeps import sweep

ROOT = Path(__file__).parents[3]
LIMIT = "600MB"  # of a worker


@pytest.fixture(scope="module")
def cluster():
    """(variables to set, process) of two workers, started by the command."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mips_core", "parts", "cluster", "--workers", "2",
         "--memory-limit", LIMIT],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        lines = [shlex.split(process.stdout.readline()) for _ in range(4)]
        assert {line[0] for line in lines} == {"export"}
        told = dict(line[1].split("=", 1) for line in lines)
        yield told, process
    finally:
        below = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        process.wait(20)
        process.stdout.close()
    assert not psutil.wait_procs(below, 10)[1]
    assert not Path(told["MIPS_TLS_KEY"]).exists()


@pytest.fixture(scope="module")
def engine(cluster):
    engine = Dask(cluster[0]["MIPS_SCHEDULER"], environment=cluster[0])
    yield engine
    engine.close()


failures = lambda most, dask_scheduler: setattr(dask_scheduler, "allowed_failures", most)  # noqa: E731


def outcome(folder, engine, progress=lambda *_: None):
    manifest = read_manifest(folder)
    index = INDEXES["flat-kmeans"](n_clusters=20, max_rounds=4)
    built = build_on_parts(index, manifest, 0, engine, progress)
    queries, _ = sampled_queries(manifest, 30)
    truth = truth_on_parts(manifest, queries, engine)
    curve = evaluate_on_parts(index, built, truth, 0).curve((1, 10))
    found = search_on_parts(index, built, queries, 10, 3, engine)
    fit = built.tree().histories[-1]
    answers = found.ids.tobytes(), found.scores.tobytes(), found.coverage
    return fit.centroids.tobytes(), fit.labels.tobytes(), fit.rounds, curve.as_dict(), answers


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


def test_settings_are_tried_as_tasks(tmp_path, engine):
    manifest = read_manifest(written(tmp_path / "x", 300))
    truth = truth_on_parts(manifest, sampled_queries(manifest, 30)[0], engine)
    indexes = [INDEXES["pca-tree"](), INDEXES["flat-kmeans"](n_clusters=9)]
    builder = Builder(manifest.take(np.arange(manifest.n)), truth, 10)
    for index, tried in zip(indexes, sweep(manifest, indexes, truth, 10, engine), strict=True):
        whole = builder.tried(index, 0).evaluation
        assert tried.evaluation.curve((10,)).as_dict() == whole.curve((10,)).as_dict()


def test_nothing_listens_beyond_this_machine_and_only_the_certificate_opens_it(
    cluster, tmp_path, monkeypatch
):
    environment, process = cluster
    parent = psutil.Process(process.pid)
    processes = [parent, *parent.children(recursive=True)]
    listening = [c.laddr.ip for p in processes for c in p.net_connections("inet")
                 if c.status == psutil.CONN_LISTEN]  # fmt: skip
    assert len(listening) >= 3
    assert set(listening) == {"127.0.0.1"}
    assert Path(environment["MIPS_TLS_KEY"]).stat().st_mode & 0o077 == 0
    with pytest.raises(ParamError, match="needs certificates"):
        Dask(environment["MIPS_SCHEDULER"], environment={})
    foreign = Security.temporary()
    (tmp_path / "own.pem").write_text(foreign.tls_client_cert + foreign.tls_client_key)
    own = dict.fromkeys(TLS.values(), str(tmp_path / "own.pem"))
    plain = environment["MIPS_SCHEDULER"].replace("tls", "tcp")
    monkeypatch.setattr(cluster_client, "CONNECT_SECONDS", 2)
    for address in (environment["MIPS_SCHEDULER"], plain):
        with pytest.raises(DataError, match="No scheduler answers"):
            Dask(address, environment=own)


def test_errors_of_a_task_come_as_they_are(engine, tmp_path):
    folder = written(tmp_path / "x", 300)
    np.save(folder / "part-00001.npy", np.zeros((300, 6), np.float32))
    with pytest.raises(DataError, match=r"part-00001\.npy has changed"):
        outcome(folder, engine)


def test_a_task_may_take_long_while_its_worker_speaks(engine, monkeypatch):
    monkeypatch.setattr(dask_engine, "SILENT_SECONDS", 2)
    monkeypatch.setattr(dask_engine, "STILL_SECONDS", 0.3)
    assert dict(engine.run(time.sleep, [(4,)], "long")) == {0: None}


@pytest.mark.parametrize("speaks", [False, True])
def test_silence_of_all_who_are_at_tasks_ends_with_words(monkeypatch, speaks):
    engine, words = object.__new__(Dask), iter(range(100, 200))
    engine._client, engine._aside = SimpleNamespace(status="running"), {}
    monkeypatch.setattr(dask_engine, "STILL_SECONDS", -1)  # at every look
    handed = HandedTasks(abs, {0: (-1,)}, "key")
    handed.futures[0] = [SimpleNamespace(key="task")]
    handed.meant_for[0] = set()

    def ask(what):
        seen = {"idle": float(next(words)), "works": float(next(words)) if speaks else 1.0}
        return {
            "identity": {"workers": {worker: {"last_seen": at} for worker, at in seen.items()}},
            "processing": {"idle": (), "works": ("task",)},
            "ncores": seen,
            "has_what": {},
        }[what]

    engine._ask, engine._copy = ask, lambda handed, numbers: None
    handed.last -= 2 * dask_engine.SILENT_SECONDS  # no task has ended for so long
    for _ in range(2):
        engine._watch(handed)
        handed.heard -= dask_engine.SILENT_SECONDS / 2 + 1
    if speaks:
        engine._watch(handed)
    else:
        with pytest.raises(DataError, match="No task of the cluster ended for 15 minutes, and no"):
            engine._watch(handed)


class LateFuture:
    """Of a task that is done, or was lost since; its value comes at the third time it is asked."""

    key = "task"

    def __init__(self, status):
        self.status, self.asked = status, []

    def add_done_callback(self, call):
        call(self)

    def result(self, timeout):
        self.asked.append(timeout)
        if len(self.asked) < 3:
            raise TimeoutError
        return 0.1, "value"

    def release(self):
        pass


def test_a_value_that_is_late_is_asked_for_again_where_nobody_else_can_make_it(monkeypatch):
    engine, future, looks = object.__new__(Dask), LateFuture("finished"), []
    monkeypatch.setattr(dask_engine, "POLL_SECONDS", 0.01)
    engine._client = SimpleNamespace(status="running", submit=lambda *a, **k: future)
    engine._aside = {}
    engine._ask = {"processing": {"only": ()}, "has_what": {"only": ("task",)}}.__getitem__

    def look(fraction, message, partial=None):
        looks.append(fraction)
        assert len(looks) < 50

    assert list(engine._attempt(abs, {0: (-1,)}, "key", 1, look)) == [(0, "value")]
    assert future.asked == [2, 4, 8]  # seconds that it has


def test_a_value_whose_worker_was_lost_is_waited_for(monkeypatch):
    engine, future, looks = object.__new__(Dask), LateFuture("lost"), []
    monkeypatch.setattr(dask_engine, "POLL_SECONDS", 0.01)
    engine._client = SimpleNamespace(status="running", submit=lambda *a, **k: future)
    engine._aside, future.asked = {}, [0, 0]

    def look(fraction, message, partial=None):
        looks.append(fraction)
        if len(looks) == 4:
            future.status = "finished"  # Dask did it again
        assert len(looks) < 50

    assert list(engine._attempt(abs, {0: (-1,)}, "key", 1, look)) == [(0, "value")]
    assert len(looks) >= 4


def test_a_client_that_was_closed_between_passes_connects_again(cluster):
    engine = Dask(cluster[0]["MIPS_SCHEDULER"], environment=cluster[0])
    assert engine.workers == 2
    engine._client.close()
    assert engine.workers == 2  # as last known
    assert dict(engine.run(abs, [(-1,), (2,)], "again")) == {0: 1, 1: 2}
    engine.close()


def test_after_a_cancel_the_workers_are_quiet_once_they_did_what_they_had_begun(engine):
    def stop(fraction, message, partial=None):
        if fraction > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(engine.run(time.sleep, [(0.2,)] * 100, "cancelled", stop))
    until = time.monotonic() + 10  # all of them would take as long
    while any(engine._client.processing().values()):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("told_by", ["LEAST_SLOW", "STILL_SECONDS"])
def test_a_worker_that_stands_still_is_passed_over(cluster, engine, monkeypatch, told_by):
    for rule in ("LEAST_SLOW", "STILL_SECONDS"):  # other tasks are done, or it says nothing
        monkeypatch.setattr(dask_engine, rule, {told_by: 2}.get(rule, 1000))
    engine._client.wait_for_workers(2)
    worker, pid = next(iter(engine._client.run(os.getpid).items()))
    os.kill(pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        fresh = Dask(cluster[0]["MIPS_SCHEDULER"], environment=cluster[0])
        for key in ("first", "second"):
            assert len(dict(fresh.run(time.sleep, [(0.05,)] * 8, f"{key} {told_by}"))) == 8
            assert worker in fresh._aside
        assert time.monotonic() - began < 30  # Dask alone: minutes
        fresh.close()
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("done", [0, 7])  # of the others
@pytest.mark.parametrize(
    ("at", "meant_for", "to"), [("still", "still", ["lives"]), ("", "gone", None)]
)
def test_a_copy_at_a_worker_that_is_silent_or_gone_is_done_once_more(at, meant_for, to, done):
    engine, submitted = object.__new__(Dask), []
    engine._client, engine._aside = SimpleNamespace(status="running"), {}
    seen = {"lives": 100.0, "still": 100.0 - dask_engine.STILL_SECONDS - 1}
    told = {
        "identity": {"workers": {worker: {"last_seen": when} for worker, when in seen.items()}},
        "processing": {worker: ("copy",) if worker == at else () for worker in seen},
        "has_what": {},
        "ncores": seen,
    }
    engine._ask = told.__getitem__
    engine._submit = lambda _, number, workers: submitted.append((number, workers))
    handed = HandedTasks(abs, dict.fromkeys(range(7 - done, 8), (-1,)), "key")
    handed.seconds, handed.last = [0.01] * done, time.monotonic() - 60
    handed.futures[7] = [SimpleNamespace(key=key) for key in ("first", "copy")]
    handed.meant_for[7], handed.looked = {meant_for}, -math.inf
    engine._watch(handed)
    engine._watch(handed)  # not at every look
    assert submitted == [(7, to)]
    assert "no workers" not in handed.in_words(8)
    told |= {"identity": {"workers": {}}, "processing": {}, "ncores": {}}
    handed.looked = -math.inf
    engine._watch(handed)
    assert handed.in_words(8) == "7 of 8 tasks done: the cluster has no workers now"


def test_a_refusal_of_who_came_back_is_not_waited_out(monkeypatch):
    engine, told = object.__new__(Dask), []
    engine._client, engine.address = SimpleNamespace(close=lambda timeout: None), "tls://a:1"
    engine._security = {}
    monkeypatch.setattr(dask_engine, "BACK_SECONDS", 0.5)

    def refused(address, certificates):
        raise error

    monkeypatch.setattr(dask_engine, "connected", refused)
    for error in (
        DataError("The worker has numpy 1.", "Install 2."),
        AbsentError("Gone.", "Wait."),
    ):
        told.append(0)
        with pytest.raises(DataError, match=error.found):
            engine._reconnect(lambda fraction, message: told.append(told.pop() + 1), 0.5)
    assert told[0] == 1
    assert told[1] > 1


@pytest.mark.parametrize(
    ("limits", "least"), [((5, 3), 3), ((None, 4), 4), ((0, 4), 4), ((None, 0), None), ((), None)]
)
def test_the_memory_of_a_worker_is_the_least_limit_that_is_known(limits, least):
    engine, gone = object.__new__(Dask), {"identity": {"workers": {}}}
    workers = {at: {"memory_limit": limit} for at, limit in enumerate(limits)}
    engine._limit = None
    engine._ask = {"identity": {"workers": workers}}.__getitem__
    assert engine.memory == least
    engine._ask = gone.__getitem__  # all workers are: as last known
    assert engine.memory == least


def lost(what):
    raise LostError


def test_the_memory_is_as_last_known_where_no_scheduler_answers():
    engine = object.__new__(Dask)
    engine._limit, engine._ask = 7, lost
    assert engine.memory == 7


def test_tasks_go_elsewhere_where_the_workers_meant_for_them_are_gone(engine, monkeypatch):
    monkeypatch.setattr(dask_engine, "SILENT_SECONDS", 20)
    monkeypatch.setattr(dask_engine, "STILL_SECONDS", 1)
    answers = iter([["tls://127.0.0.1:1"], None])
    monkeypatch.setattr(engine, "_where", lambda: next(answers))
    assert dict(engine.run(abs, [(-1,)], "elsewhere")) == {0: 1}


def test_a_cluster_of_other_versions_is_refused(cluster, monkeypatch):
    here = cluster_versions.installed()
    for package, who in (("dask", "The scheduler"), ("numba", "The worker tls://127.0.0.1:")):
        other = {**here, "packages": {**here["packages"], package: "0.1"}}
        monkeypatch.setattr(cluster_versions, "installed", lambda other=other: other)
        with pytest.raises(DataError, match=f"{who}.* has {package} .*this program 0.1"):
            Dask(cluster[0]["MIPS_SCHEDULER"], environment=cluster[0])


def test_workers_that_die_for_memory_are_told_with_the_limit_the_parts_and_what_to_do(
    engine, tmp_path
):
    manifest = read_manifest(written(tmp_path / "x", 300))
    hold = lambda: (np.ones(10**8), time.sleep(20))[0].sum()  # noqa: E731  (800 MB)
    engine._client.wait_for_workers(2)
    engine._client.run_on_scheduler(failures, 0)
    try:
        with pytest.raises(WorkersDiedError) as died, parts_told(manifest):
            list(engine.run(hold, [()], "large"))
    finally:
        engine._client.run_on_scheduler(failures, 3)
    assert "may take 600 MB each" in died.value.found
    assert "largest of the parts takes 7.03 kB" in died.value.found
    assert "--part-mb" in died.value.remedy
    assert dict(engine.run(abs, [(-1,)], "after")) == {0: 1}
