"""Why a claim does not hold on a data set: one sentence, with numbers that were measured there."""

from collections.abc import Callable
from math import exp, isfinite

from mips_core.studies.paper import drift, norms
from mips_core.studies.paper.facts import PaperFacts
from mips_core.studies.paper.noise import SIGMAS, noise_name
from mips_core.studies.paper.scale import PRECISION, scale_name, sizes_in
from mips_core.studies.paper.view import View

OWN = 0.5  # of queries that are their own best answer: from there on it explains K = 1
LADDER = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
LABELS = {
    "k-means": "k-means", "flat": "flat k-means", "pca-tree": "PCA-tree", "srp-hash": "SRP-hash",
    "wta-hash": "WTA-hash", "ip-tree": "IP-tree", "simple-lsh": "Simple-LSH", "l2-alsh": "L2-ALSH",
    "largest-norm": "the longest items alone", "multi": "several clusterings",
    "short": "one clustering", "product-quantization": "product quantization",
    "k-means(1)": "one cluster", "several": "several clusters", "default": "the usual setting",
}  # fmt: skip
SHOWN = {  # claim -> methods whose precision is told
    1: ("k-means", "pca-tree", "srp-hash", "wta-hash"),
    2: ("k-means", "pca-tree", "srp-hash", "wta-hash"),
    3: ("srp-hash", "wta-hash", "k-means"),
    4: ("pca-tree", "srp-hash"),
    6: ("k-means", "pca-tree", "srp-hash", "wta-hash"),
    7: ("flat", "pca-tree"),
    11: ("several", "k-means(1)"),
    14: ("pca-tree", "ip-tree", "simple-lsh", "srp-hash", "l2-alsh"),
    15: ("multi", "short"),
    16: ("product-quantization", "pca-tree", "srp-hash", "wta-hash"),
    17: ("flat", "default"),
}


def reason_for(number: int, facts: PaperFacts) -> Callable[[View, str], str]:
    """What explains a verdict against the claim of that number, given where it fails most."""

    def why(view: View, words: str) -> str:
        K = _k_in(words, facts)
        known = _OTHERS.get(number)
        said = known(view, facts, K) if known is not None else _seen(view, number, K, words)
        return f"{said} {_background(view, facts, number, K)}".strip()

    return why


def _k_in(words: str, facts: PaperFacts) -> int:
    """The K that a condition's words begin with, else the middle one."""
    digits = words.removeprefix("K = ").partition(",")[0]
    return int(digits) if words.startswith("K = ") and digits.isdigit() else facts.middle


def _seen(view: View, number: int, K: int, words: str) -> str:
    """What each method finds at the speedup that is named, or at 10×."""
    factors = [int(word[:-1]) for word in words.replace(",", " ").split() if word[:-1].isdigit()
               and word.endswith("×")]  # fmt: skip
    speedup = factors[-1] if factors else 10
    told = [
        f"{LABELS[name]} {precision:.3f}"
        for name in SHOWN[number]
        if isfinite(precision := view.precision(name, K, speedup))
    ]
    return f"Precision@{K} at {speedup}×: {', '.join(told)}."


def _background(view: View, facts: PaperFacts, number: int, K: int) -> str:
    """What of the data lies behind it: queries that find themselves, or norms that decide."""
    if number not in SHOWN:
        return ""
    if K == 1 and facts.best_self > OWN:
        return (
            f"{facts.best_self:.0%} of the queries are their own best answer: equal vectors share "
            "every bucket and every leaf, while P(x) turns an item away from its own query."
        )
    if facts.uneven and view.has("largest-norm"):
        alone = view.precision("largest-norm", K, 10)
        return (
            f"Norms decide here: the longest items alone, whatever the query, reach {alone:.3f} at "
            "10×."
        )
    return ""


def _crossing(view: View, facts: PaperFacts, K: int) -> str:
    signs = {s: view.precision("wta-hash", K, s) - view.precision("pca-tree", K, s) for s in LADDER}
    both = {s: value for s, value in signs.items() if isfinite(value)}
    below = [s for s, value in both.items() if value < 0]
    if not below:
        return f"At K = {K} PCA-tree does not overtake WTA-hash from {min(both)}× to {max(both)}×."
    if len(below) == len(both):
        return f"At K = {K} PCA-tree is ahead of WTA-hash from {min(both)}× on."
    return f"At K = {K} the two cross at about {below[0]}×."


def _noise(view: View, facts: PaperFacts, K: int) -> str:
    told = [
        f"{LABELS.get(name, 'hierarchical k-means')} "
        f"{view.share(noise_name(name, K), 0, 0):.3f} → "
        f"{view.share(noise_name(name, K), len(SIGMAS) - 1, 0):.3f}"
        for name in ("flat", "hierarchical", "pca-tree", "srp-hash", "wta-hash")
    ]
    return f"Precision@{K} without noise → at σ = {SIGMAS[-1]:g}: {', '.join(told)}."


def _drift(view: View, facts: PaperFacts, K: int) -> str:
    lost = [
        view.share("drift", drift.point_of(share, "rebuilt"), 0)
        - view.share("drift", drift.point_of(share, "frozen"), 0)
        for share in drift.SHARES
    ]
    told = [f"{100 * one:.1f} points at {share:.0%}" for share, one in zip(drift.SHARES, lost,
            strict=True)]  # fmt: skip
    return f"Frozen clusters lose {', '.join(told)} of the items moved."


def _growth(view: View, facts: PaperFacts, K: int) -> str:
    pairs = {facts.n: ("flat", "hierarchical")}
    if not view.has("flat"):
        scaled = {
            n: tuple(scale_name(each, n) for each in pairs[facts.n]) for n in sizes_in(view.sums)
        }
        pairs = {n: (flat, tree) for n, (flat, tree) in scaled.items() if view.has(flat, tree)}
    told = [
        f"{', '.join(f'{exp(view.log_speedup(name, K, PRECISION)):.3g}×' for name in names)} of "
        f"{n:,} items"
        for n, names in pairs.items()
    ]
    return f"At precision {PRECISION:g} flat and hierarchical clusters save {'; '.join(told)}."


def _norms(view: View, facts: PaperFacts, K: int) -> str:
    told = [
        f"{view.share('norms', norms.POINTS.index((norms.MS[-1], U)), -1):.2%} at U = {U:g}"
        for U in norms.US
    ]
    return f"With m = {norms.MS[-1]} norms differ by {', '.join(told)}."


_OTHERS: dict[int, Callable[[View, PaperFacts, int], str]] = {
    5: _crossing,
    8: _noise,
    9: _noise,
    10: _drift,
    12: _growth,
    13: _norms,
}
