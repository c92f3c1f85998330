"""How far the measurements a page waits for are, with Cancel, and going on after that."""

from collections.abc import Callable, Hashable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages._ui import jobs, results
from pages._ui.job import Job
from pages._ui.work import Measurement


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
    known = [asked.job for asked in wanted]
    active = [job for job in known if job is not None and job.active]
    stopped = [job for job in known if job is not None and job.state in ("cancelled", "failed")]
    done = sum(asked.tried is not None for asked in wanted)
    say_without_room([asked.key for asked in wanted])
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


def _places(wide: bool, share: float) -> Sequence[DeltaGenerator]:
    """Where the words go, and where the button."""
    if wide:
        return st.columns([share, 1], vertical_alignment="center")
    return st.container(), st.container()


def _draw_progress(wanted: Sequence[Measurement], text: str, wide: bool) -> None:
    left, right = _places(wide, 5)
    left.info(f"{text} You may leave the page; the work goes on.")
    if right.button(
        "Cancel", key="cancel settings", width="stretch", on_click=_each, args=(jobs.cancel, wanted)
    ):
        st.rerun()


def _draw_stopped(
    wanted: Sequence[Measurement], done: int, stopped: Sequence[Job], nouns: str, wide: bool
) -> None:
    left, right = _places(wide, 2.9)
    left.info(
        f"**Cancelled after {done} of {len(wanted)} {nouns}.** What was measured stays."
        if all(job.state == "cancelled" for job in stopped)
        else f"**{len(stopped)} {nouns} could not be measured.** {stopped[0].error}"
    )
    label = f"Go on with the other {len(wanted) - done}"
    if right.button(label, key="go on", on_click=_each, args=(jobs.forget, wanted)):
        st.rerun()


def _each(act: Callable[[Job], None], wanted: Sequence[Measurement]) -> None:
    """For a button: a click counts even where the page is drawn again before it is heard."""
    for job in [asked.job for asked in wanted]:
        if job is not None:
            act(job)
