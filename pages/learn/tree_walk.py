"""Lesson 7: one search down a tree of clusters, what it keeps and what it loses on its way.

Auvolat et al. 2015, Algorithm 2, on three levels; beside it the flat search of the same clusters.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mips_core import INDEXES, Searcher, exact_top_k, rng_for, shipped
from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import mark_candidates
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Pick,
    Slider,
)
from pages._ui.state.session import Session

SIZES = (4, 16, 64)
BRANCHES = (1, 2, 3, 4)
K = 5
ITEMS, FIRST_ITEM = 512, 400  # words, from this rank on: more common ones are "the", "of"
ASKED, FIRST_ASKED = 6000, 3000
QUERIES = ("mississippi", "liverpool", "fruit", "storage", "goalkeeper", "hungary", "chrysler")
FEWER = 32  # clusters that suit a flat search of so few words better


def words(first: int, count: int) -> list[str]:
    """`count` words of four letters or more, the most common from this rank on."""
    labels = shipped("glove-6b-50d").labels or ()
    return [word for word in labels[first:] if word.isalpha() and len(word) > 3][:count]


def vectors(labels: Sequence[str]) -> Matrix:
    """(n, 50) the vectors of these words."""
    data = shipped("glove-6b-50d")
    rows = {label: row for row, label in enumerate(data.labels or ())}
    return np.ascontiguousarray(data.items[[rows[label] for label in labels]])


def searcher(key: str, X: Matrix, **values: Any) -> Any:
    """How the index of these parameters is asked, built over X."""
    method: Any = INDEXES[key]
    index = method(max_rounds=100, **values)
    return index.searcher(index.build(X, rng_for(0)))


def make() -> dict[str, Any]:
    """`up`: the cluster above each cluster and above each word; `queries` and their walks."""
    items = words(FIRST_ITEM, ITEMS)
    X = vectors(items)
    tree = searcher("hierarchical-kmeans", X, n_levels=len(SIZES), sizes=SIZES)
    flat = searcher("flat-kmeans", X, n_clusters=SIZES[-1])
    truth = exact_top_k(X, vectors(QUERIES), K)
    queries = [
        {"word": word, "truth": best, "walks": [walk(tree, flat, q, best, p) for p in BRANCHES]}
        for word, q, best in zip(QUERIES, vectors(QUERIES), truth, strict=True)
    ]
    up = [level.labels for level in tree.tree.levels]
    return {
        "words": items,
        "up": up,
        "queries": queries,
        "facts": {**averages(X, tree), **story(items, up, queries)},
    }


def walk(tree: Searcher, flat: Searcher, q: Matrix, truth: Ids, p: int) -> dict[str, Any]:
    """What is scored and kept of each level and of the words; the same words' flat search."""
    steps, (compared, opened) = tree.trace(q, p, K), flat.trace(q, p, K)
    return {
        "scored": [step.scored for step in steps],
        "kept": [step.kept for step in steps],
        "flat": [int(compared.spent), int(opened.spent)],
        "flat_found": np.intersect1d(truth, opened.scored),
    }


def averages(X: Matrix, tree: Searcher) -> dict[str, str]:
    """Over many queries: what the tree finds of K with 1 to 4 branches, and a flat search."""
    Q = vectors(words(FIRST_ASKED, ASKED))
    truth = exact_top_k(X, Q, K)
    fewer = searcher("flat-kmeans", X, n_clusters=FEWER)
    asked = {**{f"tree_{p}": (tree, p) for p in BRANCHES}, "fewer": (fewer, 2)}
    means = {"fewer_clusters": str(FEWER)}
    for name, (index, p) in asked.items():
        opened = index.candidates(Q, p, K)
        marked = mark_candidates(truth, opened.starts, opened.ids, len(X))
        means[name] = f"{marked.sum(axis=1).mean():.1f}"
        means[f"{name}_cost"] = f"{opened.cost.mean():.0f}"
    return means


def spent(walked: Mapping[str, Any]) -> int:
    """Inner products of a walk."""
    return sum(map(len, walked["scored"]))


def hits(query: Mapping[str, Any], p: int) -> Ids:
    """The true answers that a walk with p branches ends at."""
    return np.intersect1d(query["truth"], query["walks"][p - 1]["scored"][-1])


def dropped_at(up: Sequence[Ids], kept: Sequence[Ids], item: int) -> int:
    """The level, 0 the coarsest, at which the way to a word was dropped; beyond the last: never."""
    above = [item]
    for labels in reversed(up):
        above.append(int(labels[above[-1]]))
    return next((level for level, c in enumerate(above[:0:-1]) if c not in kept[level]), len(up))


