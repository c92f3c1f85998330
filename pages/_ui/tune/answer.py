"""The right of Tune: the answer in words, what else was seen, and what can be done with it."""

import streamlit as st

from mips_core.figures import tradeoff, tuning
from mips_core.studies.tuning import Need, Trial, Tuned, Within, cheapest, most_precise
from mips_core.studies.tuning.wording import close_call_in_words
from pages._ui.elements.chart import chart
from pages._ui.state.session import Session
from pages._ui.tune import need, search, take

Answer = Tuned | Within


def answer_of(session: Session) -> Answer | None:
    """The answer from what is known; None where there is none."""
    known = search.known(session)
    if not known or need.too_few(session):
        return None
    asked = search.asked_of(search.view_of(session))
    if isinstance(asked, Need):
        return cheapest(known, session.K, asked)
    return most_precise(known, session.K, asked)


def draw(session: Session, answer: Answer | None) -> None:
    """All of it; what is awaited where nothing is known yet."""
    if answer is None:
        if few := need.too_few(session):
            st.warning(few)
        else:
            _nothing_yet(session)
        return
    box = st.success if answer.chosen is not None else st.warning
    box(_words(answer))
    trials = _trials_of(answer)
    if trials:
        _picture(session, answer, trials)
    take.draw(session, answer, trials)


def _words(answer: Answer) -> str:
    """The answer without the close call, which stands below the picture."""
    aside = close_call_in_words(answer) if isinstance(answer, Tuned) else ""
    return answer.in_words().removesuffix(aside).strip()


def _trials_of(answer: Answer) -> list[Trial]:
    """The answer, or the best where there is none, and the others, by cost."""
    best = answer.chosen or (answer.best if isinstance(answer, Tuned) else None)
    trials = [*([best] if best else []), *answer.runners_up]
    return sorted(trials, key=lambda trial: trial.cost)


def _nothing_yet(session: Session) -> None:
    grid = len(search.wanted(session))
    with st.container(border=True):
        if not session.methods:
            st.markdown("**No method is chosen.** Choose one or more under Methods.")
            return
        if search.busy(session):
            st.markdown("**The first index is being measured.** The best so far shows after it.")
            return
        st.markdown(
            f"**Nothing was tried yet.** The search builds up to {grid} indexes and asks each at "
            "every effort; the best so far shows after the first. What Trade-off measures counts "
            "here too."
        )


def _picture(session: Session, answer: Answer, trials: list[Trial]) -> None:
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
        key="tune intervals",
        height=wide,
        narrow=narrow,
        narrow_height=small,
        alt="Precision of each setting with its interval. The same numbers are in the table below.",
        topic=f"{session.source.fingerprint} {len(trials)} {target}",
        file_name=f"tuned-precision-{answer.K}",
    )
