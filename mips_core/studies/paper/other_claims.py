"""Claims 8, 9, 10, 12 and 13 of the paper: noise, drift, scale, and the mapping P."""

from collections.abc import Sequence
from itertools import pairwise
from math import log

from mips_core.studies.paper import drift, noise, norms, scale
from mips_core.studies.paper.facts import PaperFacts
from mips_core.studies.paper.methods import TREES_AND_HASHES
from mips_core.studies.paper.noise import AGAINST, SIGMAS, noise_name
from mips_core.studies.paper.reasons import reason_for
from mips_core.studies.paper.verdicts import Claim, Condition
from mips_core.studies.paper.view import View

HALF = 0.5  # of what was found without noise: what is called reasonable here
MUCH = 0.1  # a cost that is higher by so much is another cost
NEARLY = 0.01  # of answers, and of norms
IN_USE = 0.85  # the largest U that the literature advises
FALLING = 3  # values of m; beyond them the difference is 0 to six digits where U is small
TRUTHS = {"noisy": "answers of the noisy query", "clean": "answers before noise"}


def measured_claims(facts: PaperFacts) -> list[Claim]:
    """Those of one data set that stand on more than curves."""
    return [
        Claim(
            8, "Under noise k-means stays best, at 30×.", "5.4",
            "precision of the better k-means less that of the best tree or hash, all set to 30× "
            "without noise",
            "figure-3-noisy", tuple(_stays_best(K, at, truth) for K in facts.ks
            for at in (0, 2, 4) for truth in AGAINST), why=reason_for(8, facts),
        ),
        Claim(
            9, "And its precision under noise remains reasonable.", "5.4",
            f"what flat k-means keeps at σ = {SIGMAS[-1]:g} of what it finds without noise, of "
            "what exact search keeps, less one half: “reasonable” is not a number, this is ours",
            "figure-3-noisy", tuple(_reasonable(K, truth) for K in facts.ks for truth in AGAINST),
            why=reason_for(9, facts),
        ),
        Claim(
            10, "Clusters need few updates while vectors change.", "5.4, 6",
            f"{drift.TOLERANCE:g} of precision, less what frozen clusters lose to a rebuild; items "
            f"moved by {drift.SIZE:g} times the root mean square of the entries, simulated; one "
            f"cluster in {drift.OPENED} is opened",
            "figure-drift", tuple(map(_keeps, drift.SHARES)), why=reason_for(10, facts),
        ),
        growing([facts.n], facts),
        Claim(
            13, "The mapping P, which adds m entries to every item, makes all norms nearly equal, "
            "the more so the larger m.", "3.1",
            "by how much the largest relative difference of norms falls at least from one m to the "
            f"next; {NEARLY:g} less that difference at m = {norms.MS[-1]}, for the U that are in "
            f"use; and {NEARLY:g} less the share of answers that P changes there. Norms are of all "
            "items: no sampling",
            "figure-norms", tuple([_falls(U) for U in norms.US]
            + [_even(U) for U in norms.US if U <= IN_USE]
            + [_changes(K, U) for K in range(len(facts.ks)) for U in norms.US]),
            why=reason_for(13, facts),
        ),
    ]  # fmt: skip


def growing(sizes: Sequence[int], facts: PaperFacts) -> Claim:
    """Claim 12: on so many items of the simulated vectors, or on a data set as large as it is."""
    several = len(sizes) > 1
    named = {n: f"scale {{}} {n}" if several else "{}" for n in sizes}
    return Claim(
        12,
        "Hierarchical clusters are cheaper where there are many items; flat ones are enough "
        f"below {scale.SUFFICES:,}.",
        "4, 5.3",
        f"times the speedup of flat k-means that hierarchical k-means has at precision@{scale.K} "
        f"of {scale.PRECISION:g}; below {scale.SUFFICES:,} items times that of the hierarchical "
        "that flat has, a tenth allowed",
        "scale-figure" if several else facts.curves_figure,
        tuple(_grows(n, name) for n, name in named.items()),
        "ratio",
        reason_for(12, facts),
    )


def _grows(n: int, name: str) -> Condition:
    def effect(view: View) -> float:
        K = scale.K if scale.K in view.ks else view.ks[-1]
        tree, flat = (
            view.log_speedup(name.format(each), K, scale.PRECISION)
            for each in ("hierarchical", "flat")
        )
        return flat - tree + log(1 + MUCH) if n < scale.SUFFICES else tree - flat

    return Condition(f"{n:,} items", effect)


def _stays_best(K: int, sigma: int, truth: str) -> Condition:
    column = AGAINST.index(truth)

    def share(view: View, names: Sequence[str]) -> float:
        return max(view.share(noise_name(name, K), sigma, column) for name in names)

    def effect(view: View) -> float:
        return share(view, noise.METHODS[:2]) - share(view, TREES_AND_HASHES)

    return Condition(f"K = {K}, σ = {SIGMAS[sigma]:g}, {TRUTHS[truth]}", effect)


def _reasonable(K: int, truth: str) -> Condition:
    column, last = AGAINST.index(truth), len(SIGMAS) - 1

    def effect(view: View) -> float:
        name = noise_name("flat", K)
        ceiling = view.share(noise_name("exact", K), last, column)
        return view.share(name, last, column) / ceiling - HALF * view.share(name, 0, column)

    return Condition(f"K = {K}, {TRUTHS[truth]}", effect)


def _keeps(share: float) -> Condition:
    def effect(view: View) -> float:
        frozen, rebuilt = (
            view.share("drift", drift.point_of(share, way), 0) for way in ("frozen", "rebuilt")
        )
        return drift.TOLERANCE + frozen - rebuilt

    return Condition(f"{share:.0%} of the items moved", effect)


def _falls(U: float) -> Condition:
    points = [norms.POINTS.index((m, U)) for m in norms.MS[:FALLING]]

    def effect(view: View) -> float:
        spreads = [view.share("norms", at, -1) for at in points]
        return min(before - after for before, after in pairwise(spreads))

    return Condition(f"norms fall up to m = {norms.MS[FALLING - 1]}, U = {U:g}", effect)


def _even(U: float) -> Condition:
    at = norms.POINTS.index((norms.MS[-1], U))
    return Condition(f"norms, U = {U:g}", lambda view: NEARLY - view.share("norms", at, -1))


def _changes(column: int, U: float) -> Condition:
    at = norms.POINTS.index((norms.MS[-1], U))

    def effect(view: View) -> float:
        return NEARLY - (1 - view.share("norms", at, column))

    return Condition(f"answers, K = {('1', '10', '100')[column]}, U = {U:g}", effect)