def story(items: Sequence[str], up: Sequence[Ids], queries: Sequence[Any]) -> dict[str, Any]:
    """What the texts name: costs of the first query, and what the second finds, then loses."""
    first, second = queries[:2]
    (lost,) = np.setdiff1d(hits(second, 1), hits(second, 2))
    levels = [dropped_at(up, first["walks"][0]["kept"], item) for item in first["truth"]]
    words_at = {
        level: [items[i] for i, at in zip(first["truth"], levels, strict=True) if at == level]
        for level in sorted(set(levels))
    }
    places = "; ".join(f"{', '.join(told)} at level {at + 1}" for at, told in words_at.items())
    return {
        **{f"cost_{p}": spent(first["walks"][p - 1]) for p in BRANCHES},
        "flat_cost": sum(first["walks"][2]["flat"]),
        "sum_1": " + ".join(str(len(ids)) for ids in first["walks"][0]["scored"]),
        "dropped": places,
        "lost": items[lost],
        "level": 1 + dropped_at(up, second["walks"][1]["kept"], lost),
    }


def ask(session: Session, state: Mapping[str, Any]) -> None:
    """A tree of as many levels over one's own data, with as many branches kept."""
    session.keep(HierarchicalKMeans(n_levels=len(SIZES)))
    session.effort = state["p"]


LESSON = Lesson(
    number=7,
    chapter="Clusters",
    minutes=5,
    title="Down the tree",
    short="down the tree",
    idea="Go down {level|level} by level. Each scores the clusters below those kept; filled: kept, "
    "hatched: scored and dropped. More {branches|branch} keep more.",
    state={"l": 4, "p": 1, "q": "mississippi"},
    controls=(
        Slider(
            key="l",
            label="Go down",
            values=range(5),
            words=("start", "level 1", "level 2", "level 3", "words"),
        ),
        Options(key="p", label="Branches kept", values=BRANCHES),
        Pick(key="q", label="Query", values=QUERIES),
    ),
    steps=(
        LessonStep(
            "512 words in a tree of 4, 16 and 64 clusters. Which five fit “mississippi” best?",
            {"l": 0},
        ),
        LessonStep(
            "Compare 4 clusters and keep the best. The other three are closed for good.", {"l": 1}
        ),
        LessonStep(
            "{cost_1} inner products, and nothing found: the right branch was dropped at the top.",
            {"l": 4},
        ),
        LessonStep(
            "Keep two branches a level: {cost_2} inner products, three of five found.", {"p": 2}
        ),
        LessonStep(
            "Keep three: all five, for {cost_3}. A flat search of the 64 pays {flat_cost}.",
            {"p": 3},
        ),
    ),
    question="Ask for liverpool with one branch, then with two. Which word was found, and is lost "
    "again?",
    answer="“{lost}”, lost at level {level}. With two branches, those of the second score better "
    "there and push its cluster out. So more branches can lose a word. On average they find more: "
    "{tree_1}, {tree_2}, {tree_3} and {tree_4} of 5 with one to four branches, over 6,000 "
    "queries.",
    answer_state={"q": "liverpool", "p": 2, "l": 4},
    asks=(
        Ask(
            "One branch is kept at each level. How many inner products does this search compute?",
            "{sum_1} = {cost_1}, instead of 512.",
        ),
        Ask(
            "At which level was the way to each of the five words dropped?",
            "{dropped}. What lies below a dropped cluster is never compared.",
        ),
        Ask(
            "The flat search compares all 64 centroids. Would fewer clusters make it cheaper?",
            "Yes. With {fewer_clusters} clusters and two opened it finds {fewer} of 5 for "
            "{fewer_cost} inner products on average; the tree with four branches finds {tree_4} "
            "for {tree_4_cost}. On 512 words a tree gains little: it pays where there are many.",
        ),
    ),
    still={"p": 2},
    pictures=({"p": 1}, {"p": 2}, {"p": 3}),
    intro="A search goes down the tree: on each level it compares the clusters below those it "
    "kept, and keeps the best. Filled: kept. Hatched: compared and dropped.",
    data="512 common words of the shipped data, 50 dimensions; 4, 16 and 64 clusters, seed 0; "
    "K = 5.",
    own=OwnData("search.py", "Follow a query of your own data", ask),
    make=make,
    height=420,
)
