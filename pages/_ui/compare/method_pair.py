"""One method against another at the same speedup, live: a sentence, a picture and a table."""

import streamlit as st

from mips_core.base.params import params_of
from mips_core.base.text import counted, times
from mips_core.evaluation.evaluate import folds_of
from mips_core.figures.comparison import NARROW, difference_figure
from mips_core.figures.styles import METHODS
from mips_core.figures.tradeoff import SIMULATED
from mips_core.studies.comparison import FEWEST_SEEDS, Compared
from pages._ui.compare import differences, work
from pages._ui.compare.clock_work import timing_of
from pages._ui.compare.differences import MethodMeans, comparisons, means_of
from pages._ui.compare.work import Pair, labels_of, pairs, rung, state_of
from pages._ui.elements.chart import chart
from pages._ui.elements.value_slider import moved_to, value_slider
from pages._ui.parts import fields, progress, sampled_settings
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.page_states import CompareState
from pages._ui.state.session import Session, methods

SLIDER = "compare speedup"
MORE = 3  # builds at a press


def choose() -> bool:
    """Draw the choice of both; whether they are two."""
    session = app_state.current()
    work.propose(session, anew=app_state.newly_drawn("compare exchange"))
    state = state_of(session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        _method("first")
        _method("second")
        exchange = "The other one is named first."
        st.button("Exchange", on_click=_exchange, help=exchange, key="compare exchange")
        st.button(
            "Setting in use",
            on_click=work.go_back,
            args=(session,),
            disabled=work.is_proposed(session),
            key="compare in use",
            help="The setting all pages use, at its speedup, against the method nearest to it.",
        )
    if state.first == state.second:
        st.info(
            f"**{METHODS[state.first].label} is chosen twice.** Choose another method to hold it "
            "against."
        )
    return state.first != state.second


def _method(side: str) -> None:
    state = state_of(app_state.current())
    value, declared = getattr(state, side), params_of(state)[side]
    key = app_state.key_for(f"compare {side}", value)
    words = {method: f"{METHODS[method].glyph} {METHODS[method].label}" for method in methods()}
    fields.box(declared, words, value, key, _take_method, key, side, width=260)


def _take_method(key: str, side: str) -> None:
    session = app_state.current()
    if app_state.is_shown(f"compare {side}", key):
        work.change(session, **{side: app_state.widget(key)})


def _exchange() -> None:
    session = app_state.current()
    state = state_of(session)
    work.change(session, first=state.second, second=state.first)


def draw() -> None:
    """All of it; looks again while something is still to come, and the clock does not run."""
    watching = _watching(app_state.current())
    watch_jobs(_draw, progress.LOOK if watching else None, watching)


def _watching(session: Session) -> bool:
    clock = timing_of(session).job
    return work.unsettled(session) and not (clock is not None and clock.state == "running")


def _draw(watched: bool) -> None:
    session = app_state.current()
    _take_speedup(session)
    slider = st.container()
    wanted = work.wanted(session)
    work.start_missing(session, wanted)
    before = state_of(session)
    work.propose(session, anew=False)
    if state_of(session) != before:
        st.rerun()  # the speedup of the setting in use is known now
    at, compared = rung(session, before.speedup), comparisons(session)
    with st.container(key="compare sentence", gap="xxsmall"):
        pair = next((pair for pair in pairs(session) if pair.speedup == at), None)
        _sentence(session, pair, compared.get(at), watched)
    if at in compared and not watched:
        _offer_builds(session, compared[at])
    _picture(session, compared, at)
    progress.draw(wanted, *work.stage(session, wanted))
    sampled_settings.draw(session, {before.first, before.second}, "compare")
    if compared:
        differences.draw_table(session, compared, ready=not watched)
    app_state.publish()
    with slider:  # last: a move that is under way is followed by the next
        declared = params_of(state_of(session))["speedup"]
        steps = work.ladder(session)
        value_slider(
            declared.label, steps, at, key=SLIDER, text=lambda s: f"{s:g}×", help=declared.help
        )
    if _watching(session) != watched:
        st.rerun()


def _take_speedup(session: Session) -> None:
    moved = moved_to(work.ladder(session), key=SLIDER)
    if moved is not None:
        work.change(session, speedup=float(moved))


def _offer_builds(session: Session, compared: Compared) -> None:
    """A button, where more builds may tell who is better and nothing else would."""
    builds, most = state_of(session).builds, int(params_of(CompareState())["builds"].high)
    more = min(MORE, most - builds)
    if not (compared.difference.needs_builds and more):
        return
    if st.button(
        f"Build {more} more of each",
        key="compare build",
        on_click=work.change,
        args=(session,),
        kwargs={"builds": builds + more},
        help=f"Both settings of this speedup, with other seeds, {most} at most.",
    ):
        st.rerun()


def _sentence(
    session: Session, pair: Pair | None, compared: Compared | None, watched: bool
) -> None:
    """What is known at the speedup of the slider, in words, and with which settings."""
    if pair is None:
        doing = "being measured" if watched else "not measured yet"
        st.markdown(f"{' and '.join(labels_of(session))} are {doing}.")
    elif compared is None:
        st.markdown(_unreached(session, pair))
    else:
        st.markdown(compared.difference.in_words(*labels_of(session), f"{pair.speedup:g}×"))
        st.caption("  \n".join(map(_setting, means_of(compared))))


def _setting(side: MethodMeans) -> str:
    style = METHODS[side.key]
    return (
        f"{style.glyph} {style.label}: {side.setting}; {side.precision:.1%} at {side.speedup:.1f}×"
    )


def _unreached(session: Session, pair: Pair) -> str:
    """Which of the two has no setting there, and what the nearest is."""
    missing = [
        f"{name}: no setting near it, the nearest is {times(solved.speedup)}"
        for name, solved in zip(labels_of(session), (pair.first, pair.second), strict=True)
        if not solved.reached
    ]
    return f"**At {pair.speedup:g}× there is nothing to compare.** {'. '.join(missing)}."


def _picture(session: Session, compared: dict[float, Compared], at: float) -> None:
    methods = (state_of(session).first, state_of(session).second)
    reached = [pair.speedup for pair in pairs(session) if pair.reached]
    figure = difference_figure(compared, methods, at, sorted({*reached, at}))
    if session.source.simulated:
        figure["layout"]["annotations"].append(SIMULATED)
    first, second = labels_of(session)
    chart(
        figure,
        key="compare",
        height=380,
        narrow=NARROW,
        narrow_height=320,
        alt=f"How many points of precision {first} finds more than {second} at each speedup. The "
        "same numbers are in the table below.",
        topic=f"{session.source.fingerprint} {' '.join(methods)}",
        file_name=f"compare-{'-'.join(methods)}",
    )
    st.caption(_about(session.dataset.m))


def _about(m: int) -> str:
    """How the numbers came about."""
    choice = (
        "Settings are chosen on half of the queries and scored on the other half"
        if folds_of(m)[0] is not None
        else f"With {counted(m, 'query', 'queries')}, settings are chosen and scored on the same "
        f"{'one' if m == 1 else 'ones'}, which flatters both"
    )
    return (
        f"{choice}. Each is built with {FEWEST_SEEDS} seeds or more, the small dashes; the "
        "interval covers queries and builds. A ring: no winner is known."
    )
