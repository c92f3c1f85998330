"""All queries on the Search page: how much the index under the slider misses, and why."""

import streamlit as st

from mips_core import Diagnosis, MipsError
from mips_core.base.text import counted
from pages._ui.search import (
    diagnosis_figures,
    diagnosis_files,
    diagnosis_groups,
    diagnosis_queries,
    diagnosis_work,
)
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal
from pages._ui.work.measurement import Measurement

HEADING = "All queries"


def draw(session: Session) -> None:
    """The section, at the effort of the page's slider.

    For a fragment that a move of the slider runs, and that looks again while anything is `coming`.
    """
    diagnosis_queries.reopen()
    st.subheader(HEADING, anchor=False)
    asked = session.asked_of(session.index)
    if asked.evaluation is not None:
        _known(session, asked)
    else:
        st.caption(
            "All queries are being asked."
            if coming(session)
            else "What all queries miss is not known: the index was not asked all of them."
        )


def coming(session: Session) -> bool:
    """Whether the queries are still being asked, or what they miss is still being counted."""
    asked = session.asked_of(session.index)
    job = asked.job if asked.evaluation is None else diagnosis_work.piece(session, asked).job
    return job is not None and job.active


def _known(session: Session, asked: Measurement) -> None:
    try:
        found = diagnosis_work.known(session, asked)
    except MipsError as error:
        st.error(refusal(error))
        return
    if found is None:
        st.caption("What all queries miss is being counted.")
        return
    _say(found)
    effort = diagnosis_work.effort_of(session, asked)
    if found.effort != effort:
        st.caption(f"Being counted: {counted(effort, *asked.index.effort_nouns)}.")
    diagnosis_figures.draw(found, session.dataset)
    if found.misses:
        diagnosis_queries.draw(session, found)
        diagnosis_groups.draw(found)
    diagnosis_files.draw(session, found)


def _say(found: Diagnosis) -> None:
    """All that is known in sentences, the first in bold."""
    st.markdown(f"**{plain(found.summary())}**")
    st.markdown("\n".join(f"- {plain(text)}" for text in found.sentences()))
