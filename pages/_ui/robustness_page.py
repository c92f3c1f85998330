"""Methods under noise as the page places them: watches what is computed, takes what is chosen."""

import streamlit as st

from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT, folds_of
from mips_core.figures.robustness import banded
from mips_core.figures.robustness_words import about_unit
from pages._ui import robustness_progress, robustness_table, session
from pages._ui.elements.stepped import stepped
from pages._ui.robustness_study import OTHER_SEEDS, Study, study_of
from pages._ui.robustness_view import asked_of, keep_places, places_of, view_of


def draw() -> None:
    """The figure under its sliders, progress and the table; all redraw as results come."""
    chosen = session.current()
    study, at = study_of(chosen), places_of(chosen)[0]
    robustness_progress.start_missing(chosen, study, at)
    watching = robustness_progress.unsettled(study, at)
    st.fragment(_draw, run_every=0.5 if watching else None)(watching)


def _draw(watching: bool) -> None:
    chosen = session.current()
    study = study_of(chosen)
    view = view_of(chosen, study)
    places = stepped(view, key="robustness")
    if places != view.chosen:
        keep_places(chosen, places)
    session.publish()  # always: the run that kept a choice may have ended before this
    st.caption(" ".join(filter(None, (_about(study), about_unit(asked_of(chosen, study))))))
    robustness_progress.draw(study, places[0])
    robustness_table.draw(chosen, study, places[0], ready=not watching)
    robustness_progress.start_missing(chosen, study, places[0])
    if robustness_progress.unsettled(study, places[0]) != watching:
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
