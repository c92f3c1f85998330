"""Keeping a measured setting as a run: which method, which setting, under which name."""

from collections.abc import Sequence

import streamlit as st

from mips_core.base.limits import MAX_RUNS
from mips_core.evaluation.setting import index_in_words
from mips_core.figures.styles import METHODS
from mips_core.studies.runs import unique_name
from mips_core.studies.runs.run import MAX_NAME, proposed_name
from pages._ui.compare import runs_kept, runs_work
from pages._ui.state import app_state
from pages._ui.state.links import index_text
from pages._ui.state.session import Session
from pages._ui.work.measurement import Measurement


def draw(session: Session) -> None:
    """The choice among all that is measured, and the button."""
    known = runs_work.measured(session)
    if not known:
        st.info(
            "**Nothing is measured yet.** What is measured here, on Trade-off or on Tune can be "
            "kept as a run."
        )
        return
    if not runs_kept.room(session):
        st.info(f"**{MAX_RUNS} runs are kept, as many as can be.** Delete some to keep others.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        methods = list(dict.fromkeys(asked.index.key for asked in known))
        method = st.selectbox(
            "Method of the run",
            methods,
            format_func=lambda key: f"{METHODS[key].glyph} {METHODS[key].label}",
            key=f"runs method of {session.data}",
            width=210,
        )
        asked = _setting(session, [one for one in known if one.index.key == method] or known)
        _name(session, asked)


def _setting(session: Session, known: Sequence[Measurement]) -> Measurement:
    words = {_id(asked): _words(asked) for asked in known}
    picked = st.selectbox(
        "Measured setting",
        list(words),
        format_func=lambda one: words.get(one, one),
        key=f"runs setting {known[0].index.key} {session.K} of {session.data}",
        help="Every setting that is measured on this data, with these queries.",
        width=250,
    )
    return next((asked for asked in known if _id(asked) == picked), known[0])


def _id(asked: Measurement) -> str:
    return f"{index_text(asked.index)} {asked.seed}"


def _words(asked: Measurement) -> str:
    return f"{index_in_words(asked.index, asked.dataset.n)}, seed {asked.seed}"


def _name(session: Session, asked: Measurement) -> None:
    """Named after the setting, until it is called otherwise."""
    taken = [run.name for run in runs_kept.kept(session)]
    proposed = unique_name(proposed_name(asked.index, asked.dataset.n, asked.seed), taken)
    key = f"runs name {_id(asked)} {len(taken)}"
    st.text_input("Name of the run", proposed, max_chars=MAX_NAME, key=key, width=280)
    if st.button("Keep this run", type="primary", key="runs keep"):
        run = runs_work.run_of(session, asked, app_state.widget(key).strip() or proposed)
        if run is not None:
            runs_kept.keep(session, [run])
        st.rerun()
