"""Where data are a sample of vectors in parts: the section of a page that works on all of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

import streamlit as st

from mips_core import Dataset, Index
from pages._ui.parts import progress
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain
from pages._ui.work import jobs
from pages._ui.work.job import Job
from pages._ui.work.task import Task

if TYPE_CHECKING:
    from mips_core.scale.manifest import Manifest

Result = TypeVar("Result")
LEFT = "The clusters, and 4 bytes a vector,"


def waits(session: Session, task: Task[Result]) -> bool:
    """Whether it is under way, or the like for what was asked before."""
    return task.active or bool(_earlier(session, task))


def head(session: Session, manifest: "Manifest", task: Task[Result], problem: str) -> bool:
    """The heading, and the `problem` where there is one; whether there is none."""
    st.subheader(f"On all {manifest.n:,} vectors", anchor=False)
    if problem:
        st.markdown(f"{_above(session)} {plain(problem)}")
        _draw_earlier(session, task)
    return not problem


def ask(
    session: Session,
    task: Task[Result],
    key: str,
    label: str,
    told: Callable[[Result | None], str],
    left: str = LEFT,
) -> Result | None:
    """The result; before that the button of this `key` that starts it, and how far it is.

    `told` says what the button does, or what the result is; `left` what stays beside the parts.
    """
    result = task.result
    st.markdown(
        f"{_above(session)} {told(result)} {left} stay in the folder of the vectors until "
        "`python -m mips_core parts clean FOLDER` removes them."
    )
    if result is None:
        if not task.active and st.button(
            label, key=key, on_click=task.start_now, args=(session.owner,)
        ):
            st.rerun()
        progress.bar(task.job, f"cancel {key}")
    _draw_earlier(session, task)
    return result


def job_label(index: Index, manifest: "Manifest", seed: int) -> str:
    """Flat k-means, 4 clusters, seed 0, on all 400."""
    return f"{index.label}, {index.setting(manifest.n)}, seed {seed}, on all {manifest.n:,}"


def whole(dataset: Dataset, manifest: "Manifest") -> Dataset:
    """The sample under the name that tables have for all vectors."""
    return replace(dataset, name=f"{manifest.path.parent.name}, all {manifest.n:,} vectors")


def _above(session: Session) -> str:
    return f"All above is of the sample of {session.dataset.n:,}."


def _earlier(session: Session, task: Task[Result]) -> list[Job]:
    """What this visitor asked for in the same place before its inputs were changed, under way."""
    kind, *_ = cast(tuple[object, ...], task.key)
    every = [job for job in jobs.of(session.owner) if job.key != task.key]
    return [job for job in every if isinstance(job.key, tuple) and job.key[0] == kind]


def _draw_earlier(session: Session, task: Task[Result]) -> None:
    for job in _earlier(session, task):
        jobs.find(job.key)  # so that it is drawn anew as it goes on
        st.markdown("Still under way, for what was asked before:")
        progress.bar(job, f"cancel earlier {job.number}", plain(job.label))
