"""The kept child process: one fit at a time, cancel, death. Played by a child that does no work."""

import io
import os
import signal
import time
from threading import Event, Thread

import numpy as np
import pytest

from mips_core.base import child_process
from mips_core.base.errors import Cancelled, MipsError
from mips_core.base.progress import silent
from mips_core.groups.projection import umap_child, umap_process
from mips_core.groups.projection.kept_child import KeptChild
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.neighbours import Neighbours
from mips_core.groups.projection.umap_process import fit_umap, warm

# Shifts the start by one with every epoch, and does what it is told at the last of them.
PLAYER = """
import importlib.util, os, signal, sys, time
spec = importlib.util.spec_from_file_location("umap_child", {script!r})
child = importlib.util.module_from_spec(spec)
spec.loader.exec_module(child)
out, deed = sys.stdout.buffer, {deed!r}
child.write(out, {{"kind": "ready"}})
while (request := child.read(sys.stdin.buffer)) is not None:
    facts, (xy, *_) = request
    for epoch in range(1, facts["epochs"]):
        xy += 1
        child.write(out, {{"kind": "epoch", "epoch": epoch}}, [xy])
    if deed == "stall":
        time.sleep(600)
    elif deed == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif deed == "leave":
        sys.exit(3)
    elif deed == "babble":
        out.write(b"no message\\n")
        out.flush()
    elif deed == "lack":
        child.write(out, {{"kind": "failed", "why": "ModuleNotFoundError: umap"}})
    while deed == "wait" and not os.path.exists({gate!r}):
        time.sleep(0.01)
    xy += 1
    child.write(out, {{"kind": "done"}}, [xy])
"""


@pytest.fixture
def keeper(monkeypatch):
    """A keeper of its own, ended with the test."""
    kept = KeptChild(umap_process._started)
    monkeypatch.setattr(umap_process, "_KEPT", kept)
    yield kept
    kept.end()


@pytest.fixture
def play(keeper, monkeypatch, tmp_path):
    """play(deed) makes the next child one that does it."""

    def plays(deed):
        script = tmp_path / f"{deed}.py"
        gate = str(tmp_path / "gate")
        script.write_text(PLAYER.format(script=umap_child.__file__, deed=deed, gate=gate))
        monkeypatch.setattr(umap_process, "SCRIPT", str(script))

    return plays


START = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
NEAR = Neighbours(
    np.array([[0, 1, 2], [1, 0, 2], [2, 0, 1]], np.int32),
    np.array([[0, 1, 1], [0, 1, 1.5], [0, 1, 1.5]], np.float32),
    exact=True,
)


def fit(epochs=4, on_epoch=lambda epoch, xy: None, progress=silent):
    return fit_umap(START, NEAR, ProjectionRecipe(), epochs, on_epoch, progress)


def test_layouts_come_on_the_way_and_the_last_is_returned(play):
    play("work")
    seen, said = [], []
    end = fit(
        4,
        lambda epoch, xy: seen.append((epoch, xy.copy())),
        lambda fraction, message, partial=None: said.append((fraction, message)),
    )
    np.testing.assert_allclose(end, np.array([[4, 4], [14, 4], [4, 14]]), atol=1e-2)
    for epoch, xy in seen:
        np.testing.assert_allclose(xy, end - (4 - epoch), atol=1e-5)
    assert [epoch for epoch, _ in seen] == sorted({epoch for epoch, _ in seen})
    assert [fraction for fraction, _ in said] == sorted(fraction for fraction, _ in said)


def test_the_child_is_kept(play, keeper):
    play("work")
    warm()
    child = keeper.child()
    fit()
    fit()
    warm()
    assert keeper.child() is child


def test_progress_tells_the_epoch_and_the_time_left(monkeypatch):
    monkeypatch.setattr(umap_process, "monotonic", lambda: 30.0)
    assert umap_process._left((20, 10.0), 120, 200) == " · about 16 s left"
    assert umap_process._left((120, 30.0), 120, 200) == ""


