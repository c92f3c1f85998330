"""Lesson 13. A flat softmax and a tree fitted to it: whose ten words, and with which shares."""

from typing import Any

import numpy as np

from mips_core import exact_top_k, rng_for, shipped
from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import score_rows
from mips_core.studies.tree_softmax import compare_with_flat, fit_tree_softmax
from mips_core.studies.tree_softmax.fit import log_softmax
from mips_core.studies.tree_softmax.model import TreeSoftmax
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    OwnData,
    Pick,
    Slider,
    State,
    Unseen,
)
from pages._ui.state.session import Session

N, FITTED, HELD_OUT = 200, 1_000, 1_000  # words that are classes; contexts fitted and kept back
WIDTHS = (1, 2, 4, 8, 16, N)
K = 10
QUERIES = (
    *("wine", "missile", "singer", "pope", "cricket", "hurricane"),
    *("virus", "novel", "tennis", "comedy", "refugees"),
)
ODD, FEW = QUERIES.index("cricket"), 4  # with all branches it finds fewer than with FEW


def make() -> dict[str, Any]:
    """Both softmaxes for every query, what a beam of every width finds, and its way to the best."""
    X, asked, words, contexts = vectors()
    model = fitted()
    Q = asked[[contexts.index(word) for word in QUERIES]]
    scores = np.stack([score_rows(X, q, np.arange(N)) for q in Q])
    flat = np.exp(log_softmax(model.scale * scores))
    beams = [model.search(Q, K, width) for width in WIDTHS]
    found, cost = (np.stack(part, axis=1) for part in zip(*beams, strict=True))
    masses = np.exp(model.log_masses(Q))
    compared = compare_with_flat(model, X, asked, (K,), WIDTHS[:-1])
    means = [beam.precision[0] for beam in (*compared.beams, compared.every_leaf)]
    truth = np.asarray(exact_top_k(X, Q, K))
    return {
        "words": words,
        "queries": QUERIES,
        "widths": WIDTHS,
        "flat": flat.astype(np.float32),
        "tree": masses[:, N - 1 :].astype(np.float32),
        "truth": truth.astype(np.uint8),
        "found": np.where(found < 0, N, found).astype(np.uint8),  # N: no leaf
        "cost": cost.astype(np.int32),
        "turns": turns(model, masses, found[:, :, 0]),
        "means": means,
        "facts": _facts(truth, found, cost, means),
    }


def vectors() -> tuple[Matrix, Matrix, list[str], list[str]]:
    """(N, d) words that are classes, (HELD_OUT, d) contexts that were not fitted; what they are."""
    rows = _rows()
    data = shipped("glove-6b-50d")
    labels = data.labels or ()
    classes, asked = rows[:N], rows[N + FITTED :]
    X, Q = (np.ascontiguousarray(data.items[part]) for part in (classes, asked))
    return X, Q, [labels[i] for i in classes], [labels[i] for i in asked]


def fitted() -> TreeSoftmax:
    """The tree, fitted to the flat softmax of these words at FITTED further ones."""
    items = shipped("glove-6b-50d").items
    rows = _rows()
    X, Q = (np.ascontiguousarray(items[part]) for part in (rows[:N], rows[N : N + FITTED]))
    return fit_tree_softmax(X, Q, rng_for(0, "tree softmax"))


def _rows() -> list[int]:
    """Common words, but for the 400 most frequent, of four letters and more."""
    labels = shipped("glove-6b-50d").labels or ()
    common = (i for i, word in enumerate(labels) if i >= 400 and len(word) > 3 and word.isalpha())
    return [row for row, _ in zip(common, range(N + FITTED + HELD_OUT), strict=False)]


def turns(model: TreeSoftmax, masses: Floats, items: Ids) -> Floats:
    """(m, widths, levels) share of the side taken at each turn to items (m, widths); 0 after it."""
    parents = np.zeros(2 * N - 1, np.int64)
    parents[model.children.ravel()] = np.repeat(np.arange(N - 1), 2)
    shares = np.zeros((*items.shape, int(np.ceil(np.log2(N)))), np.float32)
    for (i, width), item in np.ndenumerate(items):
        way = [N - 1 + item]
        while way[-1]:
            way.append(parents[way[-1]])
        taken = masses[i, way[:-1]] / masses[i, way[1:]]
        shares[i, width, : len(taken)] = taken[::-1]
    return shares


def _facts(truth: Ids, found: Ids, cost: Ids, means: list[float]) -> dict[str, Any]:
    """What steps and answers say of the first query, of QUERIES[ODD], and of all held-out words."""
    same = (found[..., None] == truth[:, None, None, :]).any(axis=-1).sum(axis=-1)
    few, many = WIDTHS.index(FEW), WIDTHS.index(8)
    return {
        "same": int(same[LESSON.state["q"], -1]),
        "odd_few": int(same[ODD, few]),
        "odd_all": int(same[ODD, -1]),
        "mean": f"{K * means[-1]:.1f}",
        "mean_many": f"{K * means[many]:.1f}",
        "cost_many": int(cost[0, many]),
    }


def _ask(session: Session, state: State) -> None:
    """The tree softmax of the methods page stands there as it is."""


LESSON = Lesson(
    number=13,
    chapter="Judging",
    minutes=4,
    title="A tree softmax is another model",
    short="two softmaxes",
    idea="Drag how many branches are followed. Left: ten largest of the flat {softmax|softmax}. "
    "Right: of a {tree softmax|tree-softmax} fitted to it, with lines to the same words.",
    state={"q": QUERIES.index("pope"), "w": N, "both": 1},
    controls=(
        Slider(key="w", label="Branches followed", values=WIDTHS,
               words=("1", "2", "4", "8", "16", "all")),
        Pick(key="q", label="Query", values=range(len(QUERIES)), words=QUERIES),
        Unseen(key="both", values=(0, 1)),
    ),
    steps=(
        LessonStep(
            "Flat: one score for each of 200 words, and all share one whole by it.", {"both": 0}
        ),
        LessonStep("Tree: the whole is shared at every turn, seven or eight times.", {}),
        LessonStep("Same words, same query: {same} of the ten are the same.", {}),
        LessonStep(
            "Another query. Following 4 branches finds {odd_few} of the flat ten.",
            {"q": ODD, "w": FEW},
        ),
        LessonStep(
            "Following all finds {odd_all}. No search can turn one model into the other.",
            {"q": ODD},
        ),
    ),
    question="Ask for cricket, with 4 branches, then all. Why are fewer of the flat ten found?",
    answer="{odd_few} with 4, {odd_all} with all. A wider search finds more of what the tree "
    "itself holds likely, and those are other words. Over 1,000 words that were not fitted, "
    "following all finds {mean} of the flat ten on average, and 8 branches, for {cost_many} inner "
    "products, already {mean_many}.",
    answer_state={"q": ODD, "w": FEW},
    asks=(
        Ask(
            "May the tree's ten be scored against the flat ten, as if it were an index?",
            "No: they answer different questions. An index proposes candidates, and each keeps "
            "its own score.",
        ),
        Ask(
            "What does the tree multiply to give a word its share?",
            "The shares of all turns on its way, seven or eight of them.",
        ),
    ),
    still={"both": 1},
    intro="Left: the ten largest of a flat softmax. Right: those of a tree softmax fitted to "
    "it. Lines join the same words.",
    data="200 common words of GloVe 6B as classes; the tree is fitted to the flat softmax at 1,000 "
    "further words, seed 0. The query is none of these.",
    own=OwnData("methods.py", "Fit one to 4,000 words", _ask),
    make=make,
    height=420,
    side=304,
    stored=True,
)  # fmt: skip
