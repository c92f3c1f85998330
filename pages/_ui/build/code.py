"""How the files of an index are asked: lines to copy."""

import streamlit as st

from mips_core import faiss_snippet
from mips_core.base.text import counted
from mips_core.serving.faiss_export import why_not_in_faiss
from pages._ui.build.index_files import Files

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


def draw(files: Files, K: int) -> None:
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
