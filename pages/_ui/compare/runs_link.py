"""The settings of runs as the words of a link, and back; what cannot be read is left out.

    flat-kmeans:n_clusters=141|0|1.10.100|glove-6b-50d|rows_500_0.1_no_0|cosine|My%20run

Index, seed of the build, every K, data, queries, metric, name; runs are parted by "||". There is no
comma in it, which parts values in a link.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote, unquote

from mips_core import Dataset, Index, MipsError
from mips_core.base.limits import MAX_K, MAX_RUNS_TOGETHER
from mips_core.base.params import flat_values, format_value
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Metric
from mips_core.data.metrics import MEASURES
from mips_core.data.queries import QueryRecipe
from mips_core.serving.store.told_fit import as_built
from mips_core.studies.runs import Run
from mips_core.studies.runs.run import MAX_NAME
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.links import index_of, index_text, spec_of
from pages._ui.state.session import Session, shipped
from pages._ui.work import earlier
from pages._ui.work.measurement import Measurement

BETWEEN, WITHIN = "||", "|"
RECIPE = ("source", "count", "noise", "exclude_self", "seed")


@dataclass(frozen=True)
class LinkedRun:
    """A run that a link asks for: its setting, what it was measured on, its name."""

    index: Index
    seed: int
    ks: tuple[int, ...]
    source: str  # of the data: a key of the catalog, or the fingerprint of what was read
    recipe: QueryRecipe | None
    metric: Metric
    name: str
    text: str = field(default="", compare=False)  # it was read from

    def fits(self, other: "LinkedRun", n: int, *, exactly: bool) -> bool:
        """Whether the other, of n items, has this setting and data, and `exactly` this name too."""
        both = self._of_size(n), other._of_size(n)
        return both[0] == both[1] if exactly else both[0].setting == both[1].setting

    def _of_size(self, n: int) -> "LinkedRun":
        """The same with numbers in place of rules that depend on n: links are written by hand."""
        return replace(self, index=as_built(self.index, n).explicit(n))

    @property
    def setting(self) -> tuple[object, ...]:
        """All that counts but the name."""
        return (self.index, self.seed, self.ks, self.source, self.recipe, self.metric)

    def dataset(self, session: Session) -> Dataset | None:
        """The data as it is searched, where it is here; None where it is gone or unfit."""
        if self.recipe is None:
            return None
        try:
            source = self._source(session)
            return None if source is None else searched(source, self.recipe, self.metric)
        except MipsError:
            return None

    def _source(self, session: Session) -> Dataset | None:
        if self.source in (session.data, session.source.fingerprint):
            return session.source
        return shipped(self.source) if self.source in CATALOG else earlier.find(self.source)

    def measurement(self, session: Session) -> Measurement | None:
        """What measures it here, where its data is here."""
        dataset = self.dataset(session)
        if dataset is None:
            return None
        return Measurement(dataset, self._of_size(dataset.n).index, self.seed, self.ks[-1])


def text_of(run: Run) -> str:
    """The settings of `run` in one word."""
    data, recipe = run.data, run.data.queries
    values = {} if recipe is None else flat_values(recipe)
    return WITHIN.join(
        [
            index_text(run.index).replace(",", ";"),
            str(run.seed),
            ".".join(map(str, run.ks)),
            quote(data.source, safe=""),
            "_".join(format_value(values[name]) for name in RECIPE if name in values),
            quote(data.metric, safe=""),
            quote(run.name.encode(errors="replace"), safe=""),
        ]
    )


def text_of_all(runs: Sequence[Run], more: Sequence[LinkedRun] = ()) -> str:
    """The settings of `runs`, in their order, and of what else is wanted."""
    return BETWEEN.join([*map(text_of, runs), *(wanted.text for wanted in more)])


def wanted_of_all(text: str) -> list[LinkedRun]:
    """The runs that `text` asks for, each once, as many as may lie side by side."""
    every = (wanted_of(one) for one in text.split(BETWEEN)[:MAX_RUNS_TOGETHER])
    return list(dict.fromkeys(one for one in every if one is not None))


def wanted_of_run(run: Run) -> LinkedRun | None:
    """What a link to `run` asks for."""
    return wanted_of(text_of(run))


def wanted_of(text: str) -> LinkedRun | None:
    """The run that `text` asks for, or None where it is not readable."""
    parts = text.split(WITHIN)
    if len(parts) != 7:
        return None
    index = index_of(parts[0].replace(";", ","))
    seed, *ks = (_whole(word) for word in (parts[1], *parts[2].split(".")))
    counts = tuple(dict.fromkeys(K for K in ks if K is not None and 1 <= K <= MAX_K))
    metric = next((one for one in MEASURES if one == unquote(parts[5])), None)
    name = unquote(parts[6])[:MAX_NAME]
    if index is None or seed is None or not counts or metric is None or not name.strip():
        return None
    source, recipe = unquote(parts[3]), _recipe(parts[4])
    return LinkedRun(index, seed, counts, source, recipe, metric, name, text)


def _recipe(text: str) -> QueryRecipe | None:
    words = text.split("_")
    if len(words) != len(RECIPE):
        return None
    pairs = (f"{name}={word}" for name, word in zip(RECIPE, words, strict=True))
    recipe: QueryRecipe | None = spec_of(QueryRecipe(), ",".join(pairs))
    return recipe


def _whole(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else None
