"""Which settings of which methods a page wants, and the jobs that measure them."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from mips_core import INDEXES, Evaluation, Index
from mips_core.base.params import params_of
from mips_core.evaluation.setting import index_in_words
from mips_core.studies.forecast import is_large
from pages._ui.state.session import Session
from pages._ui.work import memory, stored_curves
from pages._ui.work.job import LATER
from pages._ui.work.measurement import data_name
from pages._ui.work.task import Task

SAMPLE = 1.4  # when a sample is looked at: after the settings beside the slider


@lru_cache(maxsize=512)  # asked for at every look
def ladder(index: Index, n: int, d: int) -> tuple[Index, ...]:
    """The steps of the slider beside the effort: this index with the main parameter of its grid."""
    index = index.explicit(n)
    name = index.main_param
    if not name or len({replace(index, **{name: k}).setting(n) for k in (2, 3)}) < 2:
        return (index,)  # the main parameter changes nothing here
    steps = {getattr(step, name) for step in type(index).grid(n, d)} | {getattr(index, name)}
    return tuple(replace(index, **{name: k}) for k in sorted(steps))


@lru_cache(maxsize=512)
def variations(index: Index, n: int, d: int) -> tuple[Index, ...]:
    """What the best of a method is chosen from: this index, then the steps of its grid."""
    return tuple(dict.fromkeys([index.explicit(n), *steps_of_grid(index, n, d)]))


@lru_cache(maxsize=512)
def steps_of_grid(index: Index, n: int, d: int) -> tuple[Index, ...]:
    """The grid of a method, all else as in this index: the same wherever its slider stands."""
    grid = type(index).grid(n, d)
    varied = [name for name in params_of(index) if len({getattr(step, name) for step in grid}) > 1]
    steps = [replace(index, **{name: getattr(step, name) for name in varied}) for step in grid]
    return tuple(dict.fromkeys(step.explicit(n) for step in steps))


def in_one_order(indexes: Iterable[Index]) -> list[Index]:
    """Each once, in an order of their own; those that share a structure stand side by side."""
    return list(_in_order(frozenset(indexes)))


@lru_cache(maxsize=512)
def _in_order(indexes: frozenset[Index]) -> tuple[Index, ...]:
    return tuple(sorted(indexes, key=lambda index: (repr(index.structure_key()), repr(index))))


@dataclass(frozen=True, eq=False)
class Settings:
    """What the page needs computed: the ladder under the slider, and those of other methods."""

    under_slider: Sequence[Index]
    others: Sequence[Index]
    built: Sequence[Index] | None = None  # of those under the slider; None: all
    looks: Sequence[Task[list[Index]]] = ()  # that tell which others are to come

    @property
    def all(self) -> list[Index]:
        """Every setting that is built, once."""
        ladder = self.under_slider if self.built is None else self.built
        return list(dict.fromkeys([*ladder, *self.others]))


def settings_of(session: Session) -> Settings:
    """All steps of the index under the slider; of the others, their variations or themselves.

    Of many items, that index itself, and of all methods what a sample tells.
    """
    n, d = session.source.n, session.source.d
    steps = ladder(session.index, n, d)
    built = None if is_whole(session) else [session.index]
    if session.show != "best":
        others = [index for index in session.kept if index != session.index]
        return Settings(steps, others, built)
    keys = methods_drawn(session)
    others = [step for key in keys for step in built_of(session, key)]
    return Settings(steps, others, built, looks_of(session, keys))


def methods_drawn(session: Session) -> list[str]:
    """Keys of the methods whose best is drawn, that under the slider first."""
    return list(dict.fromkeys([session.index.key, *session.methods]))


def grid_of(session: Session, key: str) -> list[Index]:
    """What the best of a method is chosen from: variations of what is kept of it, each once."""
    n, d = session.source.n, session.source.d
    kept = _kept_of(session, key)
    return list(dict.fromkeys(step for index in kept for step in variations(index, n, d)))


def tried_on_sample(session: Session, key: str) -> list[Index]:
    """Of `grid_of`, what a sample is asked about: what is kept beside the steps is built anyway."""
    kept = any(index.key == key for index in session.kept)
    steps = steps_of_grid if kept else variations
    n, d = session.source.n, session.source.d
    return in_one_order(step for index in _kept_of(session, key) for step in steps(index, n, d))


def _kept_of(session: Session, key: str) -> list[Index]:
    return [index for index in session.kept if index.key == key] or [_usual(INDEXES[key])]


@cache
def _usual(kind: type[Index]) -> Index:
    return kind()


def built_of(session: Session, key: str) -> list[Index]:
    """What is built of `grid_of`: all of few items; of many, what is kept and a sample tells."""
    look = look_of(session, key)
    if look is None:
        return grid_of(session, key)
    kept = (index for index in session.kept if index.key == key)
    return list(dict.fromkeys([*kept, *(look.result or ())]))


def is_whole(session: Session) -> bool:
    """Whether every setting is built: of few items, and of many once that was asked for."""
    source = session.source
    return not is_large(source.n) or session.whole_grids == source.fingerprint


def build_all(session: Session) -> None:
    """Let every setting be built from now on, whatever a sample tells."""
    session.whole_grids = session.source.fingerprint


def look_of(session: Session, key: str) -> Task[list[Index]] | None:
    """The look at a sample that tells which settings of a method are built; None where all are."""
    if is_whole(session):
        return None
    from mips_core.studies.tuning import scouting  # a first curve needs it not

    dataset, K, seed, grid = session.dataset, session.K, session.seed, tried_on_sample(session, key)
    if len({index.structure_key() for index in grid}) <= scouting.OF_A_CURVE:
        return None
    return Task(
        ("used on a sample", *data_name(dataset), K, seed, *grid),
        f"{INDEXES[key].label} on a sample",
        lambda progress: scouting.most_used(dataset, grid, K, seed, progress),
    )


def looks_of(session: Session, keys: Iterable[str]) -> list[Task[list[Index]]]:
    """The looks at a sample, one for a method."""
    every = (look_of(session, key) for key in keys)
    return [look for look in every if look is not None]


def start_looks(
    session: Session, looks: Sequence[Task[list[Index]]], page: str, wanted: float
) -> bool:
    """Start those that have not told yet, as `wanted` by the page; whether any is to come."""
    session.want(f"{page} sample", [look.key for look in looks])
    coming = [look for look in looks if look.unsettled]
    for look in coming:
        look.start(session.owner, wanted)
    return bool(coming)


def start_missing(session: Session, settings: Settings) -> None:
    """Start what is not known yet: what was built by hand, then all else, nearest to the slider.

    Of many items a sample is looked at before, and what it told to be of most use comes first.
    """
    steps, kept = settings.under_slider, session.kept
    here = steps.index(session.index)
    away = {index: abs(at - here) for at, index in enumerate(steps)}
    start_looks(session, settings.looks, "curve", SAMPLE + LATER)
    for number, index in enumerate(settings.all):
        measurement = session.measurement_of(index)
        if measurement.evaluation is None:
            wanted = away.get(index, 1.5 + 0.1 * number)
            by_hand = index in kept and stored_curves.of(measurement) is None
            measurement.start(session.owner, wanted + (0 if by_hand else LATER))


def unsettled(session: Session, settings: Settings) -> bool:
    """Whether anything is still to come: neither known nor cancelled nor failed."""
    every: list[Task[Any]] = [*settings.looks, *map(session.measurement_of, settings.all)]
    return any(one.unsettled for one in every)


def evaluations(session: Session, indexes: Sequence[Index]) -> list[Evaluation]:
    """Those of `indexes` that are measured."""
    every = (session.measurement_of(index).evaluation for index in indexes)
    return [evaluation for evaluation in every if evaluation is not None]


for _known in (ladder, variations, steps_of_grid, _in_order, index_in_words):
    memory.WHEN_ALONE.append(_known.cache_clear)


def name_of(session: Session, evaluations: Iterable[Evaluation]) -> Hashable:
    """Names these evaluations, on what is asked now: what was made of them need not be made anew.

    Those stored with the data are equal to those measured.
    """
    about = (*data_name(session.dataset), *session.opened.items())
    return (*about, *((one.index, one.seed, one.K) for one in evaluations))


def shown(session: Session, indexes: Sequence[Index]) -> list[Evaluation]:
    """Those of `indexes` that are measured, or stored until they are; to be read off at K alone."""
    every = map(session.measurement_of, indexes)
    known = (one.evaluation or stored_curves.of(one) for one in every)
    return [evaluation for evaluation in known if evaluation is not None]
