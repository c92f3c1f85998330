"""How reading files goes: progress, what came of it, and why nothing did."""

from dataclasses import replace

import streamlit as st

from pages._ui.data import corrections, reading
from pages._ui.data.draft import Draft, correct, take_files
from pages._ui.data.reading import Reading, Refusal
from pages._ui.parts import progress
from pages._ui.state import app_state
from pages._ui.text.widgets import plain, refusal
from pages._ui.work import jobs
from pages._ui.work.job import Job

UNCHANGED = "Your current data is unchanged."


def read(draft: Draft) -> None:
    """Read the draft's files, and draw how that goes where it is not done yet."""
    if draft.problem:
        st.error(f"{draft.problem} {UNCHANGED}")
    if not draft.reads:
        return
    key = reading.key_of(draft.reads, draft.interpretation)
    if not reading.can_be_read(draft.reads, draft.interpretation):
        take_files(draft, ())  # they were used, and what was read is remembered there
        return
    reading.start(draft.reads, draft.interpretation, app_state.current().owner)
    job, outcome = reading.settle(key), reading.result(key)
    if isinstance(outcome, Reading):
        draft.earlier = draft.interpretation
    elif isinstance(outcome, Refusal):
        _draw_refused(draft, outcome)
    elif job is not None and job.active and not job.stop:
        st.fragment(_watch, run_every=progress.EAGER)(job)
    elif job is not None:
        _draw_stopped(draft, job)


def _draw_refused(draft: Draft, refused: Refusal) -> None:
    """Why nothing was read; yellow where a choice is all that is missing."""
    box = st.warning if refused.is_question else st.error
    box(refusal(refused.error, UNCHANGED))
    _offer_to_skip(draft, refused)
    _offer_the_earlier(draft)
    heading = "Say what it is" if refused.is_question else "Read it differently"
    either = refused.offers is not None and refused.offers.gaps
    corrections.draw(draft, refused.offers, refused.rating_offers, either=either, heading=heading)


def _offer_to_skip(draft: Draft, refused: Refusal) -> None:
    """One press leaves out the rows, or lines, that were the reason."""
    interpretation, offers, ratings = draft.interpretation, refused.offers, refused.rating_offers
    if offers is not None and offers.bad_rows and not interpretation.choices.skip_bad:
        count, noun = offers.bad_rows, "row"
    elif ratings is not None and ratings.bad_lines and not interpretation.ratings.skip_bad:
        count, noun = ratings.bad_lines, "line"
    else:
        return
    skipping = replace(
        interpretation,
        choices=replace(interpretation.choices, skip_bad=True),
        ratings=replace(interpretation.ratings, skip_bad=True),
    )
    which = f"the bad {noun}" if count == 1 else f"the {count:,} bad {noun}s"
    st.button(
        f"Leave out {which}",
        key="data skip",
        type="primary",
        on_click=correct,
        args=(draft, skipping),
    )


def _offer_the_earlier(draft: Draft) -> None:
    """A correction that led to nothing can be taken back."""
    if draft.earlier not in (None, draft.interpretation):
        st.button(
            "Back to how it was understood before",
            key="data earlier",
            on_click=correct,
            args=(draft, draft.earlier),
        )


def _watch(job: Job) -> None:
    """How far a reading job is; looks again twice a second."""
    if not job.active or job.stop:
        st.rerun()
    progress.bar(job, "data cancel")


def _draw_stopped(draft: Draft, job: Job) -> None:
    if job.state == "failed":
        st.error(f"**{plain(job.error)}** {UNCHANGED}")
    else:
        st.info(f"**Cancelled.** Nothing was read. {UNCHANGED}")
    _offer_the_earlier(draft)
    if st.button("Read it again", key="data again", disabled=job.active):
        jobs.forget(job)
        st.rerun()
