"""What is found by norm and by popularity, and what more effort would find: four small pictures."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from mips_core import Dataset, Diagnosis
from mips_core.figures import diagnosis as figures
from mips_core.studies.misses.diagnosis import Rates
from pages._ui.elements.chart import chart
from pages._ui.state.links import index_text
from pages._ui.text.widgets import plain


def draw(found: Diagnosis, dataset: Dataset) -> None:
    """Two by two where there is room, one below the other where there is not."""
    measure = found.measure
    parts = {
        f"{measure} of the item": ("norm", found.by_norm),
        "queries it is an answer of": ("popularity", found.by_popularity),
        f"{measure} of the query": ("query norm", found.by_query_norm),
    }
    start = figures.axis_start([rates for _, rates in parts.values()])
    draws: list[Callable[[], None]] = [
        partial(_rates, found, rates, key, of, start)
        for of, (key, rates) in parts.items()
        if rates is not None
    ]
    if len(found.more.efforts) and found.misses:
        draws.append(partial(_more, found))
    for at in range(0, len(draws), 2):
        for column, one in zip(st.columns(2, gap="medium"), draws[at : at + 2], strict=False):
            with column:
                one()
    equal = [of for of, (_, rates) in parts.items() if rates is None]
    st.caption(_about(found, dataset, equal))


def _rates(found: Diagnosis, rates: Rates, key: str, of: str, start: float) -> None:
    figure = figures.rates_figure(
        *(rates, found.index.key, TITLES[key].format(K=found.K), of),
        overall=found.precision,
        start=start,
    )
    chart(
        figure,
        key=f"diagnosis {key}",
        height=figures.HEIGHT,
        narrow=figures.narrow(rates, of),
        narrow_height=figures.NARROW_HEIGHT,
        alt=f"{TITLES[key].format(K=found.K)}: the share of the true answers found, with intervals "
        f"of 95%, by {of}. The JSON file below holds the numbers.",
        topic=index_text(found.index),
        file_name=f"found-by-{key.replace(' ', '-')}",
    )


TITLES = {
    "norm": "Answers found, by item",
    "popularity": "Answers found, by popularity",
    "query norm": "Precision@{K}, by query",
}


def _more(found: Diagnosis) -> None:
    chart(
        figures.more_figure(found.more, found.index.key),
        key="diagnosis effort",
        height=figures.HEIGHT,
        narrow_height=figures.NARROW_HEIGHT,
        alt="The share of what is missed now that each larger effort would find.",
        topic=index_text(found.index),
        file_name="misses-by-effort",
    )


def _about(found: Diagnosis, dataset: Dataset, equal: list[str]) -> str:
    """What the dots and classes are, and which picture there cannot be."""
    parts = {r.parted for r in (found.by_norm, found.by_query_norm) if r is not None}
    tenths = f" By {found.measure}: tenths of all {' and of all '.join(sorted(parts))}."
    said = (
        "Dots are shares found, bars their 95% intervals over the queries; the dotted line is the "
        f"share of all.{tenths if parts else ''}"
    )
    missing = " ".join(f"The {of} is the same for all." for of in equal)
    simulated = "Simulated data." if dataset.simulated else ""
    return plain(" ".join(filter(None, (simulated, said, missing))))
