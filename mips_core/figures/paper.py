"""The paper's figures from what was measured of a data set, and those behind other claims."""

from collections.abc import Iterable, Sequence
from typing import Literal

from mips_core.figures.drawing import (
    Drawing,
    DrawnPanel,
    Span,
    round_up,
    shares,
)
from mips_core.figures.paper_drift import drift_caption, drift_panels
from mips_core.figures.paper_lines import (
    LABELS,
    best_line,
    curves_panel,
    line_of,
    look_of,
    points_line,
)
from mips_core.figures.paper_scale import scale_drawing
from mips_core.studies.paper import norms
from mips_core.studies.paper.jackknife import Statistic, share_of
from mips_core.studies.paper.methods import BRANCHES, OPENED
from mips_core.studies.paper.noise import AGAINST, METHODS, SIGMAS, SPEEDUP, noise_name
from mips_core.studies.paper.one_set import SetResult
from mips_core.studies.paper.run import PaperResult, view_of
from mips_core.studies.paper.view import View

Way = Literal["paper", "ours"]
WAYS: dict[Way, str] = {"paper": "The paper's way", "ours": "Our way"}
ABOUT: dict[Way, str] = {
    "paper": "K-means(p) opens the best p clusters and hier-k-means(8) the best 8 of two levels; "
    "the number of clusters k varies, as in the paper. Of the others, the depth of the tree or the "
    "number of hash functions varies.",
    "ours": "Of each method the best settings at every speedup: k, the number of clusters, and p, "
    "how many are opened, vary together.",
}
READ = (
    "Precision@K: the share of the true K best items that is found. Speedup: how many times fewer "
    "inner products that takes than looking at every item."
)
NORMS = "Largest norms: the longest items, whatever is asked; no method of the paper."
COMMON = ("pca-tree", "srp-hash", "wta-hash", "largest-norm")
LETTERS = "abcdef"  # of panels
AXIS = "Standard deviation of the noise, σ"
TRUTHS = {"noisy": "the answers of the noisy query, as in the paper",
          "clean": "the answers before noise, which exact search loses too"}  # fmt: skip
SCORED = {"noisy": "Noise, against the noisy query", "clean": "Noise, against answers before it"}
MIXED = (
    ("Trees and hashing", ("pca-tree", "ip-tree", "srp-hash", "simple-lsh", "l2-alsh")),
    ("Clusters and quantization", ("short", "multi", "product-quantization", "wta-hash")),
)
FIFTHS = (1, 1.5, 2, 3, 4, 5, 7.5, 10)  # whose fifths are short numbers


def drawings(result: PaperResult, way: Way) -> list[Drawing]:
    """All that can be drawn by now, of all data sets; the last is of their growth."""
    several: list[Drawing] = []
    users = 0  # data sets so far whose queries are users: the second has the letters d to f
    for each in result.sets:
        own = each.facts.own_queries
        several += of_set(each, way, LETTERS[3:] if users and own else LETTERS)
        users += own
    if result.scale is not None:
        several.append(scale_drawing(result.scale))
    return several


def bare(name: str) -> str:
    """The name of a figure without the way it is drawn in."""
    return name.removesuffix("-ours").removesuffix("-paper")


def each_once(drawn: Iterable[Drawing]) -> list[Drawing]:
    """Every figure once, in the order given, with both ways of one together."""
    each = {drawing.name: drawing for drawing in drawn}
    order = list(dict.fromkeys(map(bare, each)))
    return sorted(each.values(), key=lambda drawing: order.index(bare(drawing.name)))


def of_set(result: SetResult, way: Way, letters: str = LETTERS) -> list[Drawing]:
    """Those of one data set, in the order of the paper; without those that have no line yet."""
    view = view_of(result)
    made = [_curves(result, view, way, letters)]
    made += [_noise(result, view, column) for column in range(len(AGAINST))]
    made += [make(result, view) for make in (_others, _rounds, _norms, _drift)]
    return [drawing for drawing in made if all(panel.lines for panel in drawing.panels)]


def _drawing(
    result: SetResult, name: str, title: str, caption: str, panels: Iterable[DrawnPanel]
) -> Drawing:
    facts = result.facts
    told = title.format(facts.title)
    return Drawing(f"{facts.stem}-{name}", told, caption, tuple(panels), facts.simulated)


def _curves(result: SetResult, view: View, way: Way, letters: str) -> Drawing:
    """Figure 1 or 2."""
    facts, number = result.facts, 1 if result.facts.own_queries else 2
    shades = {f"k-means({p})": f"k-means-{p}" for p in OPENED}
    shades[f"hier-k-means({BRANCHES})"] = look_of("hierarchical")
    ours = ("flat", "hierarchical")
    panels = []
    for letter, K in zip(letters, facts.ks, strict=False):
        clusters = (
            [points_line(view, name, key, K) for name, key in shades.items() if view.has(name)]
            if way == "paper"
            else [best_line(view, name, K) for name in ours if view.has(name)]
        )
        others = [best_line(view, name, K) for name in COMMON if view.has(name)]
        panels.append(curves_panel(f"({letter}) K = {K}", [*clusters, *others], K))
    caption = (
        f"{facts.n:,} items, {facts.m:,} queries. {READ} {ABOUT[way]} {NORMS} "
        "Bands are 95% intervals over queries and builds. K-means ran until nothing moved"
        f"{_rounds_in_words(result)}."
    )
    title = f"Figure {number}: {{}}. {WAYS[way]}"
    return _drawing(result, f"figure-{number}-{way}", title, caption, panels)


