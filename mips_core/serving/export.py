"""Vectors, queries and true answers in use, as files that other tools read.

HDF5 is in the layout of ann-benchmarks (Aumüller, Bernhardsson and Faithfull, 2020): train, test,
neighbors, and distances, of which less is better: "angular" is 1 - cosine. It knows no inner
product; as in its successor VIBE that is called "ip" here, and its distances are minus the
products. The same data make the same bytes.
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import h5py
import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Matrix, Ranks
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_K, MAX_TEXT_BYTES
from mips_core.base.text import MADE_BY
from mips_core.data.dataset import Dataset, Metric
from mips_core.data.metrics import measure_of, shown
from mips_core.data.queries import QueryRecipe
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.truth import Truth

DISTANCES: dict[Metric, str] = {
    "inner product": "ip",
    "cosine": "angular",
    "euclidean": "euclidean",
}
FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can hold, in place of now

About = dict[str, str | int | float | bool]
File = str | Path | BinaryIO  # a path, or a file open for reading and writing


@dataclass(frozen=True, eq=False)
class Benchmark:
    """Items (n, d) and queries (m, d) before any metric, and the best K items of each query.

    neighbors (m, K) are row numbers, best first; scores (m, K) float64 what people are shown;
    about, what it takes to make the same again.
    """

    items: Matrix
    queries: Matrix
    labels: Sequence[str] | None
    query_labels: Sequence[str] | None
    own_rows: Ranks | None  # (m,) the item that must not be an answer; -1: none
    neighbors: Ranks
    scores: Floats
    metric: Metric
    about: About

    @property
    def distances(self) -> Matrix:
        """(m, K) ascending: 1 - cosine, Euclidean distance, or minus the inner product."""
        if self.metric == "euclidean":
            return self.scores.astype(np.float32)
        return ((self.metric == "cosine") - self.scores).astype(np.float32)

    @property
    def texts(self) -> dict[str, Sequence[str]]:
        """The labels there are, by the name they are written under."""
        named = {"labels": self.labels, "query_labels": self.query_labels}
        return {name: labels for name, labels in named.items() if labels is not None}


def benchmark_of(
    raw: Dataset, searched: Dataset, truth: Truth, recipe: QueryRecipe | None = None
) -> Benchmark:
    """The queries of `raw` that rank items, and up to MAX_K answers of each.

    `searched` is `raw` by the metric in use, `truth` its true answers, `recipe` how the queries
    were made. Raises DataError where they are not of the same data.
    """
    raw = raw.float32()
    rows = np.flatnonzero(queries_evaluated(searched.queries))
    if (raw.n, raw.m, len(rows)) != (truth.n, searched.m, truth.m):
        raise DataError("These answers belong to other data.", "Find the true answers again.")
    K = truth.answers(MAX_K)
    names = raw.query_labels
    return Benchmark(
        items=raw.items,
        queries=raw.queries[rows],
        labels=raw.labels,
        query_labels=None if names is None else [names[row] for row in rows.tolist()],
        own_rows=None if raw.query_rows is None else raw.query_rows[rows].astype(np.int32),
        neighbors=truth.ids[:, :K].astype(np.int32),
        scores=shown(searched, truth.queries, truth.scores[:, :K]),
        metric=searched.metric,
        about={
            "made_by": MADE_BY,
            "name": raw.name,
            "score": measure_of(searched).noun,
            "ties": "lower row number first",
            "own_rows_excluded": raw.query_rows is not None,
            "queries_left_out": truth.dropped,
            "simulated": raw.simulated,
            "logits": raw.logits,
            **({} if recipe is None else _drawing(recipe)),
        },
    )


def _drawing(recipe: QueryRecipe) -> About:
    about: About = {"query_source": recipe.source, "query_seed": recipe.seed}
    return about | ({"query_noise": recipe.noise} if recipe.source == "noisy" else {})


def write_npz(file: File, benchmark: Benchmark) -> None:
    """Arrays items, queries, neighbors and scores; labels, query_labels and own_rows if there are.

    `about` is a text, JSON. Raises DataError where labels are too long for an .npz, or `file`
    cannot be written.
    """
    arrays: dict[str, NDArray[Any]] = {
        "items": benchmark.items,
        "queries": benchmark.queries,
        "neighbors": benchmark.neighbors,
        "scores": benchmark.scores,
        "about": np.array(json.dumps(benchmark.about, ensure_ascii=False)),
    }
    arrays |= {name: _fixed_width(labels) for name, labels in benchmark.texts.items()}
    if benchmark.own_rows is not None:
        arrays["own_rows"] = benchmark.own_rows
    with _writing(file), zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", FIRST_DATE)
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def write_ann_benchmarks(file: File, benchmark: Benchmark) -> None:
    """HDF5 as ann-benchmarks reads it, and beside it own_rows and labels if there are.

    Raises DataError where `file` cannot be written.
    """
    arrays = {
        "train": benchmark.items,
        "test": benchmark.queries,
        "neighbors": benchmark.neighbors,
        "distances": benchmark.distances,
    }
    if benchmark.own_rows is not None:
        arrays["own_rows"] = benchmark.own_rows
    layout = {
        "type": "dense",
        "distance": DISTANCES[benchmark.metric],
        "dimension": benchmark.items.shape[1],
        "point_type": "float",
    }
    with _writing(file), h5py.File(file, "w") as written:
        written.attrs.update(layout | benchmark.about)
        for name, array in arrays.items():
            written.create_dataset(name, data=array, track_times=False)
        for name, labels in benchmark.texts.items():
            # UTF-8 without the character that ends a text in HDF5
            words = [
                label.encode(errors="replace").decode().replace("\0", "\ufffd") for label in labels
            ]
            written.create_dataset(name, data=words, dtype=h5py.string_dtype(), track_times=False)


@contextmanager
def _writing(file: File) -> Iterator[None]:
    """Raise DataError in place of OSError."""
    try:
        yield
    except OSError as error:
        name = Path(file).name if isinstance(file, str | Path) else "The file"
        reason = f"{name} cannot be written: {error.strerror or error}."
        raise DataError(reason, "Name a file in a folder that exists and has room.") from None


def _fixed_width(labels: Sequence[str]) -> NDArray[np.str_]:
    """Labels (n,) as NumPy's text, all as wide as the longest. Raises DataError where too wide."""
    longest = max(map(len, labels), default=0)
    size = 4 * longest * len(labels)
    if size > MAX_TEXT_BYTES:
        raise DataError(
            f"The longest label has {longest:,} characters: in an .npz, {len(labels):,} labels "
            f"would take {size / 2**20:,.0f} MB; the limit is {MAX_TEXT_BYTES // 2**20:,} MB.",
            "Export HDF5 instead.",
        )
    return np.array(labels, dtype=np.str_)
