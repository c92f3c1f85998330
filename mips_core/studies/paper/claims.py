"""Claims 1 to 7 and 11 of the paper, and 14 to 17: what curves show.

Auvolat et al. 2015; sections are named with each. Effects are above 0 where the claim is right.
"""

from collections.abc import Callable, Sequence
from math import isfinite, nan

from mips_core.studies.paper.facts import PaperFacts
from mips_core.studies.paper.methods import DATA_FREE, TREES_AND_HASHES
from mips_core.studies.paper.reasons import reason_for
from mips_core.studies.paper.verdicts import Claim, Condition, Unit
from mips_core.studies.paper.view import View

Effect = Callable[[View, int, float], float]
KMEANS = "k-means"  # flat and hierarchical, as one method
PCA, RIVALS, TIMES = ("pca-tree",), TREES_AND_HASHES, "{:g}×"
PRECISIONS = (0.5, 0.7, 0.8, 0.9, 0.95)
LOST = 0.05  # of precision: what usual settings may lose to the best, to be called simple


def best(view: View, names: Sequence[str], K: int, speedup: float) -> float:
    """The highest precision of these methods at a speedup; NaN where none is so fast."""
    values = [view.precision(name, K, speedup) for name in names]
    return max((value for value in values if isfinite(value)), default=nan)


def ahead(first: Sequence[str], second: Sequence[str]) -> Effect:
    """By how much the best of `first` finds more than the best of `second`."""
    return lambda v, K, s: best(v, first, K, s) - best(v, second, K, s)


def cheaper(first: str, rivals: Sequence[str]) -> Effect:
    """Log of how many times fewer inner products it takes for a precision than the best rival."""
    return lambda v, K, P: (
        v.log_speedup(first, K, P) - max(v.log_speedup(name, K, P) for name in rivals)
    )


def at(effect: Effect, ks: Sequence[int], values: Sequence[float], words: str) -> list[Condition]:
    """A condition for every K and value; `words` has the value's place: "{:g}×"."""
    return [_condition(effect, K, value, words) for K in ks for value in values]


def _condition(effect: Effect, K: int, value: float, words: str) -> Condition:
    return Condition(f"K = {K}, {words.format(value)}", lambda v: effect(v, K, value))


def _kept(names: Sequence[str], low: float, high: float) -> Effect:
    """The share of its precision that a method keeps from one speedup to a higher one."""
    return lambda v, K, _: best(v, names, K, high) / best(v, names, K, low)


def _less(first: Effect, second: Effect) -> Effect:
    return lambda v, K, s: first(v, K, s) - second(v, K, s)


def _lost(view: View, K: int, speedup: float) -> float:
    """What may be lost, less what usual settings lose to the best of the grid."""
    return LOST + view.precision("default", K, speedup) - view.precision("flat", K, speedup)


def curve_claims(facts: PaperFacts) -> list[Claim]:
    """Those that stand on curves of all methods on one data set."""
    return [*_against_rivals(facts), *_of_words(facts), *_of_variants(facts)]


def _claim(
    facts: PaperFacts, number: int, text: str, section: str, sought: str,
    *conditions: Sequence[Condition], unit: Unit = "precision", drawn: str = "",
) -> Claim:  # fmt: skip
    told, figure = tuple(one for each in conditions for one in each), drawn or facts.curves_figure
    why = reason_for(number, facts)
    return Claim(number, text, section, sought, figure, told, unit, why)


