"""An index file, asked: no data and no settings but those in it are needed."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_TEXT_BYTES
from mips_core.base.params import plain_values
from mips_core.commands import arguments, input_data, output
from mips_core.data.labels import in_cell
from mips_core.data.metrics import measure_of
from mips_core.serving.store import StoredIndex, load


@dataclass(frozen=True, eq=False)
class IndexAnswers:
    """ids (m, K), -1 for none, and scores (m, K) that an index gave at an effort."""

    stored: StoredIndex
    effort: int
    ids: Ids
    scores: Floats

    @property
    def score_name(self) -> str:
        """What the scores are: inner product, cosine, Euclidean distance or logit."""
        return measure_of(self.stored).noun

    def label(self, item: int) -> str:
        """The label of an item, as text that any file can hold; "" where there are none."""
        labels = self.stored.labels
        return "" if labels is None else labels[item].encode(errors="replace").decode()


@click.command("search")
@click.argument("index", type=click.Path(path_type=Path))
@click.argument("queries", type=click.Path(path_type=Path))
@arguments.option("--k", "K", default=10, help="How many answers a query wants.")
@click.option("--effort", type=int, help="How hard to search; default: as chosen for the index.")
@click.option(
    "--items", "items_files", multiple=True, help="The items, where INDEX holds none; may repeat."
)
@input_data.read_option
@arguments.out_option("Write .csv, .json or .npz. Default: print CSV.")
def command(
    index: Path,
    queries: Path,
    K: int,
    effort: int | None,
    items_files: Sequence[str],
    reading: Sequence[str],
    out: Path | None,
) -> None:
    """The best items for each vector of QUERIES, by an INDEX that `build` wrote.

    QUERIES may be of any format that data may be of.
    """
    if out is not None and out.suffix not in WRITERS:
        raise DataError(f"{out} names no format known here.", f"Known: {', '.join(WRITERS)}.")
    output.check_writable(out)
    stored = load(index)
    if items_files:
        of_items = [text for text in reading if not text.startswith("queries=")]
        items = input_data.open_data(items_files, reading=of_items).dataset.float32().items
        stored = stored.with_items(items)
    else:
        stored.items_or("Add --items FILE with those it was built on: they score the candidates.")
    vectors = input_data.queries_in(queries, reading)
    effort = stored.effort_for(effort)
    answered = IndexAnswers(stored, effort, *stored.search(vectors, K, effort))
    if out is None:
        click.echo(_csv(answered), nl=False)
        return
    output.write_file(out, WRITERS[out.suffix](answered))


def _answers(answered: IndexAnswers) -> Iterator[list[tuple[int, float]]]:
    """Item and score of the answers to each query, best first."""
    for ids, scores in zip(answered.ids.tolist(), answered.scores.tolist(), strict=True):
        yield [(item, score) for item, score in zip(ids, scores, strict=True) if item >= 0]


def _csv(answered: IndexAnswers) -> str:
    """A line for each answer: query and item by number from 0, rank from 1."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    named = answered.stored.labels is not None
    columns = ["query", "rank", "item", answered.score_name.replace(" ", "_")]
    lines.writerow(columns + ["label"] * named)
    for query, answers in enumerate(_answers(answered)):
        for rank, (item, score) in enumerate(answers, 1):
            lines.writerow([query, rank, item, score] + [in_cell(answered.label(item))] * named)
    return text.getvalue()


def _json(answered: IndexAnswers) -> str:
    stored, named = answered.stored, answered.stored.labels is not None
    plain = {
        "index": {"key": stored.index.key, **plain_values(stored.index)},
        "seed": stored.seed,
        "effort": answered.effort,
        "dataset": {"name": stored.name, "n": stored.n, "fingerprint": stored.fingerprint},
        "score": answered.score_name,
        "answers": [
            [
                {"item": item, "score": score} | ({"label": answered.label(item)} if named else {})
                for item, score in answers
            ]
            for answers in _answers(answered)
        ],
    }
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def _npz(answered: IndexAnswers) -> bytes:
    """Arrays ids and scores (m, K), and labels (m, K) where there are; "" for no answer."""
    arrays: dict[str, Any] = {"ids": answered.ids, "scores": answered.scores}
    if answered.stored.labels is not None:
        labels = [[answered.label(i) if i >= 0 else "" for i in row] for row in arrays["ids"]]
        longest = max((len(label) for row in labels for label in row), default=0)
        if 4 * longest * answered.ids.size > MAX_TEXT_BYTES:
            raise DataError(
                f"A label has {longest:,} characters, too many for the labels of an .npz.",
                "Write .csv or .json instead.",
            )
        arrays["labels"] = np.array(labels, np.str_).reshape(answered.ids.shape)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


WRITERS: dict[str, Callable[[IndexAnswers], str | bytes]] = {
    ".csv": _csv,
    ".json": _json,
    ".npz": _npz,
}
