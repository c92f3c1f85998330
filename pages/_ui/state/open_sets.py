"""Data sets that a visitor has open beside the one in use: each as it was left, to go back to.

They stay in memory, those of all visitors together up to a share of what the process may take;
beyond it the one that was left longest ago is let go of, and read again when its visitor goes back.
"""

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from weakref import WeakSet

from mips_core.base.byte_size import byte_size
from mips_core.studies import forecast

SHARE = 4  # of what the process may take, the part for data that are not in use
MOST = 12  # of one visitor
# What is chosen for one data set, and found again by who comes back to it; and which states are of
# no data set.
OF_DATA = ("source", "data", "recipe", "metric", "answers", "indexes", "position", "methods",
           "filled", "efforts", "show", "query", "denominator", "share", "opened")  # fmt: skip
OF_VISITOR = ("runs", "learn", "paper")

_ALL: "WeakSet[OpenSet]" = WeakSet()


@dataclass(eq=False)
class OpenSet:
    """A data set that is not in use now: what it is called, and the session as it was left."""

    name: str
    n: int
    d: int
    simulated: bool
    left: Any  # the Session; its source is None once it was let go of
    when: float = field(default_factory=monotonic)

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by among those of a visitor, whatever it is called."""
        return self.left.data, self.left.share.key

    @property
    def here(self) -> bool:
        """Whether it is in memory."""
        return self.left.source is not None


@dataclass
class OpenSets:
    """Those of one visitor, the one left last at the end."""

    sets: list[OpenSet] = field(default_factory=list)

    def leave(self, left: Any) -> None:
        """Keep the session as it is: other data are searched from now on."""
        source = left.source
        one = OpenSet(source.name, source.n, source.d, source.simulated, left)
        self.sets = [*(other for other in self.sets if other.key != one.key), one][-MOST:]
        _ALL.add(one)
        make_room()

    def take(self, key: tuple[str, str]) -> OpenSet | None:
        """The one of this key, which is in use from now on."""
        found = next((one for one in self.sets if one.key == key), None)
        self.sets = [one for one in self.sets if one is not found]
        return found


def leave(session: Any) -> None:
    """Other data come: these stay open as they are now, and nothing of them is waited for."""
    session.forget_wishes()
    if not session.missing:
        states, opened = dict(session.states), dict(session.opened)
        left = replace(session.snapshot(), states=states, opened=opened, open=OpenSets())
        left.wishes, left.stopped, left.draft, left.opening = {}, {}, None, None
        session.open.leave(left)


def go_back(session: Any, left: Any) -> None:
    """Search what was `left`, with all that was chosen there; what is no data's own stays."""
    for name in OF_DATA:
        setattr(session, name, getattr(left, name))
    session.states = left.states | {name: session.states[name] for name in OF_VISITOR}
    session.missing, session.lost, session.withdrawn, session.stopped = "", None, False, {}
    if not getattr(session.draft, "files", ()):
        session.draft = None


def make_room(most: int | None = None) -> None:
    """Let go of those left longest ago while all take more than `most` bytes."""
    most = forecast.budget() // SHARE if most is None else most
    here = [one for one in sorted(_ALL, key=lambda one: one.when) if one.here]
    while here and _bytes(here) > most:
        here.pop(0).left.source = None


def _bytes(sets: list[OpenSet]) -> int:
    """What they take in memory; what two share counts once, what is mapped takes none."""
    sources = [one.left.source for one in sets]
    return byte_size([array for s in sources if not s.is_mapped for array in (s.items, s.queries)])
