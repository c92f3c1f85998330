"""The answers to one query at one effort, as a file."""

from typing import Any

import numpy as np

from mips_core.data.metrics import measure_of, shown
from mips_core.studies.misses.following import Answered
from pages._ui.parts import result_table
from pages._ui.parts.data_export import file_stem
from pages._ui.search.work import Asked
from pages._ui.state import app_state


def draw_download(asked: Asked, answers: Answered, effort: int) -> None:
    """A button for what the tables hold; the file is made when it is asked for."""
    name = f"answers-{file_stem(app_state.current())}"
    result_table.draw_csv(
        "search", name, lambda: columns_of(asked, answers, effort), "Answers (CSV)"
    )


def columns_of(asked: Asked, answers: Answered, effort: int) -> dict[str, Any]:
    """A row for each place, by column; text as it is."""
    at, dataset = int(np.searchsorted(answers.efforts, effort)), asked.measured.dataset
    query, measure = asked.question.query[None], measure_of(dataset).label
    kinds = {
        "true": (answers.true.ids, answers.true.scores),
        "returned": (answers.returned[at], answers.scores[at]),
    }
    columns: dict[str, Any] = {"place": range(1, len(answers.true.ids) + 1)}
    for kind, (ids, scores) in kinds.items():
        columns |= _items(f"{kind} ", ids, dataset.labels)
        columns[f"{kind} {measure}"] = np.where(
            ids >= 0, shown(dataset, query, scores[None])[0], np.nan
        )
    columns["found"] = answers.found[at]
    columns |= _items("in its place ", answers.instead[at], dataset.labels)
    columns["lost"] = answers.losses[at]
    if asked.followed is not None:
        columns["why"] = asked.followed.why
    return columns


def _items(prefix: str, ids: Any, labels: Any) -> dict[str, Any]:
    """Row and label of each of ids (K,), -1 for none."""
    rows = {f"{prefix}row": ["" if item < 0 else item for item in ids]}
    if labels is not None:
        rows[f"{prefix}label"] = ["" if item < 0 else labels[item] for item in ids]
    return rows
