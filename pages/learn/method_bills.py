"""Lesson 10. What each method pays for the same query, at its least effort that finds enough."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mips_core import INDEXES, exact_top_k, rng_for, shipped
from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.figures.styles import METHODS
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    NewRow,
    Options,
    OwnData,
    Pick,
    Slider,
    State,
    Unseen,
)
from pages._ui.state.session import Session, methods

K, SEED = 10, 0
SIZES = (20_000, 10_000)  # words searched
QUERIES = (
    *("guitar", "king", "bread", "river", "monday", "physics", "doctor", "football"),
    *("paris", "computer", "money", "green", "mother", "war", "seven", "summer"),
    *("horse", "theory", "market", "actor", "village", "engine", "law", "winter"),
)
AXES = (20_000, 4_000, 500)  # inner products that fill the picture
PARTS = 3  # of a bill at most


def make() -> dict[str, Any]:
    """For every method, query and number of answers wanted: the bill, part by part."""
    data = shipped("glove-6b-50d")
    rows = [(data.labels or ()).index(word) for word in QUERIES]
    Q = data.items[rows]
    bills = [[bills_of(key, data.items[:n], Q) for key in METHODS] for n in SIZES]
    efforts = np.array([[one.efforts for one in of_size] for of_size in bills], np.int32)
    spent = np.array([[one.spent for one in of_size] for of_size in bills], np.float32)
    reached = np.array([[one.reached for one in of_size] for of_size in bills], np.uint8)
    parts = [one.parts for one in bills[0]]
    return {
        "queries": QUERIES,
        "names": [style.label for style in METHODS.values()],
        "shorts": [style.short for style in METHODS.values()],
        "glyphs": [style.glyph for style in METHODS.values()],
        "keys": list(METHODS),
        "nouns": [INDEXES[key].effort_nouns for key in METHODS],
        "parts": parts,
        "sizes": SIZES,
        "efforts": efforts,
        "spent": spent,
        "reached": reached,
        "facts": _facts(spent, efforts, parts),
    }


class MethodBills(NamedTuple):
    """What a method pays for m queries, at each number of answers wanted, 1 to K.

    efforts (m, K): the least that finds as many, -1 for none; spent (m, K, PARTS) on each part;
    reached (m, K): answers found, or at most where as many never are; parts: their names.
    """

    efforts: Ids
    spent: Floats
    reached: Ids
    parts: list[str]


def bills_of(key: str, X: Matrix, Q: Matrix) -> MethodBills:
    """The bills of the method `key` over X (n, d) for Q (m, d)."""
    index = INDEXES[key]()
    searcher = index.searcher(index.build(X, rng_for(SEED)))
    truth = np.asarray(exact_top_k(X, Q, K))
    efforts = np.full((len(Q), K), -1)
    spent, reached = np.zeros((len(Q), K, PARTS)), np.zeros((len(Q), K), np.int64)
    names: list[str] = []
    for effort in searcher.efforts():
        asked = searcher.candidates(Q, effort, K)
        names = list(asked.costs)
        for i, (start, stop) in enumerate(zip(asked.starts, asked.starts[1:], strict=False)):
            found = np.isin(truth[i], asked.ids[start:stop]).sum()
            new = (efforts[i] < 0) & (np.arange(1, K + 1) <= found)
            efforts[i, new], reached[i, new] = effort, found
            spent[i, new, : len(names)] = [part[i] for part in asked.costs.values()]
            open_ = efforts[i] < 0
            reached[i, open_] = np.maximum(reached[i, open_], found)
        if (efforts >= 0).all():
            break
    return MethodBills(efforts, spent, reached, names)


def _facts(
    costs: np.ndarray, efforts: np.ndarray, parts: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """The first query's bills, and mean parts of a bill where both sizes find enough."""
    keys, at = list(METHODS), LESSON.state["h"] - 1
    flat = costs[0, keys.index("flat-kmeans"), 0, at]

    def means(key: str, part: str) -> tuple[int, int]:
        j = keys.index(key)
        both = (efforts[:, j, :, at] >= 0).all(axis=0)
        many, few = costs[:, j, both, at, parts[j].index(part)].mean(axis=1, dtype=np.float64)
        return round(few), round(many)

    grown = {
        "additions": means("product-quantization", "additions"),
        "tables": means("product-quantization", "tables"),
        "projections": means("srp-hash", "projections"),
        "buckets": means("srp-hash", "candidates"),
        "centroids": means("flat-kmeans", "centroids"),
        "opened": means("flat-kmeans", "candidates"),
    }
    each = {f"{name}_{size}": v for name, pair in grown.items()
            for size, v in zip(("few", "many"), pair, strict=True)}  # fmt: skip
    return {"flat_centroids": int(flat[0]), "flat_words": int(flat[1]), "flat": int(flat.sum()),
            **each}  # fmt: skip


