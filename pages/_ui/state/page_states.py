"""What pages ask: declared once, kept in the session, written in links."""

from dataclasses import dataclass
from typing import Any, Literal

from mips_core.base.params import check, param
from mips_core.studies.comparison import FEWEST_SEEDS
from mips_core.studies.drift import ROUNDS
from pages._ui.state.learn_state import LearnState
from pages._ui.state.map_state import MapState
from pages._ui.state.paper_state import PaperState
from pages._ui.state.report_state import ReportState
from pages._ui.state.runs_state import RunsState


@dataclass(frozen=True)
class RobustnessState:
    """Noise on queries, with all methods at the same speedup."""

    speedup: float = param(
        30.0,
        "Same speedup for all",
        "Each method's setting is chosen without noise on half of the queries, the best with a "
        "speedup of 0.9 to 1.2 times this; the other half is scored.",
        within=(2, 200),
    )
    sigma: float = param(
        0.3,
        "Noise σ",
        "Standard deviation of the noise added to each component.",
        within=(0.0, 0.4),
    )
    truth: Literal["noisy", "clean"] = param(
        "noisy",
        "Truth",
        "Noisy query: the true top K of the query as given, as in the paper. Clean query: the top "
        "K before noise; exact search loses some too, drawn as the ceiling.",
        choices=("noisy", "clean"),
    )
    unit: Literal["absolute", "relative"] = param(
        "absolute",
        "Unit of σ",
        "Absolute: σ itself, as in the paper. Relative: multiples of the data's rms component.",
        choices=("absolute", "relative"),
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class TuneState:
    """What a setting must reach, or what it may cost."""

    known: Literal["precision", "budget"] = param(
        "precision",
        "I know",
        "The precision: find the cheapest setting that holds it. The budget: find the most precise "
        "setting within it.",
        choices=("precision", "budget"),
    )
    precision: float = param(
        0.95,
        "Precision, at least",
        "Share of the true top K a search must find.",
        within=(0.5, 1.0),
    )
    confidence: float = param(
        0.95,
        "Sure of it",
        "The lower end of a one-sided interval on unseen queries must reach the target.",
        within=(0.5, 0.999),
    )
    inner_products: int = param(
        0, "Inner products a query, at most", "Empty sets no limit.", within=(0, 10**9)
    )
    megabytes: float = param(
        0.0,
        "Memory in MB, at most",
        "Of the index, without the items. Empty sets no limit.",
        within=(0.0, 10**6),
    )
    seconds: float = param(
        0.0,
        "Seconds to build, at most",
        "On this machine. Empty sets no limit.",
        within=(0.0, 10**6),
    )
    faiss: bool = param(
        False,
        "Must run in faiss",
        "Only what Build can save as an index of faiss is tried: flat and hierarchical k-means, "
        "and a norm head with one copy of each item.",
    )
    items: int = param(
        0, "Items then", "How many items there may be; 0 is ten times as many.", within=(0, 10**9)
    )
    search: Any = None  # what the button was pressed for; not in a link

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class CompareState:
    """Two methods, and where they are held against each other.

    A state that is the usual or the `proposed` one is about the setting in use; any other was
    chosen.
    """

    first: str = param("flat-kmeans", "One method", "The method named first.")
    second: str = param("hierarchical-kmeans", "Another method", "What it is held against.")
    speedup: float = param(
        30.0,
        "At the speedup",
        "Of each method the most precise setting with 0.9 to 1.2 times this speedup; at that of "
        "the setting in use it is that setting, and of the other the best that saves as much.",
        within=(2, 200),
    )
    precision: float = param(
        0.9,
        "At the precision",
        "What every search must reach before it is timed.",
        within=(0.1, 1.0),
    )
    builds: int = param(
        FEWEST_SEEDS,
        "Builds of each",
        "Each setting is built with as many seeds, because a build can be lucky.",
        within=(FEWEST_SEEDS, 12),
    )
    view: str = param(
        "",
        "View",
        "Methods, clock, sets or runs; empty: the runs that a link shows, else the methods.",
    )
    proposed: Any = None  # first, second, speedup; not in a link

    def __post_init__(self) -> None:
        check(self)


Change = Literal["moved", "new", "version"]


@dataclass(frozen=True)
class DriftState:
    """How vectors change, and what of it may be lost."""

    change: Change = param(
        "moved",
        "What changes",
        "Vectors move: noise of several sizes on your items, simulated. New items: some were held "
        "out of the build and come. A new version: you give the data as they are now.",
        choices=("moved", "new", "version"),
    )
    tolerance: float = param(
        1.0,
        "Points that may be lost",
        "Of precision, against a rebuild on the changed vectors, 0 to 50.",
        within=(0.0, 50.0),
    )
    rounds: int = param(
        ROUNDS,
        "Rounds of a refresh",
        "K-means goes on from where it stood, 1 to 50 rounds at most. Each costs one inner "
        "product for each item and cluster.",
        within=(1, 50),
    )
    upload: Any = None  # the files of a new version, or a key of the catalog; not in a link
    origin: str = "Upload"  # where a new version comes from; not in a link
    problem: str = ""  # why there are none, in Markdown; not in a link
    started: Any = None  # names what was measured last; not in a link
    round: int = 0  # of uploads: a new one empties the uploader; not in a link

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class SearchState:
    """How words are asked."""

    leave_out: bool = param(
        True,
        "Leave out what is named",
        "The items whose labels are added and subtracted are no answers: they are nearly always "
        "their own best match.",
    )

    def __post_init__(self) -> None:
        check(self)


STATES: dict[str, type[Any]] = {
    "robustness": RobustnessState,
    "tune": TuneState,
    "compare": CompareState,
    "drift": DriftState,
    "map": MapState,
    "search": SearchState,
    "paper": PaperState,
    "report": ReportState,
    "runs": RunsState,
    "learn": LearnState,
}


def default_states() -> dict[str, Any]:
    """Every page's state as it is before anything was chosen."""
    return {name: cls() for name, cls in STATES.items()}
