"""How long clusters that are frozen do: precision as the share and the size of changes grow."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import truth_of
from mips_core.studies.comparison import FEWEST_SEEDS
from mips_core.studies.drift.changes import Coming, Moving, Scenario
from mips_core.studies.drift.update import ROUNDS, check_can_update, check_rounds
from mips_core.studies.drift.upkeep import BUILDS, Fresh, builds_of, upkeep

Kind = Literal["moved", "new"]
SHARES = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
SIZES = (0.1, 0.3, 1.0)
MAX_SIZE = 10.0
MAX_BUILDS = 9
BEFORE = 0.1  # of the bar: what is built before anything changes


@dataclass(frozen=True)
class Recipe:
    """Which changes are tried.

    kind: items move by noise of each of `sizes`, in root mean squares of the entries (simulated),
    or new ones come that were held out of the build. shares of the items before. builds: with as
    many seeds, because one can be lucky. rounds of a refresh. seed of the changes. Raises
    ParamError for what is out of range.
    """

    kind: Kind = "moved"
    shares: tuple[float, ...] = SHARES
    sizes: tuple[float, ...] = SIZES
    builds: int = BUILDS
    rounds: int = ROUNDS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ParamError(
                f"The kind is {self.kind!r}.", f"Allowed: {', '.join(get_args(Kind))}."
            )
        for name, values, least, most in (
            ("share", self.shares, 0.0, 1.0),
            ("size", self.sizes, 0.0, MAX_SIZE),
        ):
            if not values:
                raise ParamError(f"No {name} of changes was given.", "Give one or more.")
            for value in values:
                if not least <= value <= most:  # not so for NaN either
                    raise ParamError(
                        f"The {name} of changes is {value:g}.",
                        f"Allowed: numbers from {least:g} to {most:g}.",
                    )
        if not FEWEST_SEEDS <= self.builds <= MAX_BUILDS:
            raise ParamError(
                f"{counted(self.builds, 'build was', 'builds were')} asked for.",
                f"Give {FEWEST_SEEDS} to {MAX_BUILDS}.",
            )
        check_rounds(self.rounds)


@dataclass(frozen=True, slots=True, eq=False)
class Decay:
    """What was measured so far: a point for each size and share, in that order.

    n items before, m queries of K answers. `simulated`: that the changes are; simulated data says
    so by itself.
    """

    setting: Setting
    recipe: Recipe
    n: int
    m: int
    K: int
    points: tuple[Fresh, ...]

    @property
    def simulated(self) -> bool:
        """Whether changes are noise, and not vectors that are there."""
        return self.recipe.kind == "moved"

    @property
    def sizes(self) -> tuple[float | None, ...]:
        """The sizes of which there is a point, in the order asked for."""
        return tuple(dict.fromkeys(point.size for point in self.points))

    def of_size(self, size: float | None) -> tuple[Fresh, ...]:
        """The points of one size, by rising share."""
        return tuple(point for point in self.points if point.size == size)


def decay(
    raw: Dataset,
    searched: Dataset,
    setting: Setting,
    K: int,
    recipe: Recipe = Recipe(),
    progress: Progress = silent,
) -> Decay:
    """Try the changes of `recipe` on the items, and ask for K answers at the effort of `setting`.

    raw: vectors as they were read, with queries; searched: metrics.searched_by(raw, metric). The
    number of clusters is that of the items before and stays. At every point true answers are
    found anew; partial results are Decays. Raises ParamError for an index without centroids or a K
    out of range, DataError where there is no query, or nothing to change.
    """
    check_can_update(setting.index)
    scenario = _scenario(raw, searched, recipe)
    truth = truth_of(scenario.before, span(progress, 0.0, 0.02))
    K = truth.answers(K)
    setting = replace(setting, index=setting.index.explicit(scenario.before.n))
    items = scenario.before.items
    before = builds_of(setting, items, recipe.builds, span(progress, 0.02, BEFORE))
    so_far = Decay(setting, recipe, scenario.before.n, truth.m, K, ())
    tried = [(size, share) for size in scenario.sizes for share in _shares(recipe, scenario)]
    for at, (size, share) in enumerate(tried):
        start, stop = (BEFORE + (1 - BEFORE) * step / len(tried) for step in (at, at + 1))
        report = span(progress, start, stop)
        changed = scenario.at(share, size)
        point = upkeep(setting, before, changed, K, recipe.rounds, share, size, report)
        so_far = replace(so_far, points=(*so_far.points, point))
        progress(stop, f"{at + 1} of {len(tried)} changes measured", so_far)
    return so_far


def _scenario(raw: Dataset, searched: Dataset, recipe: Recipe) -> Scenario:
    if recipe.kind == "moved":
        return Moving(raw, searched, recipe.sizes, recipe.seed)
    return Coming(searched, max(recipe.shares), recipe.seed)


def _shares(recipe: Recipe, scenario: Scenario) -> list[float]:
    """Ascending; of those that change as many rows, the last, which says best how many they are."""
    return list({scenario.count(share): share for share in sorted(recipe.shares)}.values())
