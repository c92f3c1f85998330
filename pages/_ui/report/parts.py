"""What the report holds: each part, how much of it is measured, and where the rest is made."""

from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from mips_core.base.text import counted
from mips_core.report import Report
from mips_core.report.contents import NoiseResult
from pages._ui.report import work
from pages._ui.state.session import Session
from pages._ui.text.scripts import PAGES
from pages._ui.text.widgets import plain


class Part(NamedTuple):
    """A part of the report, what is in it, and the page that measures it."""

    name: str
    state: str
    page: str
    complete: bool


def draw(session: Session, made: Report) -> None:
    """A line for each part."""
    st.subheader("What is in it", anchor=False)
    lines = st.container(gap="xxsmall")
    for part in parts(session, made):
        with lines.container(horizontal=True, gap="small", vertical_alignment="center"):
            sign = "✓" if part.complete else "–"
            st.markdown(f"{sign} **{part.name}**  {plain(part.state)}", width="content")
            if not part.complete:
                script = f"{part.page.lower().replace('-', '')}.py"
                st.page_link(PAGES / script, label=f"Open {part.page}")


def parts(session: Session, made: Report) -> Iterator[Part]:
    """All parts, in the order of the report."""
    data, wanted = made.data, work.wanted(session)
    size = f"{data.n:,} × {data.d:,}, {counted(data.m, 'query', 'queries')}"
    yield Part("Data", size, "Data", complete=True)
    chosen_method = made.settings[made.point.measured.setting].method
    yield Part("What to run, and what a query costs", chosen_method, "Tune", complete=True)
    known = sum(one.tried is not None for one in wanted)
    methods = counted(len({curve.key for curve in made.curves}), "method", "methods")
    state = f"{methods}, {known:,} of {counted(len(wanted), 'setting', 'settings')} measured"
    yield Part("Curves and tables", state, "Trade-off", known == len(wanted))
    yield _noise(session, made.noise)
    held = made.comparison
    names = "not measured" if held is None else " and ".join(side.method for side in held.sides)
    yield Part("One against another", names, "Compare", held is not None)
    misses = "at the setting to run" if made.misses else "not known yet"
    yield Part("What is missed", misses, "Search", bool(made.misses))
    yield Part("Settings, seeds, versions, commands", "", "Methods", complete=True)


def _noise(session: Session, noise: NoiseResult | None) -> Part:
    if noise is None:
        return Part("Noise", "not measured", "Robustness", complete=False)
    state = f"{counted(len(noise.methods), 'method', 'methods')} at {noise.speedup:g}×"
    return Part("Noise", state, "Robustness", len(noise.methods) == len(session.methods))
