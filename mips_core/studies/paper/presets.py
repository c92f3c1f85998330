"""The data of the paper, by name: what it searched, and what stands in for it where it is absent.

Auvolat et al. 2015, sections 5.1 and 5.2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from mips_core.base.errors import ParamError
from mips_core.data.catalog import shipped
from mips_core.data.dataset import Dataset
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.simulated import simulated_ratings
from mips_core.studies.paper.one_set import PaperData

USERS, WORDS = 60_000, 2_000  # queries: users, and words
FEW = 500  # queries of a quick run
FIRST = 100_000  # vectors taken of a larger file, as of word2vec
MOVIELENS, WORD2VEC = "movielens-10m", "word2vec"


@dataclass(frozen=True, slots=True)
class Preset:
    """What a figure of the paper is of; stand_in(quick) is used where the data are not given.

    instead: the stand-in in words.
    """

    paper: str
    figures: str
    rank: int
    instead: str
    stand_in: Callable[[bool], Dataset]


def _movielens(quick: bool) -> Dataset:
    users, d = (2_000, 50) if quick else (USERS, 150)
    made = simulated_ratings(n_users=users, d=d)
    return replace(made, name="Simulated ratings, MovieLens shape")


def _netflix(quick: bool) -> Dataset:
    items, users, d = (4_442, 2_000, 50) if quick else (17_770, USERS, 300)
    made = simulated_ratings(1, n_items=items, n_users=users, d=d)
    return replace(made, name="Simulated ratings, Netflix shape")


PRESETS = {
    MOVIELENS: Preset("MovieLens-10M", "1 a–c", 150, "simulated ratings", _movielens),
    "netflix": Preset("Netflix", "1 d–f", 300, "simulated ratings", _netflix),
    WORD2VEC: Preset(
        "word2vec GoogleNews", "2 and 3", 150, "the words that ship",
        lambda quick: shipped("glove-6b-50d"),
    ),
}  # fmt: skip


def preset_data(name: str, quick: bool, n_queries: int | None = None) -> PaperData:
    """The stand-in of a preset, with queries. Raises ParamError for an unknown name."""
    if name not in PRESETS:
        raise ParamError(f"There is no preset {name!r}.", f"Known: {', '.join(PRESETS)}.")
    preset = PRESETS[name]
    return with_paper_queries(preset.stand_in(quick), preset.paper, quick, n_queries)


def with_paper_queries(
    dataset: Dataset,
    stands_for: str | None,
    quick: bool,
    n_queries: int | None = None,
    first: int = FIRST,
) -> PaperData:
    """`dataset` as the paper asks it: users where it has some, else its own vectors.

    stands_for: the paper's data that it stands in for; "" for the paper's own; None: by its kind.
    Only the `first` vectors are taken of a data set without users.
    """
    own = dataset.m > 0
    if not own and dataset.n > first:
        labels = None if dataset.labels is None else dataset.labels[:first]
        dataset = replace(dataset, items=dataset.items[:first], labels=labels, rows=None,
                          name=f"{dataset.name} (first {first:,})")  # fmt: skip
    count = n_queries or (FEW if quick else USERS if own else WORDS)
    recipe = QueryRecipe(source="own" if own else "rows", count=count)
    if stands_for is None:
        stands_for = PRESETS[MOVIELENS if own else WORD2VEC].paper
    return PaperData(with_queries(dataset, recipe), stands_for, own)
