"""How far the work for the Robustness page is, with Cancel, and going on after that."""

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from pages._ui.parts import progress
from pages._ui.robustness.study import LAST, Study
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.state.settings import start_looks
from pages._ui.work import jobs, results
from pages._ui.work.job import Job
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import Task

FIRST = -0.5  # wanted: what tells which settings are built, after the noise itself
NOISE = ("noisy queries", "under noise")  # first words of keys


def start_missing(session: Session, study: Study, at: int) -> list[tuple[float, Task[Any]]]:
    """Start what is not known yet of all tasks, returned; take back what a view left waits for.

    After Cancel nothing is started, whatever it would be, until the visitor goes on.
    """
    tasks = list(study.tasks(at))
    session.want("robustness", [task.key for _, task in tasks])
    if study.stopped:
        return tasks
    start_looks(session, list(study.looks.values()), "robustness", FIRST)
    for order, task in tasks:
        if task.unsettled:
            task.start(session.owner, order)
    return tasks


def unsettled(study: Study, tasks: Iterable[tuple[float, Task[Any]]]) -> bool:
    """Whether anything is still to come: neither known nor stopped, failed or without room."""
    every: list[Task[Any]] = [*study.looks.values(), *(task for _, task in tasks)]
    return any(task.active if study.stopped else task.unsettled for task in every)


def shown_of(study: Study, tasks: Sequence[tuple[float, Task[Any]]]) -> object:
    """Equal where `draw`, and what is told of samples, would be the same for these choices."""
    every = [task for _, task in tasks]
    crowded = sum(results.crowded(task.key) for task in every)
    samples = [(*_stands(look), look.job and look.job.message) for look in study.looks.values()]
    return study.stopped, crowded, samples, [_stands(task) for task in every]


def _stands(task: Task[Any]) -> tuple[object, ...]:
    job, known = task.job, task.result is not None
    return known, job and (job.number, job.active or job.state, job.stop, job.error)


def draw(study: Study, tasks: Sequence[tuple[float, Task[Any]]]) -> None:
    """What is under way of these, or was stopped; nothing where all is known."""
    missing = [task for _, task in tasks if task.result is None]
    all_jobs = [task.job for task in missing]
    active = [job for job in all_jobs if job is not None and job.active and not job.stop]
    ended = [job for job in all_jobs if job is not None and job.state in ("cancelled", "failed")]
    progress.say_without_room([task.key for _, task in tasks])
    if active:
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.info(f"{_how_far(tasks)} You may leave the page; the work goes on.")
        if right.button(
            "Cancel", key="cancel noise", width="stretch", on_click=_stop, args=(study,)
        ):
            st.rerun()
    elif ended or (study.stopped and missing):
        looks = [look.job for look in study.looks.values() if look.job is not None]
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.info(_why_ended(ended, len(tasks) - len(missing), len(tasks)))
        if right.button(
            "Go on",
            key="go on with noise",
            width="stretch",
            on_click=_go_on,
            args=([*ended, *looks],),
        ):
            st.rerun()


def _stop(study: Study) -> None:
    """Nothing more is started for these choices, even where other settings come to be chosen."""
    session = app_state.current()
    session.stopped["robustness"] = study.choices
    every = {job.key: job for job in jobs.of(session.owner)}
    noise = [key for key in every if isinstance(key, tuple) and key[0] in NOISE]
    looks = study.looks.values()
    wanted = session.wishes["robustness"].union(noise, (look.key for look in looks))
    for key in wanted:  # of settings not chosen just now, too
        job = jobs.find(key)
        if job is not None and job.active:
            jobs.cancel(job, session.owner)


def _go_on(ended: Sequence[Job]) -> None:
    app_state.current().stopped.pop("robustness", None)
    for job in ended:
        jobs.forget(job)


def _how_far(tasks: Sequence[tuple[float, Task[Any]]]) -> str:
    """The first of three parts of the work that is not done: grids, noise, other builds."""
    grids = [task for _, task in tasks if isinstance(task, Measurement)]
    noise = [task for order, task in tasks if order < LAST and not isinstance(task, Measurement)]
    builds = [task for order, task in tasks if order >= LAST]
    if any(task.result is None for task in grids):
        return (
            f"**{_count(grids)} settings are in.** Each method is drawn with the best of what is "
            "known; the rest may change its setting."
        )
    if any(task.result is None for task in noise):
        return (
            f"**Noise is put on what was chosen: {_count(noise)} are in.** Nearest speedups first."
        )
    return f"**{_count(builds)} other builds are in.** They show what the seed of a build changes."


def _why_ended(ended: Sequence[Job], done: int, all_: int) -> str:
    if not ended or any(job.state == "cancelled" for job in ended):
        return f"**Cancelled after {done} of {all_} steps.** What was measured stays."
    return f"**{len(ended)} of {all_} steps could not be done.** {ended[0].error}"


def _count(tasks: Sequence[Task[Any]]) -> str:
    return f"{sum(task.result is not None for task in tasks)} of {len(tasks)}"
