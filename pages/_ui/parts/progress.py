"""How far the measurements a page waits for are, with Cancel, and going on after that."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Literal

import streamlit as st

from mips_core.studies.forecast import long_in_words
from pages._ui.state import app_state
from pages._ui.text.widgets import plain
from pages._ui.work import jobs, results
from pages._ui.work.job import LATER, Job
from pages._ui.work.measurement import Measurement

LOOK = 1.5  # seconds from one look at work under way to the next: each draws the page anew
EAGER = 0.5  # where nothing can be shown before it ends
FOR_YOU = "**Cancelled for you.** It comes all the same: another visitor waits for it."


def cancel(job: Job) -> None:
    """Cancel it for this visitor: for others who wait for it, it goes on."""
    jobs.cancel(job, app_state.current().owner)


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


def bar(
    job: Job | None,
    key: str,
    name: str = "",
    *,
    wide: bool = True,
) -> None:
    """How far a job is, with Cancel, the button of this key; why it ended where it left no result.

    Nothing where there is no job, or it left one. What it does stands after a `name`, Markdown. In
    a `wide` place the button stands beside it, else below.
    """
    if job is None or not job.active:
        if job is not None and job.goes_on:
            st.info(FOR_YOU)
        elif job is not None and job.state == "cancelled":
            st.info("**Cancelled.** What was measured stays.")
        elif job is not None and job.state == "failed":
            st.error(plain(job.error))
        return
    left, right = st.columns([5, 1], vertical_alignment="center") if wide else (st.container(),) * 2
    left.progress(min(job.fraction, 1.0), f"**{name}** · {how_far(job)}" if name else how_far(job))
    if right.button("Cancel", key=key, width="stretch", on_click=cancel, args=(job,)):
        st.rerun()


def how_far(job: Job) -> str:
    """What a job does and how long it takes still, or what it waits for; Markdown.

    Nobody waits for what nobody asked for: that gives way.
    """
    first = jobs.running(job.lane)
    now = under_way(first) if first is not None and first.wanted < LATER else ""
    if job.aside:
        return f"{job.fraction:.0%} · lets {now or 'others'} go first"
    if job.state != "waiting":
        return f"{plain(job.message or job.label)}{time_left(job)}"
    place, seconds = jobs.place(job)
    if place == 1:
        return f"Waiting for {now or 'its turn'}"
    told = [
        f"Number {place} in the queue",
        f"about {long_in_words(seconds)} to wait" if seconds else "",
    ]
    return " · ".join(filter(None, [*told, now and f"now {now}"]))


def under_way(job: Job) -> str:
    """A job that runs, by name where it is the visitor's own; how long it takes still; Markdown."""
    own = job.owner == app_state.current().owner
    return f"{f'“{plain(job.label)}”' if own else 'work of another visitor'}{time_left(job)}"


def time_left(job: Job) -> str:
    """About how long a job takes still; nothing where that is not known."""
    seconds = job.seconds_left
    return "" if seconds is None else f" · about {long_in_words(seconds)} left"


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
    width: Literal["stretch", "content"] = "stretch" if act is cancel else "content"
    if right.button(label, key=key, width=width, on_click=_each, args=(act, list(those))):
        st.rerun()


def _draw_progress(wanted: Sequence[Measurement], text: str, wide: bool) -> None:
    text = f"{text} You may leave the page; the work goes on."
    share = 5 if wide else None
    line(text, "Cancel", cancel, (one.job for one in wanted), "cancel settings", share)


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
