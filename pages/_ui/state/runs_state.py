"""What a visitor asks of kept runs, and the runs themselves; on the server as long as uploads are.

A shelf is a list of runs that never changes: keeping another makes another shelf. A link names the
shelf, so that a refresh, or who has the link, finds its runs; what they change is their own.
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from mips_core.base.params import check, param
from pages._ui.work.uploads import Lingering

if TYPE_CHECKING:
    from mips_core.studies.runs import Run


@dataclass(frozen=True, eq=False)
class Shelf:
    """Runs in the order they were kept, and the name that all of them make."""

    runs: tuple["Run", ...]
    name: str

    @staticmethod
    def of(runs: tuple["Run", ...]) -> "Shelf":
        """The shelf of these runs."""
        from mips_core.studies.runs import digest_of  # slow to import; few pages need it

        text = "".join(digest_of(run) for run in runs)
        return Shelf(runs, blake2b(text.encode(), digest_size=16).hexdigest())


@dataclass(frozen=True)
class OpenedFiles:
    """What came of the files that were opened last, in Markdown; a new round empties the field."""

    round: int = 0
    refused: tuple[str, ...] = ()
    said: str = ""


@dataclass(frozen=True)
class RunsState:
    """Which runs are kept, which of them lie side by side, and where they are compared."""

    shelf: str = param("", "Kept runs", "The name of the list of runs that were kept.")
    shown: str = param("", "Side by side", "The settings of the runs that are compared.")
    speedup: float = param(
        0.0,
        "At about the speedup",
        "Of each run the effort whose speedup is nearest. 0 takes the one nearest to 30× that all "
        "of them have.",
        within=(0, 1e6),
    )
    precision: float = param(
        0.9,
        "At the precision",
        "How much each run saves where it finds this share of the true answers.",
        within=(0.01, 1.0),
    )
    kept: Any = None  # the Shelf; not in a link
    lost: bool = False  # whether a link named a list that is not here; not in a link
    deleted: Any = None  # the Run deleted last, and where it was; not in a link
    opened: OpenedFiles = OpenedFiles()  # not in a link

    def __post_init__(self) -> None:
        check(self)


_SHELVES = Lingering[Shelf]()


def hold(states: dict[str, Any], key: str = "") -> None:
    """Find the shelf that a link names, or keep the one that is there known by its name.

    `key`: what opens the data in use; the shelves of uploads are opened by it too.
    """
    state: RunsState = states["runs"]
    shelf = _SHELVES.find(state.shelf + key) if state.kept is None else state.kept
    if shelf is not None:
        _SHELVES.hold(shelf.name + key, shelf)
    if shelf is not state.kept:
        states["runs"] = replace(state, kept=shelf)
    elif shelf is None and state.shelf:
        states["runs"] = replace(state, shelf="", lost=True)
