"""What the report holds: each part with what is measured of it, and how the page looks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import streamlit as st

from mips_core.base.text import counted, times
from mips_core.report import Report
from mips_core.report.contents import NoiseResult
from mips_core.report.gathering import TARGET
from mips_core.report.sentences import (
    amount,
    between,
    effort_of,
    estimate_or_promise,
    how_scored,
    scored,
)
from pages._ui.report import assembly
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, plain


class Chapter(NamedTuple):
    """A part of the report, what is in it, and the page that measures it."""

    name: str
    state: str
    page: str
    complete: bool


@dataclass
class ShownReport:
    """The report that the page shows, if any, and how many it has shown."""

    report: Report | None = None
    number: int = 0

    def show(self, report: Report | None) -> None:
        """Show this from now on."""
        if report is not self.report:
            self.report, self.number = report, self.number + 1

    def draw_contents(self) -> None:
        """What is in it."""
        if self.report is not None:
            draw(app_state.current().snapshot(), self.report)

    def draw_preview(self) -> None:
        """The start of it."""
        if self.report is not None:
            draw_preview(self.report)

    def below(self) -> tuple[object, object]:
        """For both: equal where they would be the same."""
        session, report = app_state.current().snapshot(), self.report
        held = () if report is None else tuple(chapters(session, report))
        return (self.number, held), self.number


def draw(session: Session, report: Report) -> None:
    """A line for each part."""
    st.subheader("What is in it", anchor=False)
    lines = st.container(gap="xxsmall")
    for part in chapters(session, report):
        with lines.container(horizontal=True, gap="small", vertical_alignment="center"):
            sign = "✓" if part.complete else "–"
            st.markdown(f"{sign} **{part.name}**  {plain(part.state)}", width="content")
            if not part.complete:
                script = f"{part.page.lower().replace('-', '')}.py"
                st.page_link(PAGES / script, label=f"Open {part.page}")


def chapters(session: Session, report: Report) -> Iterator[Chapter]:
    """All parts, in the order of the report."""
    data, wanted = report.data, assembly.wanted(session)
    size = f"{data.n:,} × {data.d:,}, {counted(data.m, 'query', 'queries')}"
    yield Chapter("Data", size, "Data", complete=True)
    chosen_method = report.settings[report.point.measured.setting].method
    so_far = assembly.so_far_of(session)
    state = f"{chosen_method}, the best of {so_far}" if so_far else chosen_method
    yield Chapter("What to run, and what a query costs", state, "Tune", not so_far)
    count = sum(one.result is not None for one in wanted)
    methods = counted(len({curve.key for curve in report.curves}), "method", "methods")
    state = f"{methods}, {count:,} of {counted(len(wanted), 'setting', 'settings')} measured"
    told = all(look.result is not None for look in assembly.looks(session))
    state += "" if told else ", others to be told by a sample"
    yield Chapter("Curves and tables", state, "Trade-off", told and count == len(wanted))
    yield _noise(session, report.noise)
    held = report.comparison
    names = "not measured" if held is None else " and ".join(side.method for side in held.sides)
    yield Chapter("One against another", names, "Compare", held is not None)
    misses = "at the setting to run" if report.misses else "not known yet"
    yield Chapter("What is missed", misses, "Search", bool(report.misses))
    yield Chapter("Settings, seeds, versions, commands", "", "Methods", complete=True)


def _noise(session: Session, noise: NoiseResult | None) -> Chapter:
    if noise is None:
        return Chapter("Noise", "not measured", "Robustness", complete=False)
    state = f"{counted(len(noise.methods), 'method', 'methods')} at {noise.speedup:g}×"
    return Chapter("Noise", state, "Robustness", len(noise.methods) == len(session.methods))


def draw_preview(report: Report) -> None:
    """Title and note, the ledger of the chosen setting, the best at usual precisions."""
    st.subheader("Preview", anchor=False)
    with st.container(border=True):
        st.markdown(f"##### {plain(report.title)}")
        for line in filter(str.strip, report.note.splitlines()):
            st.markdown(plain(line))
        point = report.point
        parts = [(part.capitalize(), amount(cost)) for part, cost in point.parts.items() if cost]
        _table(
            "What a query costs, in inner products",
            ["Spent on", "Inner products"],
            [*parts, ("Total", amount(point.measured.cost))],
        )
        _table(
            f"The fewest inner products at a precision of {TARGET:g}, of each method",
            ["Method", "Setting", f"Precision@{report.K}", "95% interval", "Speedup"],
            _targets(report),
        )
        said = estimate_or_promise(report), how_scored(report), report.sampled
        st.caption(" ".join(filter(None, said)))


def _targets(report: Report) -> list[tuple[str, ...]]:
    return [
        (
            row.method,
            ("" if row.reached else "not reached; nearest: ")
            + f"{report.settings[row.measured.setting].words}, {effort_of(report, row.measured)}",
            scored(row),
            between(row.measured),
            times(row.measured.speedup),
        )
        for row in report.targets
        if (row.asked, row.value) == ("precision", TARGET)
    ]


def _table(caption: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Every word can be read: nothing is cut."""
    st.caption(caption)
    cells = [[plain(cell) for cell in row] for row in rows]
    st.table(pd.DataFrame(cells, columns=list(names)), hide_index=True)
