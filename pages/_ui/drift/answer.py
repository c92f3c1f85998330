"""What is known of changes: the advice, the pictures, the numbers behind them."""

import streamlit as st

from mips_core.base.text import counted
from mips_core.figures import drift as figures
from mips_core.figures.tradeoff import SIMULATED
from mips_core.studies.drift import Decay, KeptFresh, advice
from mips_core.studies.drift.advice import effort_in_words, in_words, in_words_of_one
from pages._ui.drift import table, work
from pages._ui.elements.chart import chart
from pages._ui.state import app_state
from pages._ui.state.session import Session


def draw(found: Decay | KeptFresh, *, whole: bool) -> None:
    """All of it, the words first; not `whole`: more is to come, or was cancelled."""
    session = app_state.current()
    if not whole:
        st.caption("What is known so far:")
    tolerance = work.view_of(session).tolerance / 100
    if isinstance(found, Decay):
        _decay(session, found, tolerance)
        table.draw(session.dataset, found.setting, found.points, tolerance)
    else:
        _version(found, tolerance)
        table.draw(session.dataset, found.setting, (found.point,), tolerance)


def _decay(session: Session, found: Decay, tolerance: float) -> None:
    with st.container(key="drift sentence", gap="xsmall"):
        for words in _words(found, tolerance):
            st.markdown(words)
    _due(found.points[-1].due)
    figure, count = figures.decay_figure(found), len(found.sizes)
    if session.source.simulated:
        figure["layout"]["annotations"].append(SIMULATED)
    chart(
        figure,
        key="drift",
        height=figures.HEIGHT,
        narrow=figures.narrow_decay(found),
        narrow_height=figures.NARROW_HEIGHT * count + 80,
        alt=f"Precision at {found.K} of frozen, refreshed and rebuilt clusters against the share "
        "of items that changed. The same numbers are in the table below.",
        topic=f"{session.source.fingerprint} {found.recipe.kind} {found.setting.index.key}",
        file_name=f"drift-{found.K}",
    )
    st.caption(_about(found))
    st.markdown("**What keeping up takes**")
    chart(
        figures.cost_figure(found),
        key="drift cost",
        height=figures.COST_HEIGHT,
        alt="Inner products to update, refresh or rebuild against the share of items that changed.",
        topic=f"{session.source.fingerprint} {found.recipe.kind} {found.setting.index.key}",
        file_name=f"drift-cost-{found.K}",
    )


def _words(found: Decay, tolerance: float) -> list[str]:
    """The advice on sizes of which more is known than how it begins, without a change."""
    known = [found.of_size(size) for size in found.sizes]
    return in_words([advice(points, tolerance) for points in known if points[-1].share > 0])


def _due(due: str) -> None:
    if due:
        st.warning(f"At the largest change, {due[:1].lower()}{due[1:]}")


def _about(found: Decay) -> str:
    """How the numbers came about."""
    recipe, m = found.recipe, counted(found.m, "query", "queries")
    effort = effort_in_words(found.setting, found.points)
    if recipe.kind == "moved":
        changes = (
            "Changes are simulated: noise on your items, in multiples of the root mean square "
            "(rms) of their entries; the same rows first at every share. Queries stay as they are."
        )
    else:
        changes = (
            f"{counted(found.n, 'of your items was', 'of your items were')} built on, the others "
            "held out and added: vectors that the index had not seen."
        )
    return (
        f"{changes} Each way with {recipe.builds} builds at {effort}; {m}; "
        "true answers are found anew at every share. Bands: 95% intervals over queries."
    )


def _version(found: KeptFresh, tolerance: float) -> None:
    versions, point = found.versions, found.point
    with st.container(key="drift sentence", gap="xsmall"):
        st.markdown(versions.in_words())
        st.markdown(in_words_of_one(point, tolerance))
    for warning in (*versions.warnings(), *filter(None, [point.due])):
        st.warning(warning)
    if len(versions.cosines):
        chart(
            figures.moves_figure(versions),
            key="drift moves",
            height=figures.MOVES_HEIGHT,
            narrow=figures.NARROW_MOVES,
            alt="How far items moved: their cosines with what they were, and their lengths.",
            topic=f"{versions.old.fingerprint} {versions.new.fingerprint}",
            file_name="drift-moves",
        )
    st.caption(
        f"{counted(point.m, 'query', 'queries')} of the data in use, as they are; true answers "
        f"among the new items. {len(point.ways['frozen'])} builds of each, at "
        f"{effort_in_words(found.setting, (point,))}."
    )
