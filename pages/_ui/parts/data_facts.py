"""The Data page's account of a data set: what was understood, what matters, norms, first rows."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from mips_core import Dataset
from mips_core.base.progress import Progress, silent
from mips_core.base.text import UNSEEN, counted
from mips_core.data.dataset import Metric
from mips_core.figures.data_profile import NARROW_NORMS, norm_histogram
from mips_core.studies.data_profile.facts import Facts, facts_of
from mips_core.studies.data_profile.findings import findings, remarked
from pages._ui.elements.chart import chart
from pages._ui.text.dataset_words import say_simulated
from pages._ui.text.widgets import plain
from pages._ui.work.task import items_name, once

ROWS, COLUMNS = 5, 12  # of the table of first rows
LONGEST_LABEL, SHORT = 300, 20  # characters shown; SHORT fits into a column


def facts(dataset: Dataset, progress: Progress = silent) -> Facts:
    """The facts of these items, found once."""
    return once(("facts", items_name(dataset)), lambda: facts_of(dataset, progress))


def draw_understood(
    dataset: Dataset,
    notes: Sequence[str],
    stored: str = "",
    ratings: Mapping[str, str] | None = None,
) -> None:
    """What was made of the data, as a table in which every word can be read.

    `stored` is the dtype of the file; `ratings` are rows on what the vectors were made of.
    """
    known = facts(dataset)
    rows = {
        "Items": f"{dataset.n:,}",
        "Dimensions": f"{dataset.d:,}",
        "Numbers": _numbers(dataset, stored),
        "Labels": _labels(dataset),
        "Queries found": f"{dataset.m:,}" if dataset.m else "none",
        **(ratings or {}),
        **_notes(notes),
        "Norms": f"{known.least:,.3g} to {known.most:,.3g}, median {known.median:,.3g}",
    }
    table = pd.DataFrame(
        {"Understood as": list(rows), "Value": [plain(value) for value in rows.values()]}
    )
    st.table(table, hide_index=True, hide_header=True)


def _numbers(dataset: Dataset, stored: str) -> str:
    """The dtype of the file, and what became of it."""
    if dataset.items.dtype == np.float16:
        return "float16, kept so"
    return "float32" if stored in ("", "float32") else f"{stored}, used as float32"


def draw_findings(dataset: Dataset, metric: Metric) -> None:
    """What matters when it is searched by `metric`: one blue box, and one yellow of warnings."""
    say_simulated(dataset)
    said: dict[bool, list[str]] = {False: [], True: []}
    for found, rest, serious in findings(dataset, facts(dataset), metric):
        bold = f"**{plain(found)}**" if found else ""
        said[serious].append(" ".join(filter(None, (bold, plain(rest)))))
    for serious, box in ((False, st.info), (True, st.warning)):
        if said[serious]:
            texts = said[serious][:: 1 if serious else -1]  # how metrics differ comes first
            box("\n\n".join(texts))


def draw_norms(dataset: Dataset) -> None:
    """How long the items are; nothing where all are equally long."""
    known = facts(dataset)
    if known.equal:
        return
    st.subheader("Norms", anchor=False)
    marked = f" Row {known.row:,} stands alone." if known.outlier else ""
    chart(
        norm_histogram(known),
        key="norms",
        height=210,
        narrow=NARROW_NORMS,
        narrow_height=190,
        alt=f"Histogram of the norms of {counted(dataset.n, 'item', 'items')}: "
        f"{known.least:,.3g} to {known.most:,.3g}, median {known.median:,.3g}.{marked}",
        topic=dataset.fingerprint,
    )
    if dataset.labels is not None:
        longest = (
            f"{as_text(dataset.labels[row], SHORT)} {norm:,.3g}" for row, norm in known.longest
        )
        st.caption(f"The longest: {plain('; '.join(longest))}.")


def draw_first_rows(dataset: Dataset) -> None:
    """A few rows as they were read."""
    st.subheader("First rows", anchor=False)
    shown, columns = dataset.items[:ROWS], min(COLUMNS, dataset.d)
    table = pd.DataFrame({"row": range(len(shown))})
    if dataset.labels is not None:
        table["label"] = [as_text(label, SHORT) for label in dataset.labels[:ROWS]]
    for j in range(columns):
        table[f"x{j}"] = shown[:, j].astype(np.float32, copy=False)
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config={
            "row": st.column_config.NumberColumn(width=44),
            "label": st.column_config.TextColumn(width=150),
            **{
                f"x{j}": st.column_config.NumberColumn(format="%.3g", width=66)
                for j in range(columns)
            },
        },
    )
    if columns < dataset.d or dataset.n > ROWS:
        rows, d = counted(dataset.n, "row", "rows"), counted(dataset.d, "dimension", "dimensions")
        st.caption(f"{len(shown)} of {rows}, {columns} of {d}.")


def as_text(label: str, most: int = LONGEST_LABEL) -> str:
    """A label as it can be shown: its length, its encoding, nothing that turns what follows it."""
    text = label.encode(errors="replace").decode().translate(UNSEEN)
    return text if len(text) <= most else f"{text[:most]}…"


def _labels(dataset: Dataset) -> str:
    if dataset.labels is None:
        return "none"
    first = [f"“{as_text(label, 24)}”" for label in dataset.labels[:3]]
    return ", ".join(first) + (" …" if dataset.n > 3 else "")


def _notes(notes: Sequence[str]) -> dict[str, str]:
    """What the readers say, but for what is in a box of its own."""
    notes = [note for note in notes if not remarked(note)]
    left_out = [note for note in notes if "left out" in note.lower()]
    others = [note for note in notes if note not in left_out]
    left_out = [note.removeprefix("Left out: ") for note in left_out]
    left_out = [note.removeprefix("Left out: ") for note in left_out]
    said = {"Left out": " ".join(left_out), "Notes": " ".join(others)}
    return {name: text for name, text in said.items() if text}


def megabytes(size: int) -> str:
    """A size in bytes for people."""
    for unit, name in ((2**20, "MB"), (2**10, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size:,} bytes"
