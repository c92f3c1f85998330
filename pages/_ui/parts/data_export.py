"""Vectors, queries and true answers in use, to take away; made when asked for."""

import re
from collections.abc import Callable
from io import BytesIO

import streamlit as st

from mips_core.base.limits import MAX_K
from mips_core.base.progress import silent
from mips_core.serving.export import Benchmark, File, benchmark_of, write_ann_benchmarks, write_npz
from pages._ui.parts.result_table import download
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.session import Session
from pages._ui.work.measurement import truth_for


def draw(session: Session) -> None:
    """Two files of what is searched now."""
    st.subheader("Take it away", anchor=False)
    K = min(MAX_K, session.most_answers)
    st.caption(
        f"The vectors, the queries and the true top {K} of each query that are in use now, to "
        "measure other tools on the same task."
    )
    with st.container(horizontal=True, gap="small"):
        for label, suffix, write in (
            ("NumPy (.npz)", "npz", write_npz),
            ("ann-benchmarks (.hdf5)", "hdf5", write_ann_benchmarks),
        ):
            name, kind = f"{file_stem(session)}.{suffix}", "application/octet-stream"
            download(label, _made(session, write), name, kind, f"export {suffix}")


def file_stem(session: Session) -> str:
    """glove-6b-words-cosine-500: the data, what ranks them, the number of queries."""
    return f"{data_stem(session)}-{session.dataset.m}"


def data_stem(session: Session) -> str:
    """glove-6b-words-cosine: the data, and what ranks them."""
    name = re.sub(r"\.[a-zA-Z]\w{0,9}$", "", session.source.name)  # what it ends in as a file
    words = [name, "" if session.metric == "inner product" else session.metric]
    stem = re.sub(r"[^\w.]+", "-", "-".join(filter(None, words)).lower()).strip("-.")[:80]
    return stem or "vectors"


def benchmark(session: Session) -> Benchmark:
    """What is in use, with its true answers, which other pages may have found already."""
    truth = truth_for(session.dataset, silent)
    raw = searched(session.source, session.recipe)
    return benchmark_of(raw, session.dataset, truth, session.recipe)


def _made(session: Session, write: Callable[[File, Benchmark], None]) -> Callable[[], BytesIO]:
    def make() -> BytesIO:
        file = BytesIO()
        write(file, benchmark(session))
        file.seek(0)
        return file

    return make
