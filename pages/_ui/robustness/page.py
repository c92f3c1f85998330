"""Methods under noise as the page places them: watches what is computed, takes what is chosen."""

import streamlit as st

from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT, folds_of
from mips_core.figures.robustness import banded
from mips_core.figures.robustness_words import about_unit
from pages._ui.elements.stepped import stepped
from pages._ui.robustness import progress, table
from pages._ui.robustness.study import OTHER_SEEDS, Study, study_of
from pages._ui.robustness.view import asked_of, keep_places, places_of, view_of
from pages._ui.state import app_state


def draw() -> None:
    """The figure under its sliders, progress and the table; all redraw as results come."""
    session = app_state.current()
    study, at = study_of(session), places_of(session)[0]
    progress.start_missing(session, study, at)
    watching = progress.unsettled(study, at)
    st.fragment(_draw, run_every=0.5 if watching else None)(watching)


def _draw(watching: bool) -> None:
    session = app_state.current()
    study = study_of(session)
    view = view_of(session, study)
    places = stepped(view, key="robustness")
    if places != view.chosen:
        keep_places(session, places)
    app_state.publish()  # always: the run that kept a choice may have ended before this
    st.caption(" ".join(filter(None, (_about(study), about_unit(asked_of(session, study))))))
    progress.draw(study, places[0])
    table.draw(session, study, places[0], ready=not watching)
    progress.start_missing(session, study, places[0])
    if progress.unsettled(study, places[0]) != watching:
        st.rerun()


def _about(study: Study) -> str:
    """How the numbers came about."""
    noisy = study.noise.known
    if noisy is not None and folds_of(noisy.m)[1] is None:
        queries = "1 query" if noisy.m == 1 else f"{noisy.m} queries"
        chosen = (
            f"With {queries}, fewer than {FEWEST_TO_SPLIT}, settings were chosen at σ = 0 on what "
            "they are scored on,"
        )
    else:
        chosen = "Settings were chosen at σ = 0 on half of the queries"
    drawn = "Bands: 95% intervals over queries. " if banded(list(study.grids)) else ""
    return (
        f"The same noise for every method and σ. {chosen} and then left alone, so the speedup may "
        f"drift; the lower panel shows by how much. {drawn}Thin lines: the same settings, built "
        f"with {len(OTHER_SEEDS)} other seeds."
    )
