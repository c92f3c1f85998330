"""The section "Take it away" of Build: the index as a file, and how it is asked there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import streamlit as st

from mips_core import Index, StoredIndex, faiss_file, faiss_snippet, save
from mips_core.base.byte_size import byte_size
from mips_core.base.text import counted, memory
from mips_core.evaluation.setting import position_of
from mips_core.serving.faiss_export import CAN, faiss_bytes, why_not_in_faiss
from mips_core.serving.other_libraries import missing
from mips_core.serving.other_libraries.faiss import FaissIVF
from mips_core.serving.store import SUFFIX, stored_index
from pages._ui.parts.data_export import data_stem
from pages._ui.parts.drawn_curves import usual_effort
from pages._ui.parts.result_table import download
from pages._ui.state import app_state
from pages._ui.state.links import index_text
from pages._ui.state.session import Session
from pages._ui.work.measurement import BuiltIndex, Measurement

MOST_LISTED = 300  # efforts
PYTHON = """\
import mips_core
import numpy as np

index = mips_core.load("{file}"{items})
# One row a {given}, {d:,} numbers.
queries = np.load("queries.npy")
# At {effort}. Best first; ids are rows of the items, -1 where there are no more.
ids, scores = index.search(queries, {K})
"""
COMMAND = "python -m mips_core search {file} queries.npy --k {K}{items} --out answers.csv\n"


@dataclass(frozen=True, eq=False)
class Files:
    """A built index with the effort chosen for it and the items searched; both files of it.

    `with_items`: whether our file holds the items. That for faiss always does.
    """

    stored: StoredIndex
    effort: int
    stem: str
    with_items: bool = True

    def without_items(self) -> "Files":
        """The same with the items left out of our file."""
        return replace(self, with_items=False)

    @property
    def name(self) -> str:
        """Of our file."""
        return f"{self.stem}{SUFFIX}"

    @property
    def faiss_name(self) -> str:
        """Of the file for faiss."""
        return f"{self.stem}.faiss"

    @property
    def item_bytes(self) -> int:
        """What the items take in our file."""
        return 0 if self.stored.items is None else self.stored.items.nbytes

    @property
    def size(self) -> int:
        """About how many bytes our file has."""
        labels = sum(map(len, self.stored.labels or ()))
        return byte_size(self.stored.structure) + labels + self.item_bytes * self.with_items

    @property
    def faiss_size(self) -> int:
        """About how many bytes the file for faiss has."""
        return faiss_bytes(self.stored)

    def saved(self) -> BytesIO:
        """Our file."""
        file = BytesIO()
        save(file, self.stored if self.with_items else replace(self.stored, items=None))
        file.seek(0)
        return file

    def faiss(self) -> bytes:
        """The file for faiss. Raises MipsError as `faiss_file` does."""
        return faiss_file(self.stored, self.effort)


def files_of(session: Session, built: BuiltIndex, effort: int) -> Files:
    """Those of `built`, an index of the data in use, asked at `effort`."""
    stored = stored_index(session.dataset, built.index, built.seed, built.structure, effort)
    return Files(stored, effort, f"{data_stem(session)}-{built.index.key}")


def draw(index: Index) -> None:
    """All of it, once the index is built and it is known where its effort starts."""
    session = app_state.current()
    measurement = session.measurement_of(index)
    starts = session.effort > 0 or measurement.evaluation is not None or not measurement.unsettled
    if measurement.built is None or not starts:
        return
    st.subheader("Take it away", anchor=False)
    st.caption(
        "The index as a file, with its settings, its seed and how hard to ask it. It opens on this "
        "page, in Python and from the command line; some methods also run in faiss."
    )
    files = _choose(session, measurement, measurement.built)
    _draw_downloads(files)
    _draw_code(files, session.K)


def _choose(session: Session, measurement: Measurement, built: BuiltIndex) -> Files:
    """The effort, and whether the vectors come along."""
    index, efforts = measurement.index, measurement.index.searcher(built.structure).efforts()
    curve = measurement.evaluation.curve((session.K,)) if measurement.evaluation else None
    wanted = session.effort or usual_effort(curve, session.K)
    effort = efforts[position_of(wanted, efforts)]
    files = files_of(session, built, effort)
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
        label = f"Download index, {memory(files.size)}"
        download(label, files.saved, files.name, "application/octet-stream", "take index")
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


def _draw_code(files: Files, K: int) -> None:
    """One tab for each way to ask."""
    stored = files.stored
    in_faiss = not why_not_in_faiss(stored)
    tabs = st.tabs(["In Python", "On the command line", *(["In faiss"] if in_faiss else [])])
    with tabs[0]:
        st.code(python_snippet(files, K), language="python", wrap_lines=True)
    with tabs[1]:
        st.code(command(files, K), language="bash", wrap_lines=True)
    if in_faiss:
        with tabs[2]:
            text = faiss_snippet(stored, files.effort, K, files.faiss_name)
            st.code(text, language="python", wrap_lines=True)
            st.caption(
                "faiss meets the same candidates. It scores them in float32, so near ties may "
                "change places, and opens either of two clusters that score alike."
            )


def python_snippet(files: Files, K: int) -> str:
    """Python that asks our file for K answers."""
    stored = files.stored
    return PYTHON.format(
        file=files.name,  # of letters, digits, dots and dashes
        items="" if files.with_items else ', np.load("items.npy")',
        given="hidden state" if stored.logits else "query",
        d=stored.d - stored.logits,
        K=K,
        effort=counted(files.effort, *stored.index.effort_nouns),
    )


def command(files: Files, K: int) -> str:
    """The same on the command line."""
    items = "" if files.with_items else " --items items.npy"
    return COMMAND.format(file=files.name, K=K, items=items)
