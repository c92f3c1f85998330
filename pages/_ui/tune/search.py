"""The search behind Tune: which settings are tried, and how it goes on between the grid steps.

Of many items, all settings are tried on samples first, and few are built on all.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from mips_core import INDEXES, Index, MipsError
from mips_core.base.progress import Progress
from mips_core.evaluation.builder import Tried
from mips_core.serving.faiss_export import runs_in_faiss
from mips_core.studies.forecast import is_large
from mips_core.studies.tuning import Budget, Need
from mips_core.studies.tuning.run import near_best
from mips_core.studies.tuning.scouting import Scouted, likeliest
from pages._ui.state.page_states import TuneState
from pages._ui.state.session import Session
from pages._ui.state.settings import grid_of, in_one_order, name_of
from pages._ui.work import jobs, results
from pages._ui.work.measurement import Measurement, data_name
from pages._ui.work.task import Task, while_same

MEGABYTE = 2**20
PATIENCE = 0.1  # seconds that a page waits for the next round to be told
ROUNDS = 2  # of settings between the steps of the grids, each from what was found before


@dataclass(frozen=True)
class StartedSearch:
    """That the button was pressed, for what, and how many rounds are to come."""

    data: Hashable  # items, queries, seed
    K: int
    goal: Need | Budget  # for which the likeliest of many items were sought
    methods: frozenset[str]
    faiss: bool
    rounds: int


def state_of(session: Session) -> TuneState:
    """What this visitor asks of Tune."""
    state: TuneState = session.states["tune"]
    return state


def change(session: Session, **values: object) -> None:
    """Put other values into what is asked."""
    session.states["tune"] = replace(state_of(session), **values)  # type: ignore[arg-type]


def need_of(state: TuneState) -> Need | Budget:
    """The precision asked for and how sure of it, or the limits that are set."""
    if state.known == "precision":
        return Need(state.precision, state.confidence)
    return Budget(state.inner_products or None, state.megabytes * MEGABYTE or None,
                  state.seconds or None)  # fmt: skip


def begin(session: Session) -> None:
    """Try all that is not known yet, what was cancelled or failed as well."""
    methods, state = frozenset(session.methods), state_of(session)
    rounds = 1 if is_large(session.source.n) else ROUNDS
    asked = _data(session), session.K, need_of(state), methods, state.faiss
    change(session, search=StartedSearch(*asked, rounds))
    for measurement in wanted(session):
        measurement.ask_again(session.owner)
    if (look := samples(session)) is not None:
        look.ask_again(session.owner)
    go_on(session)


def under_way(session: Session) -> bool:
    """Whether the button was pressed for what is on the page now."""
    search: StartedSearch | None = state_of(session).search
    if search is None or search.data != _data(session):
        return False
    same_k = search.K == session.K or not any(INDEXES[k].depends_on_k for k in session.methods)
    as_many = state_of(session).faiss or not search.faiss
    return same_k and as_many and search.methods.issuperset(session.methods)


def go_on(session: Session) -> None:
    """Start what is missing; where nothing is, the next round of settings between the steps."""
    look = samples(session)
    if look is not None and look.result is None:
        if look.unsettled:
            session.want("tune", [look.key])
            look.start(session.owner)
        return
    measurements = wanted(session)
    session.want("tune", [measurement.key for measurement in measurements])
    for measurement, order in measurements.items():
        if measurement.result is None:
            measurement.start(session.owner, order)
    search: StartedSearch = state_of(session).search
    if search.rounds and not any(m.unsettled or _cancelled(m) for m in measurements):
        between = _between(session)
        if between.unsettled and between.result is None:
            jobs.wait_for(between.start(session.owner), PATIENCE)
            if between.active:
                return
        change(session, search=replace(search, rounds=search.rounds - 1))
        if _remember(session, between.result or []):
            go_on(session)


def watching(session: Session) -> bool:
    """Whether anything of it may come by itself, started here or on another page."""
    measurements, look = wanted(session), samples(session)
    if any(m.job is not None and m.job.active for m in measurements):
        return True
    if look is not None and look.result is None:
        return look.active
    more = under_way(session) and state_of(session).search.rounds > 0
    return more and not any(_cancelled(m) for m in measurements)


def busy(session: Session) -> bool:
    """Whether the search goes on by itself."""
    return under_way(session) and watching(session)


def missing(session: Session) -> int:
    """Settings to come before an answer is one; 0 once the search was asked for and has ended.

    What could not be measured is not waited for. One at least while rounds are to come: how many
    settings those bring is not known yet.
    """
    measurements = wanted(session)
    count = sum(
        m.result is None and (m.job is None or m.job.state != "failed") for m in measurements
    )
    look = samples(session)
    if look is not None and look.result is None:
        return max(count, 1)
    ended = under_way(session) and not state_of(session).search.rounds
    return count if ended else max(count, 1)


def wanted(session: Session) -> dict[Measurement, float]:
    """Everything to try, and in which order: what runs in faiss where that is a must."""
    every = settings(session).items()
    return {one: at for one, at in every if _may_be_tried(session, one.index)}


def settings(session: Session) -> dict[Measurement, float]:
    """Every setting of the methods, and its place; of many items the likeliest, once they are told.

    A step of every method comes before the next step. Listed once for the same choices: a drawing
    asks for them some twenty times.
    """
    look = samples(session)
    told = None if look is None or look.result is None else look.result.indexes
    choices = session.moment, tuple(session.methods), tuple(session.kept), _extras(session), told
    name = ("tuned settings", session.owner)
    every: dict[Measurement, float] = while_same(name, choices, lambda: _settings(session, told))
    return every


def _settings(session: Session, told: Sequence[Index] | None) -> dict[Measurement, float]:
    order = _grids(session)
    if told is not None:
        order = {index: float(place) for place, index in enumerate(told)}
    for index in _extras(session):
        if index.key in session.methods:
            order.setdefault(index, float(len(order)))
    return {session.measurement_of(index): at for index, at in order.items()}


def _grids(session: Session) -> dict[Index, float]:
    """Every setting of the grids, and its place."""
    order: dict[Index, float] = {}
    for key in session.methods:
        order |= {index: float(step) for step, index in enumerate(grid_of(session, key))}
    return order


def samples(session: Session) -> Task[Scouted] | None:
    """The look at samples of many items that tells what is built on all; else None.

    For what the search was started for, and before that for what is asked now.
    """
    some = _grids(session) if is_large(session.source.n) else ()
    every = in_one_order(index for index in some if _may_be_tried(session, index))
    if not every:
        return None
    state, dataset, K, seed = state_of(session), session.dataset, session.K, session.seed
    goal = state.search.goal if under_way(session) else need_of(state)
    return Task(
        ("samples", *_data(session), K, goal, *every),
        "Settings on samples",
        lambda progress: likeliest(dataset, every, K, goal, seed, progress),
    )


def _may_be_tried(session: Session, index: Index) -> bool:
    """Whether it runs in faiss, where that is a must."""
    return not state_of(session).faiss or runs_in_faiss(index)


def scouted(session: Session) -> tuple[int, Scouted]:
    """How many settings were tried on samples alone, and what samples told."""
    look = samples(session)
    told = (look.result if look is not None else None) or Scouted((), ())
    others = _grids(session).keys() - {*told.indexes, *_extras(session)} if told.indexes else ()
    return sum(_may_be_tried(session, index) for index in others), told


def tried_of(session: Session) -> list[Tried]:
    """What was tried of it."""
    return [tried for measurement in wanted(session) if (tried := measurement.result) is not None]


def _data(session: Session) -> tuple[Hashable, ...]:
    """Names what is measured on: another one needs the button to be pressed again."""
    return (*data_name(session.dataset), session.seed)


def _cancelled(measurement: Measurement) -> bool:
    job = measurement.job
    return measurement.result is None and job is not None and job.state == "cancelled"


def _between(session: Session) -> Task[list[Index]]:
    """Looks for settings worth trying after those that are known; none where tuning cannot be."""
    tried, K, state = tried_of(session), session.K, state_of(session)
    n, d, goal, faiss = session.source.n, session.source.d, need_of(state), state.faiss

    def look(progress: Progress) -> list[Index]:
        try:
            return near_best(tried, K, goal, n, d, faiss=faiss)
        except MipsError:
            return []

    key = ("settings between", name_of(session, (one.evaluation for one in tried)), K, goal, faiss)
    return Task(key, "Settings between those of the grids", look, "show")


def _extras(session: Session) -> tuple[Index, ...]:
    """What earlier rounds on this data found worth trying; any visitor's count."""
    return results.recall(("between grid steps", _data(session))) or ()


def _remember(session: Session, more: list[Index]) -> bool:
    """Add settings to those of earlier rounds; whether there were any new."""
    before = _extras(session)
    after = tuple(dict.fromkeys([*before, *more]))
    results.remember(("between grid steps", _data(session)), after)
    return len(after) > len(before)
