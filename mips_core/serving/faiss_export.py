"""A built index as one that runs in faiss: the same lists of items, opened in the same order.

Douze et al., "The Faiss library", 2024. Lists become an IndexIVFFlat, filled as they are here and
not by faiss's own assignment, so that a query meets the same candidates. Its quantizer holds the
first d entries of the centroids: a lift pads queries with zeros (`reductions`), so that no other
entry counts. Coarser levels of centroids are quantizers of quantizers: an IndexIVFFlat over the
centroids below, which is the descent of Auvolat et al. 2015, Algorithm 2.

faiss scores in float32. Of two centroids that score alike, or that float32 cannot tell apart, it
may open either first; here float64 decides, and then the lower number.

faiss scores every centroid of the coarsest level, and counts the rest as `indexIVF_stats.ndis`.
Together they are the cost here, except for a norm head: see `HeadListSearcher.descent`.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from textwrap import fill, indent
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import ParamError
from mips_core.base.seeds import rng_for
from mips_core.data.metrics import EXTRA, EuclideanLift
from mips_core.methods.capabilities import Descending, Descent, InvertedLists
from mips_core.methods.indexes import Index
from mips_core.serving.other_libraries import load
from mips_core.serving.other_libraries.faiss import FaissIVF
from mips_core.serving.store import StoredIndex

CAN = "Flat and hierarchical k-means can, and a norm head with one copy of each item."

FEW = 8  # items
LARGEST_PIECE = 2**24  # bytes written at once


def runs_in_faiss(index: Index) -> bool:
    """Whether faiss can run what `index` builds, whatever the items: told by a build of a few."""
    return index.opens_groups and _descends(index.explicit(FEW))


@lru_cache(1024)  # asked for every setting at every look
def _descends(index: Index) -> bool:
    few = np.eye(FEW, 4, dtype=np.float32)
    return isinstance(index.searcher(index.build(few, rng_for(0))), Descending)


def why_not_in_faiss(stored: StoredIndex) -> str:
    """Why faiss cannot give the candidates of `stored`, in a sentence; "" where it can."""
    if isinstance(stored.searcher, Descending):
        return ""
    return stored.searcher.why_no_descent or (
        "faiss opens lists that centroids choose, each item in one; this index has none."
    )


def faiss_index(stored: StoredIndex, effort: int | None = None) -> Any:
    """The faiss.IndexIVFFlat that opens what `stored` opens at `effort`; ids are row numbers.

    `effort` defaults to the one that was chosen. Raises ParamError where faiss cannot run it, and
    where there is no such effort, DataError without items, MipsError without faiss.
    """
    descent = _descent(stored, effort)
    faiss = load(FaissIVF)
    index = faiss.IndexFlatIP(descent.width)
    index.add(_fitted(descent.centroids, descent.width))
    for lists, probes in zip(descent.lists, descent.probes, strict=True):
        index = _inverted(faiss, index, lists, descent.width)
        index.nprobe = probes
    return index


def faiss_file(stored: StoredIndex, effort: int | None = None) -> bytes:
    """What faiss.read_index reads as `faiss_index`, effort included; raises as that does."""
    file, faiss = BytesIO(), load(FaissIVF)
    index = faiss_index(stored, effort)
    faiss.write_index(index, faiss.PyCallbackIOWriter(file.write, LARGEST_PIECE))
    return file.getvalue()


def faiss_bytes(stored: StoredIndex) -> int:
    """About how many bytes `faiss_file` has: vectors, their numbers, and centroids."""
    descent = _descent(stored, stored.searcher.efforts()[0])
    rows = sum(len(lists.members) for lists in descent.lists)
    return 4 * descent.width * (len(descent.centroids) + rows) + 8 * rows


def _descent(stored: StoredIndex, effort: int | None) -> Descent:
    """How faiss runs `stored`. Raises as `faiss_index` does."""
    searcher = stored.searcher
    if not isinstance(searcher, Descending):
        raise ParamError(why_not_in_faiss(stored), CAN)
    items = stored.items_or(
        "Load it with the items it was built on: faiss keeps them in its lists."
    )
    return searcher.descent(items, stored.effort_for(effort))


def _inverted(faiss: Any, quantizer: Any, lists: InvertedLists, width: int) -> Any:
    """An IndexIVFFlat that holds these lists; `quantizer` chooses among them."""
    count = len(lists.starts) - 1
    index = faiss.IndexIVFFlat(quantizer, width, count, faiss.METRIC_INNER_PRODUCT)
    for at in range(count):
        members = lists.members[lists.starts[at] : lists.starts[at + 1]]
        ids = np.ascontiguousarray(members, np.int64)  # both stay alive while faiss copies them
        codes = _fitted(lists.rows[ids], width).view(np.uint8)
        index.invlists.add_entries(at, len(ids), faiss.swig_ptr(ids), faiss.swig_ptr(codes))
    index.ntotal = len(lists.members)
    return index


def _fitted(rows: Matrix, width: int) -> Matrix:
    """The first `width` entries of rows (r, w), float32, with zeros for those they do not have."""
    fitted = np.zeros((len(rows), width), np.float32)
    both = min(width, rows.shape[1])
    fitted[:, :both] = rows[:, :both]
    return fitted


def faiss_snippet(stored: StoredIndex, effort: int | None, K: int, file: str) -> str:
    """Python that reads `faiss_file` from `file` and asks it for K answers; plain text.

    It takes queries (m, d) as people have them from queries.npy, and makes of them what the index
    takes. Raises as `faiss_index` does, but for a faiss that is not installed.
    """
    descent = _descent(stored, effort)
    noun = "hidden state" if stored.logits else "query"
    lines = [
        "import faiss",
        "import numpy as np",
        "",
        f"index = faiss.read_index({json.dumps(file, ensure_ascii=False)})",
        *_probing(stored, descent.probes),
        "",
        f"# One row a {noun}, {stored.d - stored.logits:,} numbers.",
        'queries = np.load("queries.npy").astype(np.float32)',
        *_converting(stored),
    ]
    if descent.asks_norm:
        lines.append("queries = np.column_stack([queries, np.linalg.norm(queries, axis=1)])")
    lines += [
        "# Best first; ids are rows of the items, -1 where there are no more.",
        f"scores, ids = index.search(queries, {K})",
    ]
    if stored.metric == "euclidean":
        lines.append("distances = np.sqrt(np.maximum(2 * (halves - scores), 0))")
    return "\n".join(lines) + "\n"


def _probing(stored: StoredIndex, probes: Sequence[int]) -> list[str]:
    """How hard it is asked, at every level; the file says the same, and here it can be changed."""
    efforts, nouns = stored.searcher.efforts(), stored.index.effort_nouns
    said = f"# {nouns[1].capitalize()}, {efforts[0]:,} to {efforts[-1]:,}"
    if len(probes) == 1:
        return [f"{said}.", f"index.nprobe = {probes[0]}"]
    return [
        f"{said}, and what is kept of each level above.",
        "level = index",
        f"for kept in {list(probes[::-1])}:",
        "    level.nprobe = kept",
        "    level = faiss.downcast_index(level.quantizer)",
    ]


def _converting(stored: StoredIndex) -> list[str]:
    """From queries as people have them to those that are asked (`metrics`)."""
    if stored.logits:
        return ["queries = np.pad(queries, ((0, 0), (0, 1)), constant_values=1)"]  # for the biases
    if stored.metric == "cosine":
        return [
            "lengths = np.linalg.norm(queries, axis=1, keepdims=True)",
            "queries /= np.maximum(lengths, 1e-30)",
        ]
    lift = stored.conversion
    if not isinstance(lift, EuclideanLift):
        return []
    lines = []
    if lift.centre.any():
        numbers = fill(", ".join(map(str, lift.centre)), 60, break_long_words=False)
        lines += [f"centre = np.array([\n{indent(numbers, '    ')},\n], np.float32)"]
        lines += ["queries -= centre"]
    return [
        *lines,
        "halves = (queries**2).sum(axis=1, keepdims=True) / 2",
        f"queries = np.pad(queries, ((0, 0), (0, {EXTRA})), constant_values={lift.unit!r})",
    ]
