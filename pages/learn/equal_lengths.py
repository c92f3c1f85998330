"""Lesson 3: the reduction lifts words onto a sphere, nearly or exactly."""

from typing import Any

import numpy as np

from mips_core import PadToSphere, PaperAugment, Reduction, exact_top_k
from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.base.kernels import row_norms
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts.lesson.declaration import (
    Ask,
    Handle,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Slider,
    State,
    Track,
    steps,
)
from pages._ui.parts.lesson.plane_words import POINTS_DATA, WORDS, directions, points
from pages._ui.state.session import Session

LONGEST = (*steps(0.05, 0.95, 0.05), 0.99)  # U
ENTRIES = tuple(range(1, 9))  # m
QUERY = 30  # degrees, of the query drawn
BEST = 20  # its best words, whose pairs are looked at
FIRST, SECOND = np.triu_indices(BEST, 1)  # (190,) the better and the worse of every pair


def make() -> dict[str, Any]:
    """What every lift does to lengths and to the order of words.

    norms (160, 72) of lifted words, by U, then by m, and sphere_norms (72,); swapped (160, 190) of
    pairs of `best` (20,), first with second, then with third; kept (160,) directions of 720 whose
    winner stays first; leading (160,) who is first for the query drawn.
    """
    X, Q = points(), directions()
    best, winners = exact_top_k(X, Q[[2 * QUERY]], BEST)[0], exact_top_k(X, Q, 1)[:, 0]
    lifts = [lifted(PaperAugment(U=U, m=m), best, winners) for U in LONGEST for m in ENTRIES]
    norms, swapped, kept, leading = (np.stack(parts) for parts in zip(*lifts, strict=True))
    sphere_norms, _, sphere_kept, _ = lifted(PadToSphere(), best, winners)

    def at(values: np.ndarray, U: float, m: int) -> int:
        return int(values[LONGEST.index(U) * len(ENTRIES) + m - 1])

    pairs = swapped.sum(axis=1)
    crowded = norms[LONGEST.index(0.99) * len(ENTRIES) + 7]
    return {
        "words": list(WORDS),
        "points": X,
        "longest": LONGEST,
        "entries": len(ENTRIES),
        "angle": QUERY,
        "best": best.astype(np.uint8),
        "norms": norms.astype(np.float32),
        "swapped": np.packbits(swapped, axis=1),  # 24 bytes a lift
        "kept": kept,
        "leading": leading.astype(np.uint8),
        "sphere_norms": sphere_norms.astype(np.float32),
        "sphere_kept": sphere_kept,
        "facts": {
            "directions": len(Q),
            "worst_pairs": at(pairs, 0.99, 1),
            "worst_kept": at(kept, 0.99, 1),
            "many_kept": at(kept, 0.99, 8),
            "half_kept": at(kept, 0.5, 1),
            "farthest": round(float(np.degrees(np.arcsin(0.99 * row_norms(X) / crowded)).max())),
        },
    }


def lifted(reduction: Reduction, best: Ids, winners: Ids) -> tuple[Floats, Mask, int, int]:
    """norms (72,), swapped (190,) of `best` (20,), directions that keep their winner, the query's.

    winners (720,) before the lift. What ranks lifted words is the cosine: they are asked for at
    length one.
    """
    X, Q = points(), directions()
    lift = reduction.fit(X)
    rows, asked = lift.items(X), lift.queries(Q)
    norms = row_norms(rows)
    units = (rows / norms[:, None]).astype(np.float32)
    order = exact_top_k(units[best], asked[[2 * QUERY]], BEST)[0]
    place = np.argsort(order)
    leading = exact_top_k(units, asked, 1)[:, 0]
    kept = int((leading == winners).sum())
    return norms, place[FIRST] > place[SECOND], kept, int(leading[2 * QUERY])


def _ask(session: Session, state: State) -> None:
    exact = state["kind"] == "sphere"
    lift = PadToSphere() if exact else PaperAugment(U=state["U"], m=state["m"])
    session.keep(FlatKMeans(reduction=lift))


LESSON = Lesson(
    number=3,
    chapter="The problem",
    minutes=2,
    title="Making all lengths equal",
    short="making all lengths equal",
    idea="Drag the picture to turn it. The {lift|reduction} gives each word extra entries, shown "
    "as height, so that all have the same {length|norm}.",
    state={"kind": "paper", "U": 0.75, "m": 2, "yaw": 24, "pitch": 20},
    handle=Handle(
        label="Turn the picture",
        across=Track(
            key="yaw",
            values=tuple(range(-180, 180)),
            words="{}° round",
            turns=True,
            step=6,
            page=30,
            leftwards=True,
        ),
        up=Track(key="pitch", values=tuple(range(5, 91)), words="from {}° above", step=5, page=15),
        whole=True,
    ),
    controls=(
        Options(key="kind", label="Lift", values=("paper", "sphere"), words=("Paper's", "Exact")),
        Slider(key="U", label="Longest, U", values=LONGEST, words="{:.2f}", when={"kind": "paper"}),
        Slider(key="m", label="Extra entries, m", values=ENTRIES, when={"kind": "paper"}),
    ),
    steps=(
        LessonStep(
            "Seen from above: 72 words, some long, some short. Long ones win more searches.",
            {"kind": "sphere", "pitch": 90, "yaw": 0},
        ),
        LessonStep(
            "Lift each word until all have the same length. Short words rise highest.",
            {"kind": "sphere"},
        ),
        LessonStep("The paper's lift comes close to the sphere: pink shows what sticks out.", {}),
        LessonStep(
            "With U = 0.99 and one entry the lift fails: {worst_pairs} pairs change places.",
            {"U": 0.99, "m": 1},
        ),
        LessonStep(
            "More entries repair it. The price: all words now crowd around the pole.",
            {"U": 0.99, "m": 8},
        ),
    ),
    question="What is lost at U = 0.99 with one extra entry, and which single slider brings it "
    "back?",
    answer="Long words stick far out of the sphere, so {cosine|cosine} punishes them: the query's "
    "winner stays first in only {worst_kept} of {directions} directions. Either slider repairs "
    "it: m = 8 brings back {many_kept}, U = 0.50 brings back {half_kept}. The exact lift never "
    "loses one, with a single entry.",
    answer_state={"kind": "paper", "U": 0.99, "m": 1},
    asks=(
        Ask(
            "A word of length 0.5 gets two extra entries, 1/2 − 0.5² and 1/2 − 0.5⁴. How long is "
            "it then? And a word of length 0.1?",
            "The entries are 0.25 and 0.4375, and 0.49 and 0.4999. The words are √0.50390625 = "
            "0.710 and √0.50000001 = 0.707 long: five times as long before, nearly equal now.",
        ),
        Ask(
            "Why are the words at U = 0.99 and m = 8 all near the pole?",
            "The eight extra entries of a word are about √(8/4) = 1.41 long together, and the word "
            "itself 0.99 or less: none lies more than {farthest}° from the pole. All cosines with "
            "a query are close to each other then.",
        ),
    ),
    sheet={"U": 0.99, "m": 1},
    pictures=({"U": 0.99, "m": 1}, {"U": 0.99, "m": 8}),
    intro="Words stand on a disc and are lifted: height is the length of the extra entries. "
    "What sticks out of the sphere is pink, and thin pink lines join pairs that change "
    "places.",
    data=f"{POINTS_DATA}; query at {QUERY}°, and 720 directions.",
    own=OwnData("build.py", "Build an index of your data like this", _ask),
    make=make,
    side=304,
)
