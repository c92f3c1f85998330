"""Where data are a sample of vectors in parts: the index in use built on all of them."""

import shlex
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import streamlit as st

from mips_core.base.params import plain_values
from mips_core.base.text import counted, duration
from mips_core.evaluation.setting import index_in_words, position_of
from mips_core.report.command_lines import PROGRAM, index_options
from pages._ui.parts import on_all, progress
from pages._ui.parts.drawn_curves import usual_effort
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain
from pages._ui.work import on_all as work
from pages._ui.work import parts_data, results
from pages._ui.work.on_all import BuiltOnAll
from pages._ui.work.task import Task

if TYPE_CHECKING:
    from mips_core.scale.manifest import Manifest


def draw() -> None:
    """The section; nothing where the data in use are no sample of parts."""
    session = app_state.current().snapshot()
    manifest = parts_data.sampled_of(session.dataset)
    if manifest is not None:
        active = on_all.waits(session, _task(session, manifest))
        watch_jobs(_draw, progress.LOOK if active else None, session, manifest, active)


def _draw(session: Session, manifest: "Manifest", before: bool) -> None:
    index, seed, task = session.index, session.seed, _task(session, manifest)
    if on_all.head(session, manifest, task, work.why_not_on_all(index, manifest)):
        there = work.is_there(index, manifest, seed)
        if task.result is not None and not there:  # it was removed meanwhile
            results.remember(task.key, None)
        built = on_all.ask(
            session,
            task,
            "build on all",
            "Build on all",
            lambda built: _told(session, manifest, built, there),
        )
        if built is not None:
            _show(session, manifest, built)
    if on_all.waits(session, task) != before:
        st.rerun()


def _task(session: Session, manifest: "Manifest") -> Task[BuiltOnAll]:
    """The index in use, built on all vectors."""
    index, seed = session.index, session.seed
    return Task(
        ("built on all parts", str(manifest.path), manifest.key, index, seed),
        on_all.job_label(index, manifest, seed),
        lambda progress: work.built_on_all(manifest, index, seed, progress),
    )


def _told(session: Session, manifest: "Manifest", built: BuiltOnAll | None, there: bool) -> str:
    """What the button does, or what was built."""
    index, who = session.index, work.worker_words()
    name = f"**{index.label}, {plain(index_in_words(index, manifest.n))}**"
    if built is not None:
        return f"This is {name}, built on all {manifest.n:,}."
    if there:
        return (
            f"{name} was built on all {manifest.n:,} before: *Build on all* checks the parts by "
            f"{who}, and says what is there."
        )
    return (
        f"*Build on all* builds {name} on all {manifest.n:,} by {who}. What is cancelled, or "
        "stopped, goes on after its last pass over the vectors."
    )


def _show(session: Session, manifest: "Manifest", built: BuiltOnAll) -> None:
    """What came out, where it lies, and how it is searched and taken away."""
    clusters = counted(built.clusters, "live cluster", "live clusters")
    rounds = counted(built.rounds, "round", "rounds")
    took = "was there already, built" if built.was_there else "built"
    if isfinite(built.seconds):
        took += f" in {duration(built.seconds)}"
    folder = manifest.path.parent.name
    st.success(
        f"**{session.index.label} on all {manifest.n:,} vectors** · {took} · {clusters} after "
        f"{rounds} · in the folder `{built.folder.name}` of {plain(folder)}"
    )
    st.caption(
        f"Where {plain(folder)} lies, these lines search it, and write it as a file without the "
        f"vectors. `queries.npy` has one query a row, {manifest.d:,} numbers."
    )
    st.code(lines(session, folder, built.efforts), language="bash", wrap_lines=True)


def lines(session: Session, folder: str, efforts: Sequence[int]) -> str:
    """Commands that search what was built in `folder`, as hard as the sample, and write a file."""
    small = session.measurement_of(session.index).evaluation
    curve = None if small is None else small.curve((session.K,))
    wanted = session.effort or usual_effort(curve, session.K)
    effort = efforts[position_of(wanted, efforts)]
    index = session.index
    same = [*index_options(index.key, plain_values(index)), "--seed", str(session.seed)]
    search = ["search", folder, "queries.npy", *same, "--k", str(session.K)]
    search += ["--effort", str(effort), "--out", "answers.json"]
    build = ["build", folder, *same, "--out", "index.mips"]
    return "\n".join(f"{PROGRAM} parts {shlex.join(words)}" for words in (search, build))
