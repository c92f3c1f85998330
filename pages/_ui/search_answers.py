"""What the Search page shows of one query: the effort, a sentence, figures, and two tables."""

import streamlit as st

from mips_core import Index, Searcher
from mips_core.answers import Answers, Question, Ranked, ask, true_answers
from pages._ui import build_view, curve_view, kept_index, results, search_tables, session
from pages._ui.choices import Session
from pages._ui.elements.effort_slider import effort_slider
from pages._ui.elements.value_slider import moved_to
from pages._ui.links import index_text
from pages._ui.work import Measurement

SAVES_FROM = 1.05  # what is shown as more than 1.0
SAVES = " with **{times} fewer** inner products than exact search."
SAVES_NOTHING = ". For this query it saves nothing against exact search: {times}."


def draw(name: str, question: Question) -> None:
    """The answers of the index under the slider; what it is waiting for until it is built."""
    waiting = _waiting(session.current())
    st.fragment(_draw, run_every=0.4 if waiting else None)(name, question, waiting)


def _draw(name: str, question: Question, waited: bool) -> None:
    left, right = st.columns([1, 2], gap="medium")
    with left:
        kept_index.choose()
    chosen = session.current()
    waiting = _waiting(chosen)
    if waiting != waited:
        st.rerun()
    asked = chosen.asked_of(chosen.index)
    if waiting or asked.built is None:
        build_view.unbuilt(asked)
        return
    searcher = asked.index.searcher(asked.built.structure)
    efforts = list(searcher.efforts())
    effort = _effort(chosen, efforts, asked)
    true = _true_answers(chosen, question)
    answers = ask(searcher, chosen.dataset.items, question, true, effort)
    _sentence(name, asked.index, searcher, effort, answers)
    _figures(answers)
    search_tables.draw(question, answers, asked.index)
    session.publish()
    if len(efforts) > 1:
        with right:  # last: a move that is under way is followed by the next
            effort_slider(asked.index, efforts, effort, key=_slider_key(asked.index, efforts))


def _waiting(chosen: Session) -> bool:
    """Whether the index is still to be built, or where its slider starts is still to be known."""
    asked = chosen.asked_of(chosen.index)
    under_way = asked.start(chosen.owner, -1).active
    known = chosen.effort > 0 or asked.evaluation is not None
    return under_way and not (asked.built is not None and known)


def _true_answers(chosen: Session, question: Question) -> Ranked:
    """Exact search, done once for a query: a move of the slider does not change it."""
    asked = (question.query.tobytes(), question.K, question.exclude)
    key = ("true answers", chosen.dataset.fingerprint, *asked)
    found: Ranked | None = results.recall(key)
    if found is None:
        found = true_answers(chosen.dataset.items, question)
        results.remember(key, found)
    return found


def _effort(chosen: Session, efforts: list[int], asked: Measurement) -> int:
    """Where the slider stands: where it was moved to, or where another page left it."""
    moved = moved_to(efforts, key=_slider_key(asked.index, efforts))
    if moved is not None:
        chosen.effort = moved
    curve = asked.evaluation.curve((chosen.K,)) if asked.evaluation else None
    wanted = chosen.effort or curve_view.usual_effort(curve, chosen.K)
    return max((step for step in efforts if step <= wanted), default=efforts[0])


def _slider_key(index: Index, efforts: list[int]) -> str:
    return f"search effort {index_text(index)} to {efforts[-1]}"


def _sentence(name: str, index: Index, searcher: Searcher, effort: int, answers: Answers) -> None:
    """The result in words."""
    asking = index.asking.format(effort=f"{effort:,}", live=f"{searcher.efforts()[-1]:,}")
    K, hits = len(answers.found), int(answers.found.sum())
    ending = SAVES if answers.speedup >= SAVES_FROM else SAVES_NOTHING
    st.markdown(
        f"**{name}.** {asking}, this index finds **{hits} of the true top {K}**"
        + ending.format(times=_times(answers.speedup))
    )


def _figures(answers: Answers) -> None:
    """Precision, cost and speedup of this query, and the parts of its cost."""
    figures = {
        f"Precision@{len(answers.found)}": f"{answers.precision:.1%}",
        "Inner products": f"{answers.cost:,.0f}",
        "Speedup": _times(answers.speedup),
    }
    with st.container(horizontal=True, gap="large"):
        for label, value in figures.items():
            st.metric(label, value, width="content")
    parts = " + ".join(f"{spent[0]:,.0f} {part}" for part, spent in answers.costs.items())
    ties = ""
    if answers.precision_with_ties > answers.precision:
        ties = (
            f" Precision is {answers.precision_with_ties:.1%} where a score equal to that of the "
            "last true answer counts as right."
        )
    st.caption(f"{answers.n:,} items ÷ ({parts}) = {_times(answers.speedup)}.{ties}")


def _times(speedup: float) -> str:
    """As everywhere: 123×, 12.3×, 0.99×."""
    decimals = 0 if speedup >= 100 else 1 if speedup >= 1 else 2
    return f"{speedup:,.{decimals}f}×"
