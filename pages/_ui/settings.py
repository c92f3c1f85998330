"""Which settings of which methods a page wants, and the jobs that measure them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mips_core import Evaluation, Index
from pages._ui import jobs, work
from pages._ui.choices import Session


def ladder(index: Index, n: int, d: int) -> list[Index]:
    """The steps of the slider beside Probes: this index with the main parameter of its grid."""
    index = index.explicit(n)
    name = index.main_param
    if not name or len({replace(index, **{name: k}).setting(n) for k in (2, 3)}) < 2:
        return [index]  # the main parameter changes nothing here
    steps = {getattr(step, name) for step in type(index).grid(n, d)} | {getattr(index, name)}
    return [replace(index, **{name: k}) for k in sorted(steps)]


@dataclass(frozen=True, eq=False)
class Settings:
    """What the page needs computed: the ladder under the slider, and those of other methods."""

    under_slider: list[Index]
    others: list[Index]

    @property
    def all(self) -> list[Index]:
        """Every setting once."""
        return list(dict.fromkeys([*self.under_slider, *self.others]))


def settings_of(session: Session) -> Settings:
    """All steps of the index under the slider; of the others, all steps or just themselves."""
    n, d = session.source.n, session.source.d
    others = [index for index in session.kept if index != session.index]
    if session.show == "best":
        others = [step for index in others for step in ladder(index, n, d)]
    return Settings(ladder(session.index, n, d), others)


def start_missing(session: Session, settings: Settings) -> None:
    """Start what is not known yet, nearest to the slider first."""
    here = settings.under_slider.index(session.index)
    for number, index in enumerate(settings.all):
        if work.evaluation(session.dataset, index, session.seed) is None:
            on_ladder = number < len(settings.under_slider)
            near = abs(number - here) if on_ladder else 1.5 + 0.1 * number
            work.start_evaluation(session.dataset, index, session.seed, session.owner, near)


def drop_stale(session: Session, settings: Settings) -> None:
    """Take back what waits for a view this visitor has left: other data, queries or seed."""
    wanted = {work.evaluation_key(session.dataset, i, session.seed) for i in settings.all}
    jobs.take_back(session.owner, wanted)


def unsettled(session: Session, settings: Settings) -> bool:
    """Whether anything is still to come: neither known nor cancelled nor failed."""
    for index in settings.all:
        job = jobs.find(work.evaluation_key(session.dataset, index, session.seed))
        known = work.evaluation(session.dataset, index, session.seed) is not None
        if not known and (job is None or job.active or job.state == "done"):
            return True
    return False


def evaluations(session: Session, indexes: Sequence[Index]) -> list[Evaluation]:
    """Those of `indexes` that are known."""
    dataset = session.dataset
    found = (work.evaluation(dataset, index, session.seed) for index in indexes)
    return [evaluation for evaluation in found if evaluation is not None]