def _against_rivals(facts: PaperFacts) -> list[Claim]:
    """K-means, trees and hashes against each other, at every K."""
    ks = facts.ks
    return [
        _claim(
            facts, 1, "K-means gives much higher speedups at equal precision than trees and "
            "hashes.", "abstract, 5.3",
            "times the speedup of the best tree or hash, at equal precision",
            at(cheaper(KMEANS, RIVALS), ks, PRECISIONS, "precision {:g}"), unit="ratio",
        ),
        _claim(
            facts, 2, "K-means is the clear winner as the speedup rises, and falls slowly.", "5.3",
            "precision of k-means less that of the best tree or hash; and the share of its "
            "precision that it keeps from 10× to 50×, less what they keep",
            at(ahead([KMEANS], RIVALS), ks, (10, 20, 50, 100), TIMES),
            at(_less(_kept([KMEANS], 10, 50), _kept(RIVALS, 10, 50)), ks, (10,),
               f"kept to 50× from {TIMES}"),
        ),
        _claim(
            facts, 3, "Hashing is better at low speedups, and falls fast after 10×.", "5.3",
            "precision of the better hash less that of k-means; and the share of its precision "
            "that k-means keeps from 5× to 20×, less what the hash keeps",
            at(ahead(DATA_FREE, [KMEANS]), ks, (2, 3, 5), TIMES),
            at(_less(_kept([KMEANS], 5, 20), _kept(DATA_FREE, 5, 20)), ks, (5,),
               f"kept to 20× from {TIMES}"),
        ),
        _claim(
            facts, 4, "PCA-tree beats SRP-hash.", "5.3",
            "precision of PCA-tree less that of SRP-hash",
            at(ahead(PCA, ["srp-hash"]), ks, (3, 5, 10, 20, 50, 100), TIMES),
        ),
        _claim(
            facts, 5, "WTA-hash beats PCA-tree at low speedups and is overtaken at higher ones.",
            "5.3", "precision of WTA-hash less that of PCA-tree up to 5×, the other way from 20×",
            at(ahead(["wta-hash"], PCA), ks, (2, 3, 5), TIMES),
            at(ahead(PCA, ["wta-hash"]), ks, (20, 50, 100), TIMES),
        ),
    ]  # fmt: skip


def _of_words(facts: PaperFacts) -> list[Claim]:
    """What the paper says of the neighbourhood of words, at K = 10 and 100."""
    large = [K for K in facts.ks if K >= 10] or list(facts.ks[-1:])
    return [
        _claim(
            facts, 6, "Methods that follow the data keep the neighbourhood of words better than "
            "those that do not.", "5.4",
            "precision of k-means, and of PCA-tree, less that of the better hash",
            at(ahead([KMEANS], DATA_FREE), large, (5, 10, 30), f"k-means, {TIMES}"),
            at(ahead(PCA, DATA_FREE), large, (5, 10, 30), f"PCA-tree, {TIMES}"),
        ),
        _claim(
            facts, 7, "K-means and hierarchical k-means are significantly better than PCA-tree at "
            "K = 10 and 100.", "5.4", "precision of each less that of PCA-tree",
            at(ahead(["flat"], PCA), large, (10, 30), f"flat, {TIMES}"),
            at(ahead(["hierarchical"], PCA), large, (10, 30), f"hierarchical, {TIMES}"),
        ),
    ]  # fmt: skip


def _of_variants(facts: PaperFacts) -> list[Claim]:
    """One cluster or several, one clustering or several, and what the literature says of others."""
    ks, middle = facts.ks, [facts.middle]
    others = "figure-others"
    return [
        _claim(
            facts, 11, "Opening the best p clusters instead of one improves precision.", "3.3",
            "precision with p > 1 less that with p = 1, at equal cost, k varied",
            at(ahead(["several"], ["k-means(1)"]), ks, (5, 10, 30), TIMES),
            drawn=facts.curves_figure.replace("ours", "paper"),
        ),
        _claim(
            facts, 14, "PCA-tree beats IP-tree, and symmetric hashing beats asymmetric.",
            "2, from the literature",
            "precision of PCA-tree less that of IP-tree; of Simple-LSH less that of Sign-ALSH "
            "(SRP-hash), and of L2-ALSH",
            at(ahead(PCA, ["ip-tree"]), middle, (2, 3, 10), f"trees, {TIMES}"),
            at(ahead(["simple-lsh"], ["srp-hash"]), middle, (3, 10), f"Sign-ALSH, {TIMES}"),
            at(ahead(["simple-lsh"], ["l2-alsh"]), middle, (3, 10), f"L2-ALSH, {TIMES}"),
            drawn=others,
        ),
        _claim(
            facts, 15, "Combining clusterings improves precision and speedup.", "6, future work",
            "precision of 2 or 3 clusterings less that of one, at equal cost",
            at(ahead(["multi"], ["short"]), ks, (5, 10, 30), TIMES), drawn=others,
        ),
        _claim(
            facts, 16, "Vector quantization is a further rival.", "6, future work",
            "precision of product quantization (QUIP) less that of the best tree or hash, at "
            "equal inner products",
            at(ahead(["product-quantization"], RIVALS), ks, (5, 10, 20), TIMES), drawn=others,
        ),
        _claim(
            facts, 17, "K-means is simple: it has no parameter but k, the number of clusters, and "
            "p, how many are opened.", "6",
            f"{LOST:g} of precision, less what √n clusters and 10 rounds lose to the best of the "
            "grid", at(_lost, ks, (5, 10, 30), TIMES), drawn="figure-rounds",
        ),
    ]  # fmt: skip
