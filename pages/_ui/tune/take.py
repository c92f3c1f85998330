"""Below the answer of Tune: the close call, and what can be done with the answer."""

from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from mips_core.base.text import rounded
from mips_core.evaluation.setting import Setting
from mips_core.studies.tuning import Trial, Tuned, Within
from mips_core.studies.tuning.wording import close_call_in_words
from pages._ui.state.session import Session
from pages._ui.text.scripts import PAGES
from pages._ui.tune import search, table


def draw(session: Session, answer: Tuned | Within, trials: list[Trial]) -> None:
    """All of it; `trials` are what the picture shows."""
    if isinstance(answer, Tuned):
        said = (close_call_in_words(answer), order_in_words(answer, trials))
        st.caption("  \n".join(filter(None, said)))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if answer.chosen is not None:
            _use(session, answer.chosen)
        if isinstance(answer, Tuned):
            _settle(session, answer)
        table.downloads(session, answer, trials)
    if answer.chosen is not None and _in_use(session, answer.chosen):
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            st.markdown(":small[Kept beside your other indexes, and under the slider.]")
            st.page_link(PAGES / "tradeoff.py", label="See it on Trade-off")
            st.page_link(PAGES / "build.py", label="See it on Build")
    if trials:
        table.draw(session, answer, trials)


def order_in_words(answer: Tuned, trials: list[Trial]) -> str:
    """How the answer was found, and why what seems to hold at less cost is not it."""
    clears = (t.lower >= answer.need.precision and t.verdict == "cannot tell" for t in trials)
    unused = (
        "What was not tested reads “cannot tell” even where its interval clears the target: "
        "picking what happens to pass, out of many, is how one is fooled."
    )
    order = (
        "Settings are tested on the held-out queries from the safest to the cheapest, until one "
        f"fails{'; the last that held is the answer' if answer.chosen else ', here the first'}."
    )
    return f"{order} {unused}" if any(clears) else order


def _in_use(session: Session, trial: Trial) -> bool:
    setting = trial.setting
    return (session.index, session.effort) == (setting.index, setting.effort)


def _use(session: Session, trial: Trial) -> None:
    used = _in_use(session, trial)
    if st.button(
        "In use" if used else "Use this setting",
        type="primary",
        disabled=used,
        key="tune use",
        on_click=_take,
        args=(session, trial.setting),
    ):
        st.rerun()


def _take(session: Session, setting: Setting) -> None:
    session.keep(setting.index)
    session.effort = setting.effort


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
