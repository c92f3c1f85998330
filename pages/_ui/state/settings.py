"""Which settings of which methods a page wants, and the jobs that measure them."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

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
    """What the best of a method is chosen from: its grid, all else as in this index."""
    grid = type(index).grid(n, d)
    varied = [name for name in params_of(index) if len({getattr(step, name) for step in grid}) > 1]
    steps = [replace(index, **{name: getattr(step, name) for name in varied}) for step in grid]
    return tuple(dict.fromkeys(step.explicit(n) for step in [index, *steps]))


@dataclass(frozen=True, eq=False)
class Settings:
    """What the page needs computed: the ladder under the slider, and those of other methods."""

    under_slider: Sequence[Index]
    others: Sequence[Index]

    @property
    def all(self) -> list[Index]:
        """Every setting once."""
        return list(dict.fromkeys([*self.under_slider, *self.others]))


def settings_of(session: Session) -> Settings:
    """All steps of the index under the slider; of the others, their variations or themselves."""
    n, d = session.source.n, session.source.d
    steps = ladder(session.index, n, d)
    if session.show != "best":
        return Settings(steps, [index for index in session.kept if index != session.index])
    keys = [session.index.key, *(key for key in session.methods if key != session.index.key)]
    return Settings(steps, [step for key in keys for step in grid_of(session, key)])


def grid_of(session: Session, key: str) -> list[Index]:
    """What the best of a method is chosen from: variations of what is kept of it, each once."""
    kept = [index for index in session.kept if index.key == key] or [INDEXES[key]()]
    n, d = session.source.n, session.source.d
    return list(dict.fromkeys(step for index in kept for step in variations(index, n, d)))


def start_missing(session: Session, settings: Settings) -> None:
    """Start what is not known yet: what was built by hand, then all else, nearest to the slider.

    Of many items, the settings first that a sample of them says to be the best of their methods.
    """
    here, kept = settings.under_slider.index(session.index), session.kept
    places = places_by_sample(session, settings.all, "curve", SAMPLE + LATER)
    for number, index in enumerate(settings.all):
        measurement = session.measurement_of(index)
        if measurement.evaluation is None:
            on_ladder = number < len(settings.under_slider)
            place = places.get(index, number)
            wanted = abs(number - here) if on_ladder else 1.5 + 0.1 * place
            by_hand = index in kept and stored_curves.of(measurement) is None
            measurement.start(session.owner, wanted + (0 if by_hand else LATER))


def places_by_sample(
    session: Session, indexes: Sequence[Index], page: str, wanted: float
) -> dict[Index, int]:
    """In which order to build `indexes` of many items, once a sample of them told; {} before.

    And of few items. The look at the sample is a job that is `wanted` by the page.
    """
    if not is_large(session.source.n):
        return {}
    from mips_core.studies.tuning.scouting import in_order_of_use  # a first curve needs it not

    dataset, K, seed = session.dataset, session.K, session.seed
    look = Task(
        ("order on a sample", *data_name(dataset), K, seed, *indexes),
        "Settings on a sample",
        lambda progress: in_order_of_use(dataset, indexes, K, seed, progress),
    )
    session.want(f"{page} sample", [look.key])
    if look.result is None and look.unsettled:
        look.start(session.owner, wanted)
    return {index: place for place, index in enumerate(look.result or ())}


def unsettled(session: Session, settings: Settings) -> bool:
    """Whether anything is still to come: neither known nor cancelled nor failed."""
    return any(session.measurement_of(index).unsettled for index in settings.all)


def evaluations(session: Session, indexes: Sequence[Index]) -> list[Evaluation]:
    """Those of `indexes` that are measured."""
    every = (session.measurement_of(index).evaluation for index in indexes)
    return [evaluation for evaluation in every if evaluation is not None]


for _known in (ladder, variations, index_in_words):
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
