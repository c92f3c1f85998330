"""What every page says of a data set: what ranks its items, and whether it is simulated."""

import streamlit as st

from mips_core import Dataset
from mips_core.base.text import counted
from mips_core.data.dataset import Metric
from mips_core.data.example import Example
from pages._ui.text.widgets import plain, short

MEANING: dict[Metric, str] = {
    "inner product": "The item that reaches farthest along the query comes first: direction and "
    "length both count.",
    "cosine": "The item whose direction is nearest to the query's comes first: lengths do not "
    "count. Solved exactly as inner product search, with every item scaled to length 1 (Auvolat et "
    "al. 2015, equation 3).",
    "euclidean": "The item at the least distance from the query comes first. Solved exactly as "
    "inner product search, with −‖x‖²/2 as a further entry of every item (Auvolat et al. 2015, "
    "equation 2).",
}
LOGITS = (
    "A classifier layer is searched by inner product only: its inner products are the logits, and "
    "softmax keeps their order."
)


def ranked_by(dataset: Dataset) -> str:
    """What comes first when `dataset` is searched, in a sentence or two."""
    return LOGITS if dataset.logits else MEANING[dataset.metric]


def name_of_query(dataset: Dataset, query: int) -> str:
    """What a query is called, in Markdown."""
    labels = dataset.query_labels
    label = str(query) if labels is None else labels[query]
    return f"query {label}" if label.isdecimal() else plain(short(label))  # a user's number


def problem(dataset: Dataset, shown: Example) -> str:
    """What is searched for, with an example from the data, in Markdown."""
    query, items = shown
    of_items, asked = dataset.labels, name_of_query(dataset, query)
    names = (f"item {i}" if of_items is None else plain(short(of_items[i])) for i in items)
    by_example = f" For **{asked}**: {', '.join(names)}.".replace("….", "…") if len(items) else ""
    return (
        f"Given a query *q*, find among {counted(dataset.n, 'item', 'items')} those *x* with the "
        f"largest inner product *q · x*.{by_example}"
    )


def say_simulated(dataset: Dataset) -> None:
    """Where ratings are simulated, say so: on every page that shows what was made of them."""
    if dataset.simulated:
        st.info("**Simulated ratings.** Made by the seeded generator; no real people.")
