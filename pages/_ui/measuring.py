"""How far the measurements a page waits for are, with Cancel, and going on after that."""

from collections.abc import Sequence

import streamlit as st

from pages._ui import jobs, results
from pages._ui.work import Measurement


def draw(wanted: Sequence[Measurement]) -> None:
    """What is under way, or was stopped, of `wanted`; nothing where all of it is known."""
    known = [asked.job for asked in wanted]
    active = [job for job in known if job is not None and job.active]
    stopped = [job for job in known if job is not None and job.state in ("cancelled", "failed")]
    done = sum(asked.tried is not None for asked in wanted)
    homeless = sum(results.crowded(asked.key) for asked in wanted)
    if homeless:
        st.info(
            f"**{homeless} of {len(wanted)} results do not fit into memory beside the others.** "
            "Compare fewer methods, or ask fewer queries."
        )
    if active:
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.info(
            f"**{done} of {len(wanted)} settings are in.** Curves are drawn from what is "
            "known; the rest may raise them. You may leave the page; the work goes on."
        )
        if right.button("Cancel", key="cancel settings", width="stretch"):
            for job in active:
                jobs.cancel(job)
            st.rerun()
    elif stopped and done < len(wanted):
        left, right = st.columns([4, 1.4], vertical_alignment="center")
        left.info(
            f"**Cancelled after {done} of {len(wanted)} settings.** What was measured stays."
            if all(job.state == "cancelled" for job in stopped)
            else f"**{len(stopped)} settings could not be measured.** {stopped[0].error}"
        )
        if right.button(f"Go on with the other {len(wanted) - done}", key="go on"):
            for job in stopped:
                jobs.forget(job)
            st.rerun()
