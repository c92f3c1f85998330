"""The job behind the Paper page: it measures, judges, and lays out every figure.

What was measured is kept a unit at a time, on disk where anything is kept between runs, else in
memory: what was stopped goes on from there.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from mips_core.base.cache_folder import cache_folder, cached_files, make_room
from mips_core.base.limits import MAX_PAPER_BYTES
from mips_core.base.progress import Progress
from mips_core.data.dataset import Dataset
from mips_core.figures.drawing import Drawing
from mips_core.figures.paper import WAYS, Way, drawings, each_once
from mips_core.studies.paper import wording
from mips_core.studies.paper.one_set import PaperData
from mips_core.studies.paper.presets import PRESETS, preset_data, with_paper_queries
from mips_core.studies.paper.run import PaperResult, run_paper
from mips_core.studies.paper.units import Arrays, UnitFolder
from pages._ui.state.paper_state import Measured, PaperState
from pages._ui.state.session import Session
from pages._ui.work import earlier
from pages._ui.work.measurement import content_name, data_name
from pages._ui.work.task import Task, once

PAGE = "paper"
OFTEN = 4.0  # seconds at least from one drawing of what is known to the next, …
RARELY = 20  # … and so many times what the last drawing took


@dataclass(frozen=True, eq=False)
class ShownPaper:
    """A run as the page shows it, maybe before its end: both ways, and rows once it is judged."""

    result: PaperResult
    drawn: Mapping[Way, Sequence[Drawing]]
    rows: Sequence[Mapping[str, Any]]
    told: str = ""  # how many comparisons were made

    @property
    def pictures(self) -> list[Drawing]:
        """Every picture once."""
        return each_once(one for drawn in self.drawn.values() for one in drawn)


@dataclass(frozen=True, slots=True)
class RememberedUnits(UnitFolder):
    """Units in memory; of data that are `private` they are found by their owner alone."""

    private: str = ""

    def get(self, names: Sequence[object], make: Callable[[], Arrays]) -> Arrays:
        return once(("paper unit", self.private, *map(str, names)), make)


def state_of(session: Session) -> PaperState:
    """What this visitor asks of the page."""
    state: PaperState = session.states[PAGE]
    return state


def paper_of(session: Session) -> Task[ShownPaper]:
    """What this visitor would measure now."""
    state, source = state_of(session), session.source
    chosen, quick, shelf = state.data, state.size == "quick", _shelf(session)
    whole = _whole(session)

    def make(progress: Progress) -> ShownPaper:
        sets = _sets(chosen, source, quick, progress)
        shown = _shown(run_paper(sets, shelf, quick, _Drawing(progress)))
        shelf.get(whole, lambda: {"parts": sorted(shelf.asked)})
        if shelf.folder is not None:
            make_room(sorted(cached_files(shelf.folder), reverse=True), MAX_PAPER_BYTES)
        return shown

    name: Hashable = data_name(source) if chosen == "own" else chosen
    return Task((PAGE, name, quick), "The paper’s figures", make)


def dropped(session: Session) -> int | None:
    """How many parts are gone of what was measured before, maybe by an earlier server.

    0 where all are there: then it shows in seconds. None where nothing was measured to its end.
    """
    shelf = _shelf(session)
    mark = shelf.kept(_whole(session))
    if mark is None or shelf.folder is None:
        return None
    return len(
        set(mark["parts"].tolist()) - {file.path.name for file in cached_files(shelf.folder)}
    )


def _whole(session: Session) -> Sequence[object]:
    """Names the unit that says which others a run to its end has left."""
    state = state_of(session)
    own = content_name(session.source) if state.data == "own" else ()
    return ("parts", state.data, state.size, *own)


def _shelf(session: Session) -> UnitFolder:
    if earlier.store() is not None:
        return UnitFolder(cache_folder() / "paper")
    private = session.source.private if state_of(session).data == "own" else ""
    return RememberedUnits(None, private)


def _sets(chosen: Measured, own: Dataset, quick: bool, progress: Progress) -> list[PaperData]:
    progress(0.0, "Preparing the data")
    if chosen == "own":
        return [with_paper_queries(own, None, quick)]
    return [preset_data(name, quick) for name in (PRESETS if chosen == "all" else [chosen])]


def _shown(result: PaperResult) -> ShownPaper:
    drawn = {way: drawings(result, way) for way in WAYS}
    if not result.done:
        return ShownPaper(result, drawn, ())
    return ShownPaper(result, drawn, wording.rows(result), wording.family_in_words(result))


class _Drawing:
    """A Progress whose partial results are drawn, in the job and not too often."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self.due = progress, 0.0

    def __call__(self, fraction: float, message: str, partial: Any = None) -> None:
        shown, began = None, monotonic()
        if isinstance(partial, PaperResult) and not partial.done and began >= self.due:
            shown = _shown(partial)
            ended = monotonic()
            self.due = ended + max(OFTEN, RARELY * (ended - began))
        self.progress(fraction, message, shown)
