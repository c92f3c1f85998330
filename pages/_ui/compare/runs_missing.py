"""What a link names of runs and is not here: measured, waited for, or to be done without."""

import streamlit as st

from mips_core.base.text import counted
from pages._ui.compare import runs_kept, runs_work
from pages._ui.parts import progress
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, short
from pages._ui.work import jobs

MOST_NAMED = 3


def draw(session: Session) -> None:
    """How far the runs are that are measured, and what cannot be; nothing where all are here."""
    _draw_measured(session)
    gone, lost = runs_work.gone(session), runs_kept.lost(session)
    if gone:
        names = [f"“{plain(short(one.name))}”" for one in gone[:MOST_NAMED]]
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        st.info(
            f"**The data of {counted(len(gone), 'run', 'runs')} of this link is not here:** "
            f"{', '.join(names)}{more}. Use the same file on Data to measure again, or "
            "open a file of runs."
        )
    elif lost:
        st.info(
            "**The list of kept runs that this link names is not here any more.** What it laid "
            "side by side is measured again where it can be; open a file of runs for the others."
        )
    if (gone or lost) and st.button("Do without them", key="runs give up"):
        runs_kept.give_up(session)
        st.rerun()


def _draw_measured(session: Session) -> None:
    """Keys are of this section alone: others on the page have a progress of their own."""
    wanted = runs_work.to_measure(session)
    found = [asked.job for asked in wanted]
    active = [job for job in found if job is not None and job.active]
    stopped = [job for job in found if job is not None and job.state in ("cancelled", "failed")]
    count = counted(len(wanted), "run", "runs")
    if active:
        text = f"**{count} of this link to measure.** They are kept as they come."
        progress.line(text, "Cancel", jobs.cancel, active, "runs cancel")
    elif stopped:
        why = next((job.error for job in stopped if job.error), "The rest was cancelled.")
        text = f"**{count} of this link not measured.** {why}"
        progress.line(text, "Go on", jobs.forget, stopped, "runs go on")
