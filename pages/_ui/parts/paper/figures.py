"""The figure that is chosen: drawn, explained in a sentence, and taken away."""

from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from mips_core.figures.drawing import HEIGHT, Drawing, as_plotly, narrow
from mips_core.figures.paper import WAYS, bare
from mips_core.report.paper_pictures import alt_of, as_png, as_svg
from pages._ui.elements.chart import chart
from pages._ui.parts import fields, result_table
from pages._ui.parts.paper import work
from pages._ui.parts.paper.work import ShownPaper
from pages._ui.state import app_state
from pages._ui.text.widgets import plain

CHROME = 60  # px of a chart around its panels


def draw(shown: ShownPaper, ready: bool) -> None:
    """Choices, picture and files; the files once it is `ready`."""
    state = work.state_of(app_state.current())
    drawn = {bare(one.name): one for one in shown.drawn[state.way]}
    if not drawn:
        return
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        _choose(shown, drawn)
        key = app_state.key_for("paper way", state.way)
        words = dict(WAYS)
        fields.buttons(params_of(state)["way"], words, state.way, key, take, "way", key)
    drawing = drawn.get(state.figure) or next(iter(drawn.values()))
    _picture(drawing)
    _files(drawing, ready)


def take(name: str, key: str) -> None:
    """Keep a choice."""
    session, picked = app_state.current(), app_state.widget(key)
    if picked and app_state.is_shown(f"paper {name}", key):
        session.states[work.PAGE] = replace(work.state_of(session), **{name: picked})


def _choose(shown: ShownPaper, drawn: dict[str, Drawing]) -> None:
    state = work.state_of(app_state.current())
    words = {name: _label(shown, drawing) for name, drawing in drawn.items()}
    chosen = state.figure if state.figure in words else next(iter(words))
    key = app_state.key_for("paper figure", chosen)
    fields.box(params_of(state)["figure"], words, chosen, key, take, "figure", key, width=380)


def _label(shown: ShownPaper, drawing: Drawing) -> str:
    """The title without the data, which stand behind it where there are several."""
    several = len(shown.result.sets) > 1
    for one in shown.result.sets:
        if drawing.name.startswith(f"{one.facts.stem}-figure"):
            head, _, rest = drawing.title.partition(f": {one.facts.title}")
            end = "" if rest in {f". {way}" for way in WAYS.values()} else rest
            return f"{head}{end}" + (f" · {one.facts.name}" if several else "")
    return drawing.title


def _picture(drawing: Drawing) -> None:
    st.markdown(f"**{plain(drawing.title)}**")
    count = len(drawing.panels)
    chart(
        as_plotly(drawing),
        key="paper",
        height=HEIGHT + CHROME,
        narrow=narrow(drawing),
        narrow_height=HEIGHT * count + CHROME,
        alt=alt_of(drawing),
        chips=list(drawing.legend),
        labels=drawing.legend,
        topic=drawing.name,
    )
    st.caption(plain(drawing.caption))


def _files(drawing: Drawing, ready: bool) -> None:
    why = {"disabled": not ready, "help": None if ready else result_table.NOT_YET}
    with st.container(horizontal=True, gap="small"):
        for label, make, kind in (
            ("SVG", lambda: f"{as_svg(drawing, 'light')}\n", "image/svg+xml"),
            ("PNG", lambda: as_png(drawing), "image/png"),
        ):
            name, key = f"{drawing.name}.{label.lower()}", f"paper {label}"
            result_table.download(label, make, name, kind, key, **why)
        result_table.draw_csv("paper figure", drawing.name, drawing.rows, ready=ready)
