"""One visitor's choices, and the data they lead to."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from uuid import uuid4

from mips_core import INDEXES, Dataset, Index
from mips_core.base.limits import MAX_K
from mips_core.data.catalog import CATALOG
from mips_core.data.catalog import shipped as load_from_catalog
from mips_core.data.dataset import Metric
from mips_core.data.queries import QueryRecipe, default_recipe
from mips_core.figures.styles import METHODS
from mips_core.studies.data_profile.facts import some_much_longer
from pages._ui.state import open_sets
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.open_sets import OpenSets
from pages._ui.state.page_states import default_states
from pages._ui.work import earlier, jobs, memory, uploads
from pages._ui.work.measurement import Measurement, data_name, structure_name
from pages._ui.work.task import once, while_same
from pages._ui.work.uploads import NOBODY, DataOrigin, Share

DEFAULT_DATA = "glove-6b-50d"
DEFAULT_INDEXES = ("flat-kmeans", "hierarchical-kmeans")
# What the paper compares.
DEFAULT_METHODS = ("flat-kmeans", "hierarchical-kmeans", "pca-tree", "srp-hash", "wta-hash")
DEFAULT_EFFORT = 10
DEFAULT_K = 10


def methods() -> list[str]:
    """Keys of what can be compared, in the order of pictures; exact search is always drawn."""
    return [key for key in METHODS if key in INDEXES and key != "exact"]


def fitting(source: Dataset) -> list[str]:
    """What must stand beside the other methods on this data, so that they are not praised for it.

    Where queries come with the items, as users do with what they rate, much of what a search gains
    is often just that it looks at long items first. And what is made for items of which some are
    much longer than most.
    """
    baselines = ["largest-norm"] if source.m else []
    return [*baselines, "head-kmeans"] if some_much_longer(source.items) else baselines


@dataclass
class Session:
    """One visitor's choices, kept across pages and reruns."""

    source: Dataset  # as it was read or made, before queries are drawn
    data: str  # its key in the catalog, or its fingerprint
    recipe: QueryRecipe
    metric: Metric = "inner product"  # what ranks the items
    answers: int = DEFAULT_K  # a query, as many as were asked for
    indexes: list[Index] = field(default_factory=list)  # kept side by side
    position: int = 0  # of the index under the slider
    methods: list[str] = field(default_factory=list)  # keys whose best is drawn
    filled: int = 0  # how often all methods were asked for at once
    efforts: dict[str, int] = field(default_factory=dict)  # method -> where its slider was left
    show: str = "best"
    query: str = ""  # what Search asks, as a link writes it; "" before one was picked
    denominator: str = "all"  # of the probabilities on Search: summed over all, or estimated
    states: dict[str, Any] = field(default_factory=default_states)  # what other pages ask, by name
    share: Share = NOBODY  # what opens the data where they were uploaded
    missing: str = ""  # fingerprint of data that a link named and that is gone
    asked: QueryRecipe | None = None  # what that link asks of it
    lost: DataOrigin | None = None  # what they are called, and where they came from
    awaits: bool = False  # whether the files named at start are still to be opened
    withdrawn: bool = False  # whether who uploaded them has stopped sharing them
    whole_grids: str = ""  # fingerprint of many items of which every setting is built
    wishes: dict[str, frozenset[Hashable]] = field(default_factory=dict)  # keys by page
    stopped: dict[str, Hashable] = field(default_factory=dict)  # page: what was cancelled there
    draft: Any = None  # what the Data page shows and has not used yet
    opened: dict[Hashable, str] = field(default_factory=dict)  # structure -> the file it is from
    opening: Any = None  # the index file that the Build page opens
    owner: str = field(default_factory=lambda: uuid4().hex)
    open: OpenSets = field(default_factory=OpenSets)  # other data to go back to

    @property
    def seed(self) -> int:
        """Fixes every random draw: queries, starts, noise."""
        return self.recipe.seed

    @property
    def K(self) -> int:  # noqa: N802
        """As many answers, or as many as there can be."""
        return min(self.answers, self.most_answers)

    @K.setter
    def K(self, K: int) -> None:  # noqa: N802
        self.answers = K

    @property
    def dataset(self) -> Dataset:
        """The source with the queries that the recipe asks for, as the metric wants them."""
        return searched(self.source, self.recipe, self.metric)

    @property
    def effort(self) -> int:
        """Where the effort slider was left for the index under it; 0 if it was never moved."""
        return self.efforts.get(self.index.key, 0)

    @effort.setter
    def effort(self, effort: int) -> None:
        self.efforts[self.index.key] = effort

    @property
    def index(self) -> Index:
        """The index under the slider, with numbers in place of rules."""
        return self.kept[self.position]

    @property
    def kept(self) -> list[Index]:
        """Every index kept, with numbers in place of rules, each once."""
        return list(dict.fromkeys(_explicit(index, self.source.n) for index in self.indexes))

    def measurement_of(self, index: Index) -> Measurement:
        """`index` on the data, queries, seed and K of this moment; asked for at every drawing."""
        dataset, seed = self.dataset, self.seed
        name, moment = ("measurements", self.owner), self._moment(dataset)
        every: dict[Index, Measurement] = while_same(name, moment, dict)
        if index not in every:
            opened = self.opened.get(structure_name(dataset, index, seed), "")
            every[index] = Measurement(dataset, index, seed, self.K, opened)
        return every[index]

    @property
    def moment(self) -> Hashable:
        """Names all that a measurement of an index hangs on: data, seed, K, and what was opened."""
        return self._moment(self.dataset)

    def _moment(self, dataset: Dataset) -> Hashable:
        K = min(self.answers, MAX_K, dataset.available)
        named = *data_name(dataset), dataset.name
        return *named, self.seed, K, tuple(self.opened.items())

    def want(self, page: str, keys: Iterable[Hashable]) -> None:
        """`page` waits for the jobs of these keys, and no more for those it wanted before.

        So the work for a page goes on when it is left, until other choices are made there; what no
        page that was opened waits for any more is taken back.
        """
        before = self.wishes.get(page, frozenset())
        self.wishes[page] = frozenset(keys)
        jobs.take_back(self.owner, before.difference(*self.wishes.values()))

    def forget_wishes(self) -> None:
        """No page waits for anything any more: other data, or other queries, are asked about."""
        for page in list(self.wishes):
            self.want(page, ())

    @property
    def most_answers(self) -> int:
        """The largest K that can be asked for; of data whose file is gone as well."""
        own = self.recipe.source == "own"
        hidden = self.source.query_rows is not None if own else self.recipe.exclude_self
        return min(MAX_K, self.source.n - hidden)

    def use(
        self,
        source: Dataset,
        data: str,
        recipe: QueryRecipe,
        metric: Metric = "inner product",
        origin: DataOrigin | None = None,
    ) -> None:
        """Search other data from now on; indexes, K and seed stay where they fit.

        What was searched stays open as it is now; what was open is as it was left, but for what is
        asked here. Raises MipsError where it cannot be searched so; nothing is changed then.
        """
        searched(source, recipe, metric)
        if data != self.data:
            open_sets.leave(self)
        if source is not self.source or data in CATALOG:
            public = data in CATALOG or (origin is not None and origin.folder)
            self.share = NOBODY if public else uploads.new_share()
        if data not in CATALOG:
            uploads.hold(source, origin, self.share.key)
            earlier.keep(source, self.share.key)
        before = self.open.take((data, self.share.key))
        if before is not None:
            open_sets.go_back(self, before.left)
        self.source, self.data, self.recipe, self.metric = source, data, recipe, metric
        self.missing, self.lost, self.withdrawn, self.query = "", None, False, ""
        self.methods = list(dict.fromkeys([*self.methods, *fitting(source)]))
        self.position = min(self.position, len(self.kept) - 1)

    def snapshot(self) -> "Session":
        """The choices as they are now, to draw from: another run of a page may change them."""
        indexes, methods, efforts = list(self.indexes), list(self.methods), dict(self.efforts)
        return replace(self, indexes=indexes, methods=methods, efforts=efforts)

    def keep(self, index: Index) -> None:
        """Put `index` beside the others, and under the slider."""
        index = index.explicit(self.source.n)
        if index not in self.kept:
            self.indexes.append(index)
        self.position = self.kept.index(index)
        if index.key not in self.methods and index.key in methods():
            self.methods.append(index.key)

    def put_under_slider(self, index: Index, effort: int) -> None:
        """Exchange the index under the slider for another setting of it."""
        kept = self.kept
        if index in kept:
            self.position = kept.index(index)
        else:
            kept[self.position] = index
            self.indexes = kept
        self.effort = effort

    def drop(self, index: Index) -> None:
        """Forget an index; the last one stays."""
        kept = [other for other in self.kept if other != index]
        if kept:
            current, self.indexes = self.index, list(kept)
            same = kept.index(current) if current in kept else self.position
            self.position = min(same, len(kept) - 1)


@lru_cache(maxsize=512)  # asked for some fifty times a drawing
def _explicit(index: Index, n: int) -> Index:
    return index.explicit(n)


memory.WHEN_ALONE.append(_explicit.cache_clear)


def usual(source: Dataset, data: str) -> Session:
    """What is chosen of `source` before anybody has chosen."""
    session = Session(source, data, default_recipe(source))
    session.indexes = [INDEXES[key]() for key in DEFAULT_INDEXES]
    session.methods = [*DEFAULT_METHODS, *(fitting(source) if source.m else [])]
    session.efforts[DEFAULT_INDEXES[0]] = DEFAULT_EFFORT
    return session


def shipped(key: str) -> Dataset:
    """A data set of the catalog, read once a process."""
    return once(("shipped", key), lambda: load_from_catalog(key))
