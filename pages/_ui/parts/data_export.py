"""Vectors, queries and true answers in use, to take away; made when asked for."""

import re
from collections.abc import Callable
from io import BytesIO

import streamlit as st

from mips_core.base.limits import MAX_K
from mips_core.base.progress import silent
from mips_core.serving.export import Benchmark, File, benchmark_of, write_ann_benchmarks, write_npz
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.session import Session
from pages._ui.work import measurement


def draw(chosen: Session) -> None:
    """Two files of what is searched now."""
    st.subheader("Take it away", anchor=False)
    K = min(MAX_K, chosen.most_answers)
    st.caption(
        f"The vectors, the queries and the true top {K} of each query that are in use now, to "
        "measure other tools on the same task."
    )
    with st.container(horizontal=True, gap="small"):
        for label, suffix, write in (
            ("NumPy (.npz)", "npz", write_npz),
            ("ann-benchmarks (.hdf5)", "hdf5", write_ann_benchmarks),
        ):
            st.download_button(
                label,
                _made(chosen, write),
                f"{file_stem(chosen)}.{suffix}",
                "application/octet-stream",
                key=f"export {suffix}",
                on_click="ignore",
            )


def file_stem(chosen: Session) -> str:
    """glove-6b-words-cosine-500: the data, what ranks them, the number of queries."""
    return f"{data_stem(chosen)}-{chosen.dataset.m}"


def data_stem(chosen: Session) -> str:
    """glove-6b-words-cosine: the data, and what ranks them."""
    words = [chosen.source.name, "" if chosen.metric == "inner product" else chosen.metric]
    stem = re.sub(r"[^\w.]+", "-", "-".join(filter(None, words)).lower()).strip("-.")[:80]
    return stem or "vectors"


def benchmark(chosen: Session) -> Benchmark:
    """What is in use, with its true answers, which other pages may have found already."""
    truth = measurement.truth_for(chosen.dataset, silent)
    raw = searched(chosen.source, chosen.recipe)
    return benchmark_of(raw, chosen.dataset, truth, chosen.recipe)


def _made(chosen: Session, write: Callable[[File, Benchmark], None]) -> Callable[[], BytesIO]:
    def make() -> BytesIO:
        file = BytesIO()
        write(file, benchmark(chosen))
        file.seek(0)
        return file

    return make