def test_a_second_fit_waits_and_says_so(play, tmp_path):
    play("wait")
    begun, waiting, ends = Event(), Event(), []
    second_said = []

    def first():
        ends.append(fit(on_epoch=lambda epoch, xy: begun.set()))

    def second():
        def progress(fraction, message, partial=None):
            second_said.append(message)
            if message == "Waiting for another map":
                waiting.set()

        ends.append(fit(progress=progress))

    threads = [Thread(target=first), Thread(target=second)]
    threads[0].start()
    assert begun.wait(30)
    threads[1].start()
    assert waiting.wait(30)
    assert not ends
    (tmp_path / "gate").touch()
    for thread in threads:
        thread.join(30)
    np.testing.assert_array_equal(ends[0], ends[1])
    assert "Waiting for another map" in second_said


def test_a_waiting_fit_can_be_cancelled(play, keeper):
    play("work")

    def progress(fraction, message, partial=None):
        if message == "Waiting for another map":
            raise Cancelled

    with keeper.turn, pytest.raises(Cancelled):
        fit(progress=progress)
    fit()  # the turn was given back


def test_cancel_ends_the_child_and_warms_another(play, keeper):
    play("stall")
    first, asked = keeper.child(), []

    def progress(fraction, message, partial=None):
        if "epoch 3 of 4" in message:
            asked.append(time.monotonic())
            play("work")
            raise Cancelled

    with pytest.raises(Cancelled):
        fit(progress=progress)
    assert time.monotonic() - asked[0] < 3  # half a second on a machine that is not busy
    assert not first.is_alive
    warmed = keeper.child()
    assert warmed is not first
    assert np.isfinite(fit()).all()
    assert keeper.child() is warmed


@pytest.mark.parametrize("deed", ["die", "leave", "babble", "lack"])
def test_a_child_that_breaks_down_is_told_of_and_the_next_fit_works(play, deed):
    play(deed)
    words = {"die": "want of memory", "lack": "umap-learn is not as it should be"}
    with pytest.raises(MipsError, match=words.get(deed, "broke down")) as caught:
        fit()
    assert caught.value.remedy.endswith("use the PCA layout.")
    play("work")
    assert np.isfinite(fit()).all()


def test_a_child_killed_while_it_was_idle_is_replaced(play, keeper):
    play("work")
    fit()
    os.kill(keeper.child().process.pid, signal.SIGKILL)
    keeper.child().process.wait(30)
    assert np.isfinite(fit()).all()


def test_a_system_without_room_for_a_process_is_told_of(keeper, monkeypatch):
    def none(*args, **kwargs):
        raise BlockingIOError

    monkeypatch.setattr(child_process.subprocess, "Popen", none)
    warm()  # nobody has asked for a fit yet
    with pytest.raises(MipsError, match="no room for another process"):
        fit()


def test_messages_survive_the_way():
    sent = [np.arange(6, dtype=np.float32).reshape(3, 2), np.zeros((0, 2)), np.array([7], np.int32)]
    stream = io.BytesIO()
    umap_child.write(stream, {"kind": "epoch", "epoch": 3}, sent)
    whole = stream.getvalue()
    facts, arrays = umap_child.read(io.BytesIO(whole))
    assert facts == {"kind": "epoch", "epoch": 3}
    for array, given in zip(arrays, sent, strict=True):
        assert array.dtype == given.dtype
        assert array.flags.writeable
        np.testing.assert_array_equal(array, given)
    for length in range(len(whole)):
        assert umap_child.read(io.BytesIO(whole[:length])) is None


def test_a_bar_that_is_drawn_sends_the_layout():
    out, xy = io.BytesIO(), np.ones((2, 2), np.float32)
    snapshots = umap_child.Snapshots(out, xy)
    for text in ("\r0", "\r12", "", "\r   ", "\r", "\n"):
        snapshots.write(text)
    snapshots.flush()
    out.seek(0)
    facts, (sent,) = umap_child.read(out)
    assert facts == {"kind": "epoch", "epoch": 12}
    np.testing.assert_array_equal(sent, xy)
    assert umap_child.read(out) is None


@pytest.mark.parametrize(("allowed", "stays"), [(0, True), (400 * 2**20, False), (2 * 2**30, True)])
def test_where_little_memory_is_allowed_no_process_waits(keeper, monkeypatch, allowed, stays):
    monkeypatch.setattr(umap_process.limits, "MEMORY_BYTES", allowed)
    warm()
    assert (keeper._child is not None) == stays
