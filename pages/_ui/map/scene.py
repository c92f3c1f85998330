"""All that one run of the Map page shows, and the search that is followed on it."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mips_core import Dataset, Evaluation, Searcher
from mips_core.base.arrays import Floats, Ids
from mips_core.data.item_scores import item_scores
from mips_core.data.metrics import shown
from mips_core.evaluation.setting import position_of
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.projection import Layout
from mips_core.groups.typed_queries.one_query import Question, Ranked
from mips_core.methods.reductions import lengths_of
from mips_core.studies.misses import FollowedSearch, answer_counts, times_missed
from pages._ui.map import places
from pages._ui.parts import followed_search
from pages._ui.parts.drawn_curves import usual_effort
from pages._ui.parts.question.question import QueryChoice, picked, question_of
from pages._ui.state.map_state import MapState, Marked
from pages._ui.state.session import Session
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import items_name, once


@dataclass(frozen=True, eq=False)
class FollowedQuery:
    """The search that is followed: what is asked, and what the index under the slider finds."""

    query: QueryChoice
    question: Question
    true: Ranked
    followed: FollowedSearch | None  # None while it is not known

    def scores(self, dataset: Dataset) -> Floats:
        """(n,) how each item of `dataset` scores for the query, as its metric calls it."""
        query, items = self.question.query, dataset.items
        key = ("map scores", items_name(dataset), query.tobytes())
        scores = once(key, lambda: item_scores(items, query, np.arange(len(items))))
        return shown(dataset, query[None], scores[None])[0]


def followed_query(
    session: Session, measured: Measurement, levels: tuple[GroupLevel, ...]
) -> FollowedQuery | None:
    """The query that is followed, found or not; None where it ranks nothing."""
    query = picked(session)
    question = question_of(session, query)
    if question is None:
        return None
    true = followed_search.true_of(session.dataset, question)
    followed, job = None, measured.job
    start_known = session.effort or measured.evaluation or job is None or not job.active
    if levels and start_known:  # else the slider would jump to where it starts
        followed = followed_search.followed(measured, question, true, levels).ask(session.owner)
    return FollowedQuery(query, question, true, followed)


@dataclass(frozen=True, eq=False)
class MapScene:
    """What is not known yet is None, or empty."""

    session: Session
    measured: Measurement  # the index under the slider
    searcher: Searcher | None
    layout: Layout | None
    settled: bool  # whether the layout stays as it is
    levels: tuple[GroupLevel, ...]  # coarsest first
    search: FollowedQuery | None

    @property
    def state(self) -> MapState:
        """What was chosen on the page."""
        return places.state_of(self.session)

    @property
    def dataset(self) -> Dataset:
        """What is searched."""
        return self.measured.dataset

    @property
    def evaluation(self) -> Evaluation | None:
        """What the index finds for all queries."""
        return self.measured.evaluation

    @property
    def at(self) -> int:
        """The position in `levels` of the one shown."""
        return max(len(self.levels) - 1 - self.state.level, 0)

    @property
    def level(self) -> GroupLevel | None:
        """The level shown."""
        return self.levels[self.at] if self.levels else None

    @property
    def focus(self) -> int:
        """The group zoomed to and listed, of the level shown; -1 is none."""
        there = self.level is not None and self.state.focus < len(self.level.sizes)
        same = self.state.focused in (None, self.shown)
        return self.state.focus if there and same else -1

    @property
    def shown(self) -> Hashable:
        """Names the groups shown: a number of one means nothing elsewhere."""
        number = -1 if self.level is None else self.level.number
        return (self.measured.building.key, self.measured.index, number)

    @property
    def efforts(self) -> Ids:
        """(p,) what the slider steps through."""
        return np.asarray(self.searcher.efforts() if self.searcher else [0], np.int32)

    @property
    def position(self) -> int:
        """Where the slider stands, of `efforts`: as on the other pages."""
        curve = self.evaluation.curve((self.session.K,)) if self.evaluation else None
        wanted = self.session.effort or usual_effort(curve, self.session.K)
        return position_of(wanted, self.efforts)

    @property
    def effort(self) -> int:
        """The same as an effort."""
        return int(self.efforts[self.position])

    @property
    def selected(self) -> Ids | None:
        """(s,) ascending items that are selected on the map; None where none is."""
        marked = self.marked
        return None if marked is None or not len(marked.items) else marked.items

    @property
    def marked(self) -> Marked | None:
        """What was selected last of these items, by whom."""
        marked = self.state.marked
        return marked if marked is not None and marked.topic == self.topic else None

    @property
    def topic(self) -> str:
        """Names what is on the map: with other items nothing that was marked stays."""
        return self.dataset.fingerprint

    @cached_property
    def norms(self) -> Floats:
        """(n,) lengths of the items as they were read."""
        source = self.session.source
        key = ("norms", items_name(source))
        return once(key, lambda: lengths_of(source.items))

    @cached_property
    def answers(self) -> Ids | None:
        """(n,) for how many queries each item is a true answer."""
        if self.evaluation is None:
            return None
        return answer_counts(self.evaluation.truth, self.session.K)

    @cached_property
    def missed(self) -> Ids | None:
        """(n,) how often each of them is missed at the effort."""
        if self.evaluation is None:
            return None
        return times_missed(self.evaluation, self.session.K, self.effort)

    @cached_property
    def scores(self) -> Floats | None:
        """(n,) how each item scores for the query followed, as the metric calls it."""
        return None if self.search is None else self.search.scores(self.dataset)


def scene_of(session: Session) -> MapScene:
    """The scene now; what it lacks is started. Raises MipsError where something cannot be made."""
    measured = session.measurement_of(session.index)
    measured.start(session.owner, -1)
    settled = not places.under_way(session)  # asked first: it may come at any moment
    layout = places.ask(session)
    searcher: Searcher | None = None
    levels: tuple[GroupLevel, ...] = ()
    if measured.built is not None:
        searcher = measured.searcher()
        levels = followed_search.levels(measured).ask(session.owner) or ()
    search = followed_query(session, measured, levels) if places.state_of(session).follow else None
    return MapScene(session, measured, searcher, layout, settled, levels, search)