def _rounds_in_words(result: SetResult) -> str:
    return f" ({min(result.rounds)} to {max(result.rounds)} rounds)" if result.rounds else ""


def _noise(result: SetResult, view: View, column: int) -> Drawing:
    """Figure 3, against one of both truths."""
    truth, facts = AGAINST[column], result.facts
    sigmas = [sigma * result.sigma for sigma in SIGMAS]
    ticks = tuple((sigma, f"{sigma:.3g}") for sigma in sigmas)
    x = Span(-0.03 * sigmas[-1], 1.03 * sigmas[-1], AXIS, ticks)
    names = [*METHODS, *(["exact"] if truth == "clean" else [])]
    panels = []
    for letter, K in zip(LETTERS, facts.ks, strict=False):
        lines = [
            line_of(view, name, LABELS[name], _places(sigmas, noise_name(name, K), column))
            for name in names if view.has(noise_name(name, K))
        ]  # fmt: skip
        title = f"({letter}) K = {K}"
        panels.append(DrawnPanel(title, x, shares(f"Precision@{K}"), tuple(lines)))
    entries = " σ is the paper's, times the root mean square of the entries of users."
    unit = "" if result.sigma == 1 else entries
    caption = (
        f"Every method is set to {SPEEDUP:g}× without noise, on queries that are not scored. "
        f"Precision against {TRUTHS[truth]}.{unit}"
    )
    title = f"Figure 3: {{}}. {SCORED[truth]}"
    return _drawing(result, f"figure-3-{truth}", title, caption, panels)


def _places(xs: Sequence[float], name: str, column: int) -> list[tuple[float, Statistic]]:
    """x, and the share found at the points of a method in that order."""
    return [(x, share_of(name, at, column)) for at, x in enumerate(xs)]


def _others(result: SetResult, view: View) -> Drawing:
    """Methods of claims 14 to 16."""
    K = result.facts.middle
    panels = [
        curves_panel(title, [best_line(view, name, K) for name in names if view.has(name)], K)
        for title, names in MIXED
    ]
    caption = (
        "The best of each method's settings. Inner products are counted; memory and look-ups of "
        "hash tables are not."
    )
    return _drawing(result, "figure-others", "Other methods: {}", caption, panels)


def _rounds(result: SetResult, view: View) -> Drawing:
    """What ten rounds of k-means lose."""
    names = [name for name in ("flat", "short", "default") if view.has(name)]
    panels = [
        curves_panel(f"({letter}) K = {K}", [best_line(view, name, K) for name in names], K)
        for letter, K in zip(LETTERS, result.facts.ks, strict=False)
    ]
    caption = (
        f"Flat k-means is run until nothing moves{_rounds_in_words(result)}, as in the paper; "
        "beside it what 10 rounds give, the usual here."
    )
    return _drawing(result, "figure-rounds", "Rounds of k-means: {}", caption, panels)


def _norms(result: SetResult, view: View) -> Drawing:
    """What P does to norms and to answers."""
    K = result.facts.middle
    x = Span(0.8, norms.MS[-1] + 0.2, "Entries added, m", tuple((m, str(m)) for m in norms.MS))
    panels = []
    for title, column in (
        ("Largest relative difference of norms", -1),
        (f"Share of the top {K} that P changes", result.facts.ks.index(K)),
    ):
        lines = [
            line_of(view, f"k-means-{at + 1}", f"U = {U:g}",
                    ((m, _changed(U, m, column)) for m in norms.MS))
            for at, U in enumerate(norms.US) if view.has("norms")
        ]  # fmt: skip
        high = max((spot.y for line in lines for spot in line.spots), default=1.0)
        panels.append(DrawnPanel(title, x, shares("", 0.0, round_up(high, FIFTHS)), tuple(lines)))
    caption = (
        "P adds m entries to every item, so that all become about equally long; before it the "
        "longest is made U long. Left: by what share the longest of all "
        "P(x) exceeds the shortest. Right: answers of exact search by the angle between P(x) of "
        "an item and Q(q) of a query."
    )
    return _drawing(result, "figure-norms", "The mapping P: {}", caption, panels)


def _changed(U: float, m: int, column: int) -> Statistic:
    """The difference of norms, in the last column; else the share of answers that is not kept."""
    share = share_of("norms", norms.POINTS.index((m, U)), column)
    return share if column == -1 else lambda view: 1 - share(view)


def _drift(result: SetResult, view: View) -> Drawing:
    """Clusters kept up in three ways."""
    panels = drift_panels(view)
    return _drawing(result, "figure-drift", "Moving vectors: {}", drift_caption(), panels)
