"""Every term of the app in a sentence or two: lessons and help texts link here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class GlossaryEntry:
    """A term, what it means, the lesson that shows it, and the pages that use it."""

    term: str
    symbol: str  # as formulas write it; "" where none does
    text: str
    lesson: int
    pages: Sequence[str]


def lesson_about(label: str) -> int:
    """The lesson that shows what a control or number is called, such as "Probes"; 0 for none."""
    names = {label, label.removesuffix("s"), label.removesuffix("es")}
    return next((entry.lesson for entry in GLOSSARY.values() if entry.term in names), 0)


def _entry(term: str, symbol: str, lesson: int, pages: str, text: str) -> GlossaryEntry:
    return GlossaryEntry(term, symbol, text, lesson, tuple(pages.split(", ")))


GLOSSARY: dict[str, GlossaryEntry] = {
    "item": _entry("Item", "x", 1, "Data, Search",
        "One of the vectors that are searched: a word, a film, a picture."),
    "query": _entry("Query", "q", 5, "Search",
        "The vector that is asked for: which items have the largest inner product with it?"),
    "inner-product": _entry("Inner product", "q · x", 1, "every page",
        "Multiply two vectors entry by entry and add up. It grows when they point the same way, "
        "and when either gets longer."),
    "cosine": _entry("Cosine", "cos(q, x)", 1, "Data",
        "The inner product divided by both lengths: only the angle counts."),
    "distance": _entry("Euclidean distance", "|q − x|", 1, "Data",
        "How far one tip lies from the other, along a straight line."),
    "norm": _entry("Norm", "|x|", 3, "Data, Methods",
        "The length of a vector."),
    "hull": _entry("Convex hull", "", 1, "Map",
        "The outline that a rubber band around all points would take. Only items on it can have "
        "the largest inner product with some query."),
    "hub": _entry("Hub", "", 2, "Data, Robustness",
        "An item that is among the answers of very many queries, often because it is long."),
    "answers": _entry("True answers", "top K", 5, "Search",
        "The K items with the largest inner products. Exact search finds them by computing all."),
    "exact": _entry("Exact search", "", 10, "Trade-off, Methods",
        "Computes the inner product of the query with every item. It misses nothing, and costs "
        "as many inner products as there are items."),
    "index": _entry("Index", "", 5, "Build",
        "What is prepared before any query comes, so that a search need not look at all items."),
    "reduction": _entry("Reduction", "P(x)", 3, "Build",
        "Extra entries that make all vectors nearly equally long, so that the largest cosine "
        "belongs to the largest inner product."),
    "cluster": _entry("Cluster", "", 4, "Build, Map",
        "A group of items that point nearly the same way. Each item is in one."),
    "centroid": _entry("Centroid", "c", 4, "Build, Map",
        "The direction of a cluster: add up its members and keep the direction of the sum."),
    "objective": _entry("Objective", "", 4, "Build",
        "How well the centroids fit: the mean cosine between an item and its centroid. No round "
        "lowers it."),
    "round": _entry("Round", "", 4, "Build",
        "Two moves of k-means: centroids turn to the sum of their members, then every item joins "
        "the nearest centroid."),
    "probe": _entry("Probe", "p", 5, "Trade-off, Search",
        "A cluster that is opened for a query. All its items are scored."),
    "candidate": _entry("Candidate", "", 5, "Search, Map",
        "An item whose inner product with the query is computed."),
    "cost": _entry("Cost", "", 6, "every page",
        "Inner products computed to answer one query: those that choose the candidates, and one "
        "for each candidate."),
    "ledger": _entry("Ledger", "", 10, "Methods, Search",
        "The cost of a query, line by line: what was spent on centroids, nodes or tables, and on "
        "candidates."),
    "speedup": _entry("Speedup", "n / cost", 6, "Trade-off",
        "How many times fewer inner products than exact search computes."),
    "miss": _entry("Miss", "", 5, "Search, Map",
        "A true answer that the search did not score."),
    "precision": _entry("Precision@K", "", 6, "Trade-off",
        "The share of the true top K that a search finds. Both lists hold K items, so it equals "
        "recall."),
    "level": _entry("Level", "", 7, "Build, Map",
        "One row of a tree: its clusters are divided again on the next."),
    "branch": _entry("Branch", "p", 7, "Trade-off, Search",
        "A cluster kept at one level of a tree. Only clusters below it are looked at next."),
    "hyperplane": _entry("Hyperplane", "", 8, "Methods",
        "A line through the origin, or what it is in more dimensions. Every vector lies on one of "
        "its two sides."),
    "hash": _entry("Hash", "", 8, "Methods",
        "A short code of a vector. Vectors that point the same way often have the same one."),
    "bucket": _entry("Bucket", "", 8, "Methods, Map",
        "All items with the same hash in one table."),
    "table": _entry("Table", "t", 8, "Build, Methods",
        "Buckets made with one set of random draws. More tables give each neighbour another "
        "chance to meet the query."),
    "wta": _entry("Winner takes all", "WTA", 8, "Methods",
        "A hash that shuffles the entries of a vector and keeps the place of the largest of the "
        "first few."),
    "principal-direction": _entry("Principal direction", "", 9, "Build, Methods",
        "The direction along which the items lie farthest apart."),
    "median": _entry("Median", "", 9, "Methods",
        "The value with as many items below it as above."),
    "leaf": _entry("Leaf", "", 9, "Methods, Map",
        "A part of the space that a tree does not cut any further, with the items in it."),
    "boosting": _entry("Neighbouring leaves", "", 9, "Methods",
        "Leaves that the query misses at a single cut. The PCA-tree opens them too."),
    "quantization": _entry("Product quantization", "PQ", 10, "Methods",
        "Each part of a vector is replaced by the nearest of a few stored ones, so that scores "
        "can be estimated from a table."),
    "sample": _entry("Sample of queries", "m", 11, "Trade-off, Tune",
        "The queries that are asked to measure a precision. Others would have given another "
        "number."),
    "interval": _entry("95% interval", "", 11, "Trade-off, Tune",
        "A range computed from a sample. Of a hundred such ranges, about 95 hold the true value."),
    "seed": _entry("Seed", "", 11, "every page",
        "A number that fixes every random draw. The same seed gives the same result again."),
    "noise": _entry("Noise", "σ", 12, "Robustness",
        "Random numbers added to a query, with standard deviation σ in each entry."),
    "noisy-truth": _entry("Noisy truth", "", 12, "Robustness",
        "The true answers of the query with its noise: what the index was really asked."),
    "clean-truth": _entry("Clean truth", "", 12, "Robustness",
        "The true answers of the query before the noise: what was meant. Exact search can miss "
        "some of these too."),
    "softmax": _entry("Softmax", "", 13, "Search, Methods",
        "Turns scores into probabilities: the exponential of each, divided by the sum of all."),
    "tree-softmax": _entry("Tree softmax", "", 13, "Methods",
        "A model that shares probability out at every turn of a tree. It is trained so, and its "
        "largest ten are others than those of the flat softmax."),
}  # fmt: skip

# In a help text these are often words like any other.
_EVERYDAY = {"item", "query", "index", "round", "level", "table", "sample", "answers", "exact"}
_LINKED = sorted(GLOSSARY.keys() - _EVERYDAY, key=len, reverse=True)
_NAMED = re.compile(rf"\b({'|'.join(key.replace('-', ' ') for key in _LINKED)})(?:e?s)?\b", re.I)


def linked(text: str) -> str:
    """`text`, a help text in Markdown, with each term a link to its entry where it stands first."""
    seen: set[str] = set()

    def link(match: re.Match[str]) -> str:
        key = match[1].lower().replace(" ", "-")
        if key in seen:
            return match[0]
        seen.add(key)
        return f"[{match[0]}](learn?learn={key})"

    return _NAMED.sub(link, text)