def _ask(session: Session, state: State) -> None:
    session.show, session.methods = "best", methods()


LESSON = Lesson(
    number=10,
    chapter="The others",
    minutes=5,
    title="Every method pays its own bill",
    short="every method pays its own bill",
    idea="Drag how many of the true ten must be found. Full colour: what a {bill|ledger} pays to "
    "choose {candidates|candidate}; pale: the candidates.",
    state={"q": 0, "h": 8, "sort": "price", "axis": 4_000, "spread": 0, "show": len(METHODS),
           "n": 20_000},
    controls=(
        Slider(key="h", label="Find at least", values=range(1, K + 1), words="{} of 10"),
        Pick(key="q", label="Query", values=range(len(QUERIES)), words=QUERIES),
        NewRow(),
        Options(key="sort", label="Sort by", values=("price", "found"), words=("Price", "Found")),
        Options(key="axis", label="Axis to", values=AXES, words=[f"{n:,}" for n in AXES]),
        Options(key="spread", label="Other queries", values=(0, 1), words=("Hide", "Show")),
        Unseen(key="show", values=(1, 2, len(METHODS))),
        Unseen(key="n", values=SIZES),
    ),
    steps=(
        LessonStep(
            "Exact search computes 20,000 inner products, one for each word.",
            {"show": 1, "axis": 20_000},
        ),
        LessonStep(
            "Clusters: {flat_centroids} centroids choose {flat_words} words, {flat} in all.",
            {"show": 2, "axis": 20_000},
        ),
        LessonStep(
            "Every method pays its own bill for 8 of the ten. Nothing is hidden.",
            {"axis": 20_000},
        ),
        LessonStep(
            "Forty times closer: full colour chooses the words, pale scores them.", {"axis": 500}
        ),
        LessonStep(
            "What a bill hides: the next query. Each tick is the bill of another word.",
            {"axis": 20_000, "spread": 1},
        ),
    ),
    question="Which parts of a bill grow when the words double, from 10,000 to 20,000?",
    answer="What is paid for every word: {exact search|exact} doubles, and so do the additions of "
    "{product quantization|quantization}, {additions_few} to {additions_many}. What lies in hash "
    "buckets grows nearly as much, {buckets_few} to {buckets_many} for SRP. Centroids grow with "
    "the root, {centroids_few} to {centroids_many}, and the words they choose {opened_few} to "
    "{opened_many}. Tables ({tables_many}) and projections ({projections_many}) stay. All are "
    "means over 24 queries, 8 of 10 found. The picture now shows 10,000 words.",
    answer_state={"n": 10_000},
    asks=(
        Ask(
            "A bill is divided into what chooses and what scores. Which part is exact search's?",
            "Scoring alone: 20,000 words, and nothing to choose them by.",
        ),
        Ask(
            "Flat k-means pays {flat} for guitar. What is its {speedup|speedup}?",
            "20,000 divided by {flat}.",
        ),
    ),
    still={"axis": 4_000},
    intro="Each bar is what a method pays for one word, in inner products. Full colour chooses "
    "the words that are compared, pale compares them.",
    data="GloVe 6B words; 24 of them as queries, which may find themselves; each method at its "
    "default parameters, seed 0; K = 10.",
    own=OwnData("tradeoff.py", "See every method on your own data", _ask),
    make=make,
    height=378,
    stored=True,
)  # fmt: skip
