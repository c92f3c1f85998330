"""Of many items: which settings a page has built, what told so, and a way to build the others."""

from collections.abc import Callable, Collection, Sequence

import streamlit as st

from mips_core import Index
from mips_core.base.text import counted
from pages._ui.parts import progress
from pages._ui.state.session import Session
from pages._ui.state.settings import build_all, built_of, grid_of, look_of
from pages._ui.text.widgets import plain
from pages._ui.work.task import Task

Look = Task[list[Index]]
OTHERS = (
    "What is best on a sample is mostly best on all, not always: the others may raise a curve. It "
    "takes the longer, the more items there are."
)


def draw(
    session: Session,
    methods: Collection[str],
    page: str,
    press: Callable[[Session], None] = build_all,
    label: str = "Build the other {}",
) -> None:
    """A line on what samples tell, with what can be done; nothing where all are built anyway.

    press: what the button of this label does about the settings that are left.
    """
    looks = [look for key in methods if (look := look_of(session, key)) is not None]
    if not looks:
        return
    coming = [look for look in looks if look.unsettled]
    ended = [look for look in looks if look.result is None and not look.unsettled]
    grids = {index for key in methods for index in grid_of(session, key)}
    built = grids & {index for key in methods for index in built_of(session, key)}
    left = len(grids - built)
    if not (coming or ended or left):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if coming:
            st.caption(_coming_in_words(session, looks, coming))
            if any(look.active for look in coming):
                _button("Cancel", f"{page} cancel looks", _cancel, coming)
        elif ended:
            st.caption(_ended_in_words(ended))
            _button("Look again", f"{page} look again", _look_again, session, ended)
        elif left:
            st.caption(_told_in_words(session, len(grids), len(built)))
        if left and not coming:
            _button(label.format(left), f"{page} build all", press, session, about=OTHERS)


def _button(
    label: str, key: str, act: Callable[..., None], *args: object, about: str | None = None
) -> None:
    if st.button(label, key=key, on_click=act, args=args, help=about):
        st.rerun()


def _cancel(looks: Sequence[Look]) -> None:
    for look in looks:
        if look.job is not None:
            progress.cancel(look.job)


def _look_again(session: Session, looks: Sequence[Look]) -> None:
    for look in looks:
        look.start_now(session.owner)


def _coming_in_words(session: Session, looks: Sequence[Look], coming: Sequence[Look]) -> str:
    """How far the looks are."""
    known = (look.job.message for look in coming if look.job is not None)
    said, methods = next(filter(None, known), ""), counted(len(looks), "method", "methods")
    return (
        f"All settings are tried on {_sample()} first; then those that do best there are built on "
        f"all {session.source.n:,}. "
        f"{len(looks) - len(coming)} of {methods} looked at. {plain(said)}"
    )


def _told_in_words(session: Session, count: int, built: int) -> str:
    """How many of the settings are built, and which those are."""
    return (
        f"Of {counted(count, 'setting', 'settings')}, {counted(built, 'is', 'are')} chosen to be "
        f"built on all {session.source.n:,} items: what you keep, and what did best on {_sample()}."
    )


def _sample() -> str:
    from mips_core.studies.tuning.scouting import SAMPLES  # a first curve needs it not

    return f"{SAMPLES[-1]:,} of the items"


def _ended_in_words(looks: Sequence[Look]) -> str:
    """Why these told nothing, and what is built then."""
    known = [look.job for look in looks if look.job is not None]
    why = plain(next((job.error for job in known if job.error), ""))
    if not why and any(job.state == "cancelled" for job in known):
        why = "That was cancelled."
    were = counted(len(looks), "method was", "methods were")
    return (
        f"**{were} not looked at on a sample.** {why} Only what you keep of "
        f"{'it' if len(looks) == 1 else 'them'} is built."
    )
