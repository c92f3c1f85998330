"""The work of a visitor in one list: what runs, and what waits at which place, each with Cancel."""

from collections.abc import Sequence

import streamlit as st

from pages._ui.parts import progress
from pages._ui.text.widgets import plain, short
from pages._ui.work.job import Job

SHOWN = 8  # jobs; of more, how many


def draw(active: Sequence[Job]) -> None:
    """A button that opens the list; what was asked for by hand comes first."""
    with st.popover("Queue", width="content"):
        by_turn = sorted(active, key=_turn)
        for job in by_turn[:SHOWN]:
            key = f"queued {job.number}"
            with st.container(horizontal=True, key=key, vertical_alignment="center"):
                st.markdown(f"**{plain(short(job.label))}**  \n{progress.how_far(job)}")
                st.button("Cancel", key=f"cancel {key}", on_click=progress.cancel, args=(job,))
        if len(active) > SHOWN:
            st.caption(f"and {len(active) - SHOWN:,} more")


def _turn(job: Job) -> tuple[bool, float, int]:
    """As they come, of one visitor's, without a look at those of others."""
    return job.state == "waiting", job.wanted, job.number
