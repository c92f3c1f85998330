"""What a lesson declares, once: contents, controls, presenter mode, worksheet and tests read it.

A lesson is a file in `pages/learn` with a `LESSON`, and a module of the same name beside it that
draws in the browser. Texts may hold {words|term}, a link into the glossary, and {name}, a fact that
the lesson computes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages._ui.state.session import Session

State = Mapping[str, Any]  # of numbers and texts, by name
Values = Sequence[float] | Sequence[str]
CHAPTERS = ("The problem", "Clusters", "The others", "Judging")
TERM = re.compile(r"\{([^|{}]+)\|([^|{}]+)\}")
FACT = re.compile(r"\{(\w+)\}")


def steps(low: float, high: float, by: float) -> tuple[float, ...]:
    """low, low + by … high, each as its shortest decimal says."""
    return tuple(round(low + by * i, 6) for i in range(round((high - low) / by) + 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranged:
    """A part of the state, and the values it can have."""

    key: str
    values: Values
    words: str | Sequence[str] = "{}"  # a format of a value, or one text for each

    @property
    def texts(self) -> list[str]:
        """Each value in words."""
        if isinstance(self.words, str):
            return [self.words.format(value) for value in self.values]
        if len(self.words) != len(self.values):
            raise ValueError(f"{self.key}: {len(self.words)} texts for {len(self.values)} values.")
        return list(self.words)


@dataclass(frozen=True, eq=False, kw_only=True)
class Track(Ranged):
    """What one direction of a drag moves."""

    step: int = 1  # values that an arrow key moves by
    page: int = 10  # and Page Up
    turns: bool = False  # the last value is followed by the first
    leftwards: bool = False  # the left arrow adds, as on a circle seen from its top


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle:
    """The one thing of the picture that is dragged; keys move it as they move a slider."""

    label: str
    across: Track
    up: Track | None = None  # moved by the arrows up and down; None: they move `across`
    whole: bool = False  # all of the picture is dragged, as a sphere is turned


@dataclass(frozen=True, eq=False, kw_only=True)
class Control:
    """What stands over the picture; `when`: the states in which it is shown."""

    label: str = ""
    when: State = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Slider(Control, Ranged):
    """A slider over values."""

    grows: int = 1  # its share of the row


@dataclass(frozen=True, eq=False, kw_only=True)
class Options(Control, Ranged):
    """A few values side by side, one of them pressed."""

    sets: State = field(default_factory=dict)  # what a press sets beside it


@dataclass(frozen=True, eq=False, kw_only=True)
class Pick(Control, Ranged):
    """A list of values that opens."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Press(Control, Ranged):
    """A button that moves on by `by` values, or goes to the value `to`."""

    by: int = 0
    to: float | str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Unseen(Control, Ranged):
    """A part of the state without a control: steps and the answer set it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NewRow(Control):
    """The controls after it stand in a second row."""


@dataclass(frozen=True, eq=False)
class LessonStep:
    """A state prepared for a class, over the defaults, and what is said to it."""

    say: str
    state: State


@dataclass(frozen=True, eq=False)
class Ask:
    """A question of the worksheet, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, eq=False)
class OwnData:
    """The same on one's own data: `ask` puts the state into the session, then the page opens."""

    page: str  # its script: "search.py"
    label: str
    ask: Callable[[Session, State], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson:
    """One screen, one idea, one thing to drag.

    `make` gives all that the browser needs, computed by the core: a dict of arrays and plain
    values; its `facts` fill the texts. `state` holds the defaults; what differs is in the address.
    """

    number: int
    chapter: str
    minutes: int
    title: str  # the idea, as a sentence
    short: str  # as in "Next: how many clusters?"
    idea: str  # what to do, in a line
    state: State
    controls: Sequence[Control]
    steps: Sequence[LessonStep]
    question: str
    answer: str
    data: str  # what the picture shows, named on screen
    own: OwnData
    make: Callable[[], dict[str, Any]]
    handle: Handle | None = None
    answer_state: State = field(default_factory=dict)  # set when the answer is opened
    asks: Sequence[Ask] = ()  # further questions, for the worksheet
    still: State = field(default_factory=dict)  # of the small picture on the contents page
    intro: str = ""  # what the worksheet says above its picture
    sheet: State = field(default_factory=dict)  # of the picture on the worksheet's first page
    pictures: Sequence[State] = ()  # on its second page; none: those of the steps
    height: int = 410  # px of the picture
    side: int = 214  # px of the tiles beside it
    stored: bool = False  # what `make` gives takes long and is read from a file

    @property
    def parts(self) -> list[Ranged]:
        """All that moves the state."""
        tracks = [self.handle.across, self.handle.up] if self.handle else []
        return [part for part in (*tracks, *self.controls) if isinstance(part, Ranged)]

    def values_of(self, key: str) -> list[Any]:
        """Every value that this part of the state can have."""
        return list(dict.fromkeys(v for part in self.parts if part.key == key for v in part.values))

    @property
    def texts(self) -> list[str]:
        """All that is written with terms and facts."""
        asked = [text for ask in self.asks for text in (ask.question, ask.answer)]
        said = [step.say for step in self.steps]
        return [self.idea, *said, self.question, self.answer, self.intro, *asked]

    @property
    def terms(self) -> list[str]:
        """The glossary's entries that its texts link to."""
        return [term for text in self.texts for _, term in TERM.findall(text)]
