"""The right of Tune: the answer in words, what else was seen, and what can be done with it."""

from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from mips_core.base.text import counted, rounded
from mips_core.figures import tradeoff, tuning
from mips_core.studies.tuning import Trial, Tuned
from mips_core.studies.tuning.wording import (
    close_call_in_words,
    in_words,
    order_in_words,
)
from pages._ui.elements.chart import chart
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES
from pages._ui.tune import answer_table, need, search
from pages._ui.tune.answer import Answer
from pages._ui.tune.answer_table import AnsweredData, in_use


def draw(session: Session, answer: Answer | None) -> None:
    """All of it; what is awaited where nothing is known yet."""
    if answer is None:
        if few := need.too_few(session):
            st.warning(few)
        elif known := len(search.tried_of(session)):
            with st.container(border=True):
                of = counted(known, "index", "indexes")
                st.markdown(f":gray[**The answer is being worked out from {of}.**]")
        else:
            _nothing_yet(session)
        return
    draw_answer(session, answer, in_use(session))


def draw_answer(session: Session, answer: Answer, data: AnsweredData) -> None:
    """The answer in words, what else was seen, and what can be done with it."""
    if answer.missing:
        with st.container(border=True):
            st.markdown(f":gray[{in_words(answer)}]")
    else:
        box = st.success if answer.chosen is not None else st.warning
        box(_words(answer))
    trials = _trials_of(answer)
    if trials:
        _picture(session, answer, trials, data)
    _draw_actions(session, answer, trials, data)


def _words(answer: Answer) -> str:
    """The answer without the close call, which stands below the picture."""
    aside = close_call_in_words(answer) if isinstance(answer, Tuned) else ""
    return in_words(answer).removesuffix(aside).strip()


def rests_on(answer: Answer, took: str = "") -> str:
    """How many settings it was chosen of, and on how many queries."""
    return (
        f"{counted(answer.n_settings, 'index', 'indexes')} built{took} and tried at "
        f"{counted(answer.n_efforts, 'effort', 'efforts')} in all. Chosen on "
        f"{answer.m_tuning:,} queries, scored on the other {answer.m_held_out:,}."
    )


def _trials_of(answer: Answer) -> list[Trial]:
    """The answer, or the best where there is none, and the others, by cost."""
    best = answer.chosen or (answer.best if isinstance(answer, Tuned) else None)
    trials = [*([best] if best else []), *answer.runners_up]
    return sorted(trials, key=lambda trial: trial.cost)


def _nothing_yet(session: Session) -> None:
    grid = len(search.wanted(session))
    with st.container(border=True):
        if not grid:
            none = "None of the methods chosen runs in faiss." if session.methods else ""
            st.markdown(f"**{none or 'No method is chosen.'}** Choose one or more under Methods.")
            return
        look = search.samples(session)
        if search.busy(session):
            text = "**The first index is being measured.** A provisional best shows after it."
            if look is not None and look.result is None:
                text = "**All settings are tried on samples first.** Then the likeliest are built."
            st.markdown(text)
            return
        few = "The search tries all settings on samples, builds those that seem best there"
        every = f"The search builds up to {grid} indexes"
        st.markdown(
            f"**Nothing was tried yet.** {every if look is None else few} and asks each at "
            "every effort; a provisional best shows after the first. What Trade-off measures "
            "counts here too."
        )


def _picture(session: Session, answer: Answer, trials: list[Trial], data: AnsweredData) -> None:
    target = answer.need.precision if isinstance(answer, Tuned) else None
    figure = tuning.intervals(trials, answer.chosen, answer.K, target)
    narrow = tuning.narrow(trials, answer.chosen, target)
    if session.source.simulated:
        mark = tradeoff.SIMULATED | {"y": 0, "yanchor": "bottom"}  # clear of words and bars
        for layout in (figure["layout"], narrow):
            layout["annotations"] = [*layout["annotations"], mark]
    wide, small = tuning.heights(trials)
    chart(
        figure,
        key=f"{data.key} intervals",
        height=wide,
        narrow=narrow,
        narrow_height=small,
        alt="Precision of each setting with its interval. The same numbers are in the table below.",
        topic=f"{session.source.fingerprint} {len(trials)} {target}",
        file_name=f"tuned-precision-{answer.K}",
    )


def _draw_actions(
    session: Session, answer: Answer, trials: list[Trial], data: AnsweredData
) -> None:
    """All of it; `trials` are what the picture shows."""
    if isinstance(answer, Tuned):
        call = "" if answer.missing else close_call_in_words(answer)
        st.caption("  \n".join(filter(None, (call, order_in_words(answer, trials)))))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if answer.chosen is not None and not answer.missing:
            _use(session, answer.chosen, data)
        if isinstance(answer, Tuned) and not answer.missing and not data.on_all:
            _settle(session, answer)
        answer_table.draw_files(answer, trials, data)
    if answer.chosen is not None and _in_use(session, answer.chosen):
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            st.markdown(":small[Kept beside your other indexes, and in use on every page.]")
            st.page_link(PAGES / "tradeoff.py", label="See it on Trade-off")
            st.page_link(PAGES / "build.py", label="See it on Build")
    if trials:
        answer_table.draw(answer, trials, data)


def _in_use(session: Session, trial: Trial) -> bool:
    setting = trial.setting
    return (session.index, session.effort) == (setting.index.explicit(trial.n), setting.effort)


def _use(session: Session, trial: Trial, data: AnsweredData) -> None:
    used = _in_use(session, trial)
    if st.button(
        "In use" if used else "Use this setting",
        type="primary",
        disabled=used,
        key=f"{data.key} use",
        on_click=_take,
        args=(session, trial),
    ):
        st.rerun()


def _take(session: Session, trial: Trial) -> None:
    session.keep(trial.setting.index.explicit(trial.n))
    session.effort = trial.setting.effort


def _settle(session: Session, answer: Tuned) -> None:
    """Take the queries that would tell whether what is cheaper, or the best, holds as well."""
    if answer.queries_needed is None:
        return
    have, wanted = session.recipe.count, rounded(answer.queries_needed)
    count = min(wanted, _most_queries(session))
    if st.button(
        "Settle the close call" if answer.chosen is not None else "Take more queries",
        disabled=count <= have or search.busy(session),
        key="tune settle",
        on_click=_ask_more,
        args=(session, count),
        help=f"Asks {count:,} queries in place of {have:,}, and measures everything again."
        if count >= wanted
        else f"About {wanted:,} queries would settle it; there are {count:,}.",
    ):
        st.rerun()


def _ask_more(session: Session, count: int) -> None:
    session.recipe = replace(session.recipe, count=count)
    search.begin(session)


def _most_queries(session: Session) -> int:
    """As many as there are, or as may be asked."""
    there = session.source.m if session.recipe.source == "own" else session.source.n
    return min(there, int(params_of(session.recipe)["count"].high))
