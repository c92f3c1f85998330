"""How far the measurements a page waits for are, with Cancel, and going on after that."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Literal

import streamlit as st

from pages._ui.work import jobs, results
from pages._ui.work.jobs import Job
from pages._ui.work.measurement import Measurement


def draw(
    wanted: Sequence[Measurement],
    nouns: str = "settings",
    so_far: str = "Curves are drawn from what is known; the rest may raise them.",
    *,
    wide: bool = True,
) -> None:
    """What is under way, or was stopped, of `wanted`; nothing where all of it is known.

    In a `wide` place the button stands beside the words, else below them.
    """
    known = [measurement.job for measurement in wanted]
    active = [job for job in known if job is not None and job.active]
    stopped = [job for job in known if job is not None and job.state in ("cancelled", "failed")]
    done = sum(measurement.result is not None for measurement in wanted)
    say_without_room([measurement.key for measurement in wanted])
    if active:
        _draw_progress(wanted, f"**{done} of {len(wanted)} {nouns} are in.** {so_far}", wide)
    elif stopped and done < len(wanted):
        _draw_stopped(wanted, done, stopped, nouns, wide)


def say_without_room(keys: Sequence[Hashable]) -> None:
    """Say how many of these results had to go again and again, where any had."""
    crowded = sum(map(results.crowded, keys))
    if crowded:
        st.info(
            f"**{crowded} of {len(keys)} results do not fit into memory beside the others.** "
            "Compare fewer methods, or ask fewer queries."
        )


def line(
    text: str,
    label: str,
    act: Callable[[Job], None],
    those: Iterable[Job | None],
    key: str,
    share: float | None = 5,
) -> None:
    """Words, and beside them (None: below) the button that acts on these jobs.

    A click counts even where the page is drawn again before it is heard. `key` names the button.
    """
    if share is None:
        left, right = st.container(), st.container()
    else:
        left, right = st.columns([share, 1], vertical_alignment="center")
    left.info(text)
    width: Literal["stretch", "content"] = "stretch" if act is jobs.cancel else "content"
    if right.button(label, key=key, width=width, on_click=_each, args=(act, list(those))):
        st.rerun()


def _draw_progress(wanted: Sequence[Measurement], text: str, wide: bool) -> None:
    text = f"{text} You may leave the page; the work goes on."
    share = 5 if wide else None
    line(text, "Cancel", jobs.cancel, (one.job for one in wanted), "cancel settings", share)


def _draw_stopped(
    wanted: Sequence[Measurement], done: int, stopped: Sequence[Job], nouns: str, wide: bool
) -> None:
    text = (
        f"**Cancelled after {done} of {len(wanted)} {nouns}.** What was measured stays."
        if all(job.state == "cancelled" for job in stopped)
        else f"**{len(stopped)} {nouns} could not be measured.** {stopped[0].error}"
    )
    label, share = f"Go on with the other {len(wanted) - done}", 2.9 if wide else None
    line(text, label, jobs.forget, (one.job for one in wanted), "go on", share)


def _each(act: Callable[[Job], None], those: Sequence[Job | None]) -> None:
    for job in those:
        if job is not None:
            act(job)
