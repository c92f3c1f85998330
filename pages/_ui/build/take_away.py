"""The section "Take it away" of the Build page: the index as a file, and how it is asked there."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from mips_core import Index
from mips_core.base.text import memory
from mips_core.evaluation.setting import position_of
from mips_core.serving.faiss_export import CAN, why_not_in_faiss
from mips_core.serving.other_libraries import missing
from mips_core.serving.other_libraries.with_faiss import FaissIVF
from pages._ui.build import code, index_files
from pages._ui.build.index_files import Files
from pages._ui.parts import curve as curve_view
from pages._ui.state import app_state
from pages._ui.state.links import index_text
from pages._ui.state.session import Session
from pages._ui.work.measurement import Built, Measurement

MOST_LISTED = 300  # efforts


def draw(index: Index) -> None:
    """All of it, once the index is built and it is known where its effort starts."""
    session = app_state.current()
    asked = session.asked_of(index)
    starts = session.effort > 0 or asked.evaluation is not None or not asked.unsettled
    if asked.built is None or not starts:
        return
    st.subheader("Take it away", anchor=False)
    st.caption(
        "The index as a file, with its settings, its seed and how hard to ask it. It opens on this "
        "page, in Python and from the command line; some methods also run in faiss."
    )
    files = _choose(session, asked, asked.built)
    _draw_downloads(files)
    code.draw(files, session.K)


def _choose(session: Session, asked: Measurement, built: Built) -> Files:
    """The effort, and whether the vectors come along."""
    index, efforts = asked.index, asked.index.searcher(built.structure).efforts()
    curve = asked.evaluation.curve((session.K,)) if asked.evaluation else None
    wanted = session.effort or curve_view.usual_effort(curve, session.K)
    effort = efforts[position_of(wanted, efforts)]
    files = index_files.files_of(session, built, effort)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        _ask_effort(index, efforts, effort)
        with_items = st.toggle(
            f"With the item vectors, {memory(files.item_bytes)}",
            value=True,
            key="take items",
            help="With them the file answers by itself. Without, whoever opens it needs the same "
            "vectors. Whoever has the file has what is in it.",
        )
    return files if with_items else files.without_items()


def _ask_effort(index: Index, efforts: Sequence[int], effort: int) -> None:
    """A choice of the effort: a list where it is not too long to look through."""
    key = f"take effort {index_text(index)} {effort}"
    how: dict[str, Any] = {
        "key": key,
        "on_change": _take_effort,
        "args": (key,),
        "width": 170,
        "help": f"{index.effort_help} The file remembers this; it can be asked otherwise too.",
    }
    if len(efforts) > MOST_LISTED:
        label = f"{index.effort_name}, of {efforts[-1]:,}"
        st.number_input(label, efforts[0], efforts[-1], effort, **how)
    else:
        at = position_of(effort, efforts)
        st.selectbox(
            index.effort_name, efforts, at, lambda step: f"{step:,} of {efforts[-1]:,}", **how
        )


def _take_effort(key: str) -> None:
    """A field that is gone may report its old value once more."""
    session = app_state.current()
    if key.startswith(f"take effort {index_text(session.index)} "):
        session.effort = app_state.widget(key)


def _draw_downloads(files: Files) -> None:
    reason = why_not_in_faiss(files.stored)
    line = dict(missing()).get(FaissIVF.package)
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            f"Download index, {memory(files.size)}",
            files.saved,
            files.name,
            "application/octet-stream",
            key="take index",
            on_click="ignore",
        )
        if not (reason or line):
            st.download_button(
                f"Download for faiss, {memory(files.faiss_size)}",
                files.faiss,
                files.faiss_name,
                "application/octet-stream",
                key="take faiss",
                on_click="ignore",
                help="The same lists, with the item vectors in them, for faiss.read_index.",
            )
    if reason:
        st.caption(f"**Not for faiss.** {reason} {CAN}")
    elif line:
        st.caption(f"**For faiss** it must be installed here: `{line}`")
