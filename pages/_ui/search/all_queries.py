"""All queries on the Search page: how much the index under the slider misses, why, and where."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from mips_core import Dataset, Diagnosis, MipsError
from mips_core.base.text import counted
from mips_core.figures import diagnosis as figures
from mips_core.studies.misses import Rates
from pages._ui.elements.chart import chart
from pages._ui.search import diagnosis_tables, work
from pages._ui.state.links import index_text
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal
from pages._ui.work.measurement import Measurement


def draw(session: Session) -> None:
    """The section, at the effort of the page's slider.

    For a fragment that a move of the slider runs, and that looks again while anything is `coming`.
    """
    measurement = session.measurement_of(session.index)
    if measurement.evaluation is not None:
        _known(session, measurement)
    else:
        st.caption(
            "All queries are being asked."
            if coming(session)
            else "What all queries miss is not known: the index was not asked all of them."
        )


def coming(session: Session) -> bool:
    """Whether the queries are still being asked, or what they miss is still being counted."""
    measurement = session.measurement_of(session.index)
    job = measurement.job if measurement.evaluation is None else work.task(session, measurement).job
    return job is not None and job.active


def _known(session: Session, measurement: Measurement) -> None:
    try:
        diagnosis = work.diagnosis_of(session, measurement)
    except MipsError as error:
        st.error(refusal(error))
        return
    if diagnosis is None:
        st.caption("What all queries miss is being counted.")
        return
    _say(diagnosis)
    effort = work.effort_of(session, measurement)
    if diagnosis.effort != effort:
        st.caption(f"Being counted: {counted(effort, *measurement.index.effort_nouns)}.")
    _draw_figures(diagnosis, session.dataset)
    if diagnosis.misses:
        diagnosis_tables.draw_queries(session, diagnosis)
        diagnosis_tables.draw_groups(diagnosis)
    diagnosis_tables.draw_files(session, diagnosis)


def _say(diagnosis: Diagnosis) -> None:
    """All that is known in sentences, the first in bold."""
    st.markdown(f"**{plain(diagnosis.summary())}**")
    st.markdown("\n".join(f"- {plain(text)}" for text in diagnosis.sentences()))


def _draw_figures(diagnosis: Diagnosis, dataset: Dataset) -> None:
    """Two by two where there is room, one below the other where there is not."""
    measure = diagnosis.measure
    parts = {
        f"{measure} of the item": ("norm", diagnosis.by_norm),
        "queries it is an answer of": ("popularity", diagnosis.by_popularity),
        f"{measure} of the query": ("query norm", diagnosis.by_query_norm),
    }
    start = figures.axis_start([rates for _, rates in parts.values()])
    draws: list[Callable[[], None]] = [
        partial(_rates, diagnosis, rates, key, of, start)
        for of, (key, rates) in parts.items()
        if rates is not None
    ]
    if len(diagnosis.more.efforts) and diagnosis.misses:
        draws.append(partial(_more, diagnosis))
    for at in range(0, len(draws), 2):
        for column, one in zip(st.columns(2, gap="medium"), draws[at : at + 2], strict=False):
            with column:
                one()
    equal = [of for of, (_, rates) in parts.items() if rates is None]
    st.caption(_about(diagnosis, dataset, equal))


def _rates(diagnosis: Diagnosis, rates: Rates, key: str, of: str, start: float) -> None:
    index, title = diagnosis.index, TITLES[key].format(K=diagnosis.K)
    overall = diagnosis.precision
    figure = figures.rates_figure(rates, index.key, title, of, overall=overall, start=start)
    chart(
        figure,
        key=f"diagnosis {key}",
        height=figures.HEIGHT,
        narrow=figures.narrow(rates, of),
        narrow_height=figures.NARROW_HEIGHT,
        alt=f"{title}: the share of the true answers found, with intervals of 95%, by {of}. "
        "The JSON file below holds the numbers.",
        topic=index_text(index),
        file_name=f"found-by-{key.replace(' ', '-')}",
    )


TITLES = {
    "norm": "Answers found, by item",
    "popularity": "Answers found, by popularity",
    "query norm": "Precision@{K}, by query",
}


def _more(diagnosis: Diagnosis) -> None:
    chart(
        figures.more_figure(diagnosis.more, diagnosis.index.key),
        key="diagnosis effort",
        height=figures.HEIGHT,
        narrow_height=figures.NARROW_HEIGHT,
        alt="The share of what is missed now that each larger effort would find.",
        topic=index_text(diagnosis.index),
        file_name="misses-by-effort",
    )


def _about(diagnosis: Diagnosis, dataset: Dataset, equal: list[str]) -> str:
    """What the dots and classes are, and which picture there cannot be."""
    parts = {r.parted for r in (diagnosis.by_norm, diagnosis.by_query_norm) if r is not None}
    tenths = f" By {diagnosis.measure}: tenths of all {' and of all '.join(sorted(parts))}."
    said = (
        "Dots are shares found, bars their 95% intervals over the queries; the dotted line is the "
        f"share of all.{tenths if parts else ''}"
    )
    missing = " ".join(f"The {of} is the same for all." for of in equal)
    simulated = "Simulated data." if dataset.simulated else ""
    return plain(" ".join(filter(None, (simulated, said, missing))))
