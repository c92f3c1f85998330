"""The whole run: every data set, the scale of claim 12, and the verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.truth import truth_of
from mips_core.studies.paper import by_clock, scale
from mips_core.studies.paper.claims import curve_claims
from mips_core.studies.paper.facts import PaperFacts
from mips_core.studies.paper.methods import with_parts
from mips_core.studies.paper.one_set import BUILDS, OneSet, PaperData, SetResult, named
from mips_core.studies.paper.other_claims import growing, measured_claims
from mips_core.studies.paper.sums import Sums, group_sizes, joined, measured
from mips_core.studies.paper.units import Arrays, UnitFolder
from mips_core.studies.paper.verdicts import Claim, Judgement, judged
from mips_core.studies.paper.view import View

SCALE_SHARE = 0.25  # of the bar


@dataclass(frozen=True, slots=True, eq=False)
class PaperResult:
    """What is known so far; judgements come at the end, over `comparisons` in all.

    scale: flat and hierarchical k-means on growing numbers of simulated vectors. clocks: name of a
    data set -> what the clock says of claim 16 there.
    """

    sets: tuple[SetResult, ...]
    scale: SetResult | None
    quick: bool
    judgements: tuple[Judgement, ...] = ()
    comparisons: int = 0
    clocks: Mapping[str, str] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether all was measured and judged."""
        return bool(self.judgements)


def run_paper(
    sets: Sequence[PaperData], shelf: UnitFolder, quick: bool = False, progress: Progress = silent,
    *, clock: bool = False,
) -> PaperResult:  # fmt: skip
    """Measure all of it; partial results are PaperResults. Raises what loading and asking raise.

    clock: time claim 16 too, which is not kept and differs from run to run.
    """
    stems = [one.searched.name for one in sets]
    if len(set(stems)) < len(stems):
        raise ParamError("Two data sets have one name.", "Name each once, or rename a file.")
    result, reached = PaperResult((), None, quick), 0.0

    def tell(fraction: float, message: str, partial: Any = None) -> None:
        nonlocal reached
        reached = max(reached, fraction)
        progress(reached, message)  # what a build shows of itself is no PaperResult

    for at, data in enumerate(sets):
        low, high = ((1 - SCALE_SHARE) * i / len(sets) for i in (at, at + 1))
        before = result.sets
        one = OneSet(data, shelf, quick)
        for so_far in one.run(span(tell, low, high)):
            result = replace(result, sets=(*before, so_far))
            progress(reached, f"{data.searched.name}: {len(so_far.sums)} parts measured", result)
        if clock:
            told = _by_clock(one, named(span(tell, reached, high), f"{data.searched.name} · clock"))
            result = replace(result, clocks={**result.clocks, data.searched.name: told})
    grown = _scale(shelf, quick, span(tell, 1 - SCALE_SHARE, 0.98))
    result = replace(result, scale=grown)
    progress(0.98, "Judging", result)
    views = [(one.facts.name, view_of(one), claims_of(one.facts)) for one in result.sets]
    views.append((grown.facts.name, view_of(grown), [growing(scale.sizes(quick), grown.facts)]))
    judgements, comparisons = judged(views)
    result = replace(result, judgements=tuple(judgements), comparisons=comparisons)
    progress(1.0, "Done", result)
    return result


def claims_of(facts: PaperFacts) -> list[Claim]:
    """All 17, by number."""
    claims = [*curve_claims(facts), *measured_claims(facts)]
    return sorted(claims, key=lambda claim: claim.number)


def view_of(result: SetResult) -> View:
    """The numbers of a set, with parts of methods by names of their own."""
    return View(with_parts(result.sums), result.facts.ks)


def _by_clock(one: OneSet, progress: Progress) -> str:
    searched, K = one.data.searched, one.facts.middle
    return by_clock.in_words(by_clock.timed(searched, one.plan, one.sums, one.ks, K, progress))


def _scale(shelf: UnitFolder, quick: bool, progress: Progress) -> SetResult:
    sizes, sums = scale.sizes(quick), dict[str, Sums]()
    ends = (np.cumsum([0, *sizes]) / sum(sizes)).tolist()
    for at, n in enumerate(sizes):
        report = named(span(progress, ends[at], ends[at + 1]), f"{n:,} simulated vectors")
        report(0.0, "")
        sums |= _at_size(shelf, n, report)
    facts = PaperFacts(
        scale.NAME, "", sizes[-1], scale.D, scale.QUERIES, (scale.K,), True, True, 0.0, False
    )
    return SetResult(facts, sums)


def _at_size(shelf: UnitFolder, n: int, progress: Progress) -> dict[str, Sums]:
    """Both methods on n vectors; they are made only where something is to be measured."""
    builders: list[Builder] = []

    def builder() -> Builder:
        if not builders:
            data = scale.vectors(n)
            builders.append(Builder(data.items, truth_of(data), scale.K))
        return builders[0]

    sums, seeds = dict[str, Sums](), range(scale.builds_at(n, BUILDS))
    for name, indexes in scale.settings(n).items():
        parts = []
        for index in indexes:
            told: list[Arrays] = []
            for seed in seeds:

                def make(index: object = index, seed: int = seed) -> Arrays:
                    one = builder().build(index, seed, progress)  # type: ignore[arg-type]
                    searcher = index.searcher(one.structure)  # type: ignore[attr-defined]
                    truth = builder().truth
                    return measured(index, searcher, truth, (scale.K,))  # type: ignore[arg-type]

                names = ("scale", n, scale.D, scale.QUERIES, scale.K, index, seed)
                told.append(shelf.get(names, make))
            settings = tuple((0, int(effort)) for effort in told[0]["efforts"])
            hits, costs = (np.stack([one[what] for one in told]) for what in ("hits", "costs"))
            sizes, most = group_sizes(scale.QUERIES), np.array([float(scale.K)])
            parts.append(Sums(n, sizes, most, hits, costs, settings, (index.setting(n),)))
        sums[scale.scale_name(name, n)] = joined(parts)
    return sums
