"""Where data are a sample of vectors in parts: the section of a page that works on all of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from mips_core import Dataset
from pages._ui.parts import progress
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain
from pages._ui.work.task import Task

if TYPE_CHECKING:
    from mips_core.scale.manifest import Manifest

Result = TypeVar("Result")
LEFT = "The clusters, and 4 bytes a vector,"


def head(session: Session, manifest: "Manifest", problem: str) -> bool:
    """The heading, and the `problem` where there is one; whether there is none."""
    st.subheader(f"On all {manifest.n:,} vectors", anchor=False)
    if problem:
        st.markdown(f"{_above(session)} {plain(problem)}")
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
    return result


def whole(dataset: Dataset, manifest: "Manifest") -> Dataset:
    """The sample under the name that tables have for all vectors."""
    return replace(dataset, name=f"{manifest.path.parent.name}, all {manifest.n:,} vectors")


def _above(session: Session) -> str:
    return f"All above is of the sample of {session.dataset.n:,}."
