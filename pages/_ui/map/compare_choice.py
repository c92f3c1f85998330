"""Which index is held beside the one on the map, and which of its levels."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from mips_core.base.params import params_of
from mips_core.evaluation.setting import index_in_words
from pages._ui.map import compare_work, taken
from pages._ui.map.compare_work import Beside
from pages._ui.map.layout import view_of
from pages._ui.state.links import index_text
from pages._ui.state.map_state import MapState
from pages._ui.state.session import Session


def choose(session: Session) -> None:
    """One of the other indexes that are kept, or none."""
    other = compare_work.other_of(session)
    at = 0 if other is None else view_of(session).other
    words = {0: "None"}
    for number, index in enumerate(session.kept, 1):
        if index != session.index or number == at:
            words[number] = f"{index.label} · {index_in_words(index, session.source.n)}"
    key = f"map other {index_text(session.index)} beside {other and index_text(other)}"
    _select(session, "other", words, at, key, 360, other_level=0)


def choose_level(session: Session, beside: Beside) -> None:
    """One of its levels, where there are several that nest."""
    if len(beside.levels) < 2 or beside.side_by_side:
        return
    words = {number: level.label for number, level in enumerate(reversed(beside.levels))}
    at = min(beside.number, len(words) - 1)
    _select(session, "other_level", words, at, f"map other level {at} of {len(words)}", 200)


def _select(
    session: Session,
    name: str,
    words: Mapping[int, str],
    at: int,
    key: str,
    width: int,
    **more: Any,
) -> None:
    """A box of the numbers that `words` names, which keeps the one picked, and `more` with it."""
    declared = params_of(MapState)[name]
    picked = st.selectbox(
        declared.label,
        list(words),
        list(words).index(at),
        format_func=words.__getitem__,
        key=key,
        help=declared.help,
        width=width,
    )
    if picked != at:
        taken.keep(session, **{name: picked}, **more)
        st.rerun()  # the colours offered over the map hang on it
