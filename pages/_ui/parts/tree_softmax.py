"""Why hierarchical softmax is not among the methods, with a fitted one beside an index."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from mips_core import Curve, Dataset, compare, rng_for
from mips_core.base.progress import Progress, span
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.tree_softmax import FlatComparison, compare_with_flat, fit_tree_softmax
from pages._ui.parts.progress import LOOK
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state import session as choices
from pages._ui.work import jobs
from pages._ui.work.task import Task

ITEMS, FITTED, ASKED = 4_000, 1_000, 300  # words that are classes, fitted contexts, held-out ones
KS = (1, 10, 100)
ENOUGH = 0.9  # precision@10 of the index row


@dataclass(frozen=True, eq=False)
class Softmaxes:
    """The tree softmax against the flat one, and an index over the flat one."""

    tree: FlatComparison
    index: Curve


def draw() -> None:
    """The explanation, and the comparison once it is asked for."""
    st.subheader("Not an index: hierarchical softmax", anchor="hierarchical-softmax")
    st.markdown(
        "Hierarchical softmax (Morin and Bengio 2005; Mnih and Hinton 2009) also walks a tree to "
        "find likely words fast, but it is **another model**. A word's probability becomes a "
        "product of decisions on the way to its leaf, fitted anew; its best K are not the flat "
        "softmax's best K, however carefully the tree is searched. An index leaves the model as it "
        "is: it proposes candidates, and they keep their own scores. So hierarchical softmax has "
        "no curve on Trade-off. Fitted to a flat softmax, this is how near it comes."
    )
    watch_jobs(_draw, LOOK if COMPARISON.active else None)


def _draw() -> None:
    softmaxes, job = COMPARISON.result, COMPARISON.job
    if softmaxes is not None:
        _show(softmaxes)
    elif job is not None and job.active:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.fraction, text=job.message or "waiting for other work")
            if st.button("Cancel", key="cancel softmax"):
                jobs.cancel(job, app_state.current().owner)
                st.rerun()
    else:
        if job is not None and job.state == "failed":
            st.error(f"**It could not be fitted.** {job.error}")
        if st.button(f"Fit one to {ITEMS:,} words and compare"):
            COMPARISON.ask_again(app_state.current().owner)
            COMPARISON.start(app_state.current().owner, -1)
            st.rerun()
    if job is not None and softmaxes is not None and job.active:
        st.rerun()


def _compare(progress: Progress) -> Softmaxes:
    words = choices.shipped(choices.DEFAULT_DATA).items
    X, fitted, asked = np.split(words[: ITEMS + FITTED + ASKED], [ITEMS, ITEMS + FITTED])
    model = fit_tree_softmax(X, fitted, rng_for(0, "tree softmax"), span(progress, 0.0, 0.7))
    tree = compare_with_flat(model, X, asked, KS, progress=span(progress, 0.7, 0.9))
    (index,) = compare([FlatKMeans()], Dataset(X, asked), ks=KS, progress=span(progress, 0.9, 1.0))
    return Softmaxes(tree, index)


COMPARISON = Task(
    ("tree softmax", ITEMS, FITTED, ASKED), "Tree softmax against flat softmax", _compare
)


def _show(softmaxes: Softmaxes) -> None:
    tree, index = softmaxes.tree, softmaxes.index
    at = int(np.argmax(index.precision(10) >= ENOUGH))
    setting = f"Flat k-means, {index.index.setting(tree.n)}, {index.efforts[at]} probes"
    rows = [
        *((f"Tree softmax, beam of {a.width}", a.precision, a.inner_products) for a in tree.beams),
        ("Tree softmax, every leaf", tree.every_leaf.precision, tree.every_leaf.inner_products),
        (setting, tuple(index.precision(K)[at] for K in KS), index.mean_cost[at]),
        ("Flat softmax, every word", (1.0,) * len(KS), float(tree.n)),
    ]
    st.dataframe(_table(rows), hide_index=True, column_config=_columns())
    st.caption(
        f"Shares of the flat softmax's best K, mean of {tree.m:,} held-out contexts. {tree.n:,} "
        f"words of GloVe 6B are the classes; {FITTED:,} further words were the contexts fitted. "
        f"Perplexity: flat {tree.flat_perplexity:,.0f}, tree {tree.tree_perplexity:,.0f}."
    )


def _table(rows: list[tuple[str, tuple[float, ...], float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "model and search": name,
                **{f"precision@{K}": share for K, share in zip(KS, shares, strict=True)},
                "inner products a query": cost,
            }
            for name, shares, cost in rows
        ]
    )


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        **{f"precision@{K}": number(format="%.3f") for K in KS},
        "inner products a query": number(format="%.0f"),
    }
