"""Lesson 8: hashing by the sides of hyperplanes, in the plane; and how often real words meet.

Charikar, STOC 2002: two vectors at angle θ get the same bit with chance 1 - θ/π. WTA-hash with a
prefix of 2 asks which of two coordinates is larger: the side of one of few fixed hyperplanes.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from mips_core import INDEXES, Plain, exact_top_k, rng_for, shipped
from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.methods.hashing.hash_tables import Keys
from pages._ui.parts.lesson import plane_words
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Slider,
)
from pages._ui.state.session import Session

MOST_BITS, MOST_TABLES, K = 10, 32, 3
AT = 224  # the direction of the steps: 112 degrees
SEED = 1  # its first three lines lie well apart
HASHES = {
    "srp": ("srp-hash", {"n_bits": MOST_BITS}),
    "wta": ("wta-hash", {"n_permutations": MOST_BITS, "prefix": 2}),
}
DRAWN, TRIED = 1000, 64  # real words, and tables of them
ANGLES, WITHIN = range(10, 130, 10), 2  # degrees
FEWEST_PAIRS, MOST_PAIRS = 10, 400  # of words so far apart


def make() -> dict[str, Any]:
    """`items`, `queries`: by kind of hash, the key of each word and direction in every table.

    A key of fewer bits is the start of it. `truth` (720, 3) and how many degrees `away` it is;
    `lines` (tables, bits) the angles of SRP's lines, in degrees below 180. `met` by kind: the
    share of real pairs at each of `angles` that meet, by bits, then by tables (320, angles).
    """
    P, Q = plane_words.points(), plane_words.directions()
    truth = exact_top_k(P, Q, K)
    families = {kind: tables(kind, P, MOST_TABLES).family for kind in HASHES}
    a, b, angles = pairs()
    met = {kind: shares(kind, a, b, [len(at) for at in angles]) for kind in HASHES}
    means = np.array([at.mean() for at in angles])
    away = np.take_along_axis(degrees_between(Q, P), truth, axis=1)
    keys = {kind: [family.query_keys(V) for V in (P, Q)] for kind, family in families.items()}
    return {
        "words": list(plane_words.WORDS),
        "points": P,
        "truth": truth,
        "away": away,
        "lines": lines(families["srp"].directions),
        "items": {kind: items.astype(np.int32) for kind, (items, _) in keys.items()},
        "queries": {kind: asked.astype(np.int32) for kind, (_, asked) in keys.items()},
        "angles": means,
        "met": {kind: share.reshape(-1, len(means)) for kind, share in met.items()},
        "facts": {**rates(means, met["srp"]), **story(keys["srp"], truth[AT], away[AT])},
    }


def tables(kind: str, X: Matrix, n_tables: int) -> Any:
    """Tables of X, hashed as they are: in the plane a hyperplane is a line through the middle."""
    key, values = HASHES[kind]
    method: Any = INDEXES[key]
    index = method(n_tables=n_tables, reduction=Plain(), **values)
    return index.build(X, rng_for(SEED))


def lines(directions: Matrix) -> Floats:
    """(T, p) angles from 0 to 180 of the lines square to directions (T, p, 2)."""
    x, y = directions[..., 0].astype(np.float64), directions[..., 1]
    return (np.degrees(np.arctan2(y, x)) + 90) % 180


def degrees_between(A: Matrix, B: Matrix) -> Floats:
    """(a, b) angles between the rows of A and those of B."""
    cosines = (A @ B.T) / np.outer(row_norms(A), row_norms(B))
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))


@cache
def drawn() -> Matrix:
    """Real words, as drawn from all: (1000, 50)."""
    X = shipped("glove-6b-50d").items
    return np.ascontiguousarray(X[rng_for(SEED, "words").choice(len(X), DRAWN, replace=False)])


def pairs() -> tuple[Ids, Ids, list[Floats]]:
    """Pairs (a, b) of drawn words about 10, 20 … degrees apart; the angles of each such group."""
    a, b = np.triu_indices(DRAWN, 1)
    theta = degrees_between(drawn(), drawn())[a, b]
    groups = [np.flatnonzero(abs(theta - angle) < WITHIN)[:MOST_PAIRS] for angle in ANGLES]
    groups = [group for group in groups if len(group) >= FEWEST_PAIRS]
    together = np.concatenate(groups)
    return a[together], b[together], [theta[group] for group in groups]


def shares(kind: str, a: Ids, b: Ids, sizes: Sequence[int]) -> Floats:
    """(bits, tables, groups): of pairs a, b in groups of these sizes, how many meet.

    In tables of `drawn`, all that there are, taken so many at a time.
    """
    keys = tables(kind, drawn(), TRIED).family.query_keys(drawn())
    agreed = MOST_BITS - np.frexp((keys[a] ^ keys[b]).astype(np.float64))[1]  # first bits alike
    met = np.empty((MOST_BITS, MOST_TABLES, len(sizes)))
    for t in range(1, MOST_TABLES + 1):
        times = TRIED // t
        most = agreed[:, : t * times].reshape(len(a), times, t).max(axis=2)
        for group, part in enumerate(np.split(most, np.cumsum(sizes)[:-1])):
            enough = np.bincount(part.ravel(), minlength=MOST_BITS + 1)[::-1].cumsum()[::-1]
            met[:, t - 1, group] = enough[1:] / part.size
    return met


def chance(degrees: float, bits: int, n_tables: int) -> float:
    """That two vectors this far apart share a key of some table."""
    return 1 - (1 - (1 - degrees / 180) ** bits) ** n_tables


def rates(angles: Floats, met: Floats) -> dict[str, str]:
    """How often words 30 and 80 degrees apart meet with 8 bits, by the formula and counted."""
    near, far = (met[7, 7, abs(angles - angle).argmin()] for angle in (30, 80))
    return {
        "near_1": f"{chance(30, 8, 1):.0%}",
        "near_8": f"{chance(30, 8, 8):.0%}",
        "far_8": f"{chance(80, 8, 8):.0%}",
        "counted_near": f"{near:.0%}",
        "counted_far": f"{far:.0%}",
    }


def story(keys: Sequence[Keys], truth: Ids, away: Floats) -> dict[str, Any]:
    """What the texts name of the query of the steps: a word that is cut off, and what all cost."""
    items, asked = keys
    alike = items ^ asked[AT]
    (cut,) = np.flatnonzero(alike[truth, 0] >> MOST_BITS - 3)
    few = (alike[:, :16] >> MOST_BITS - 8 == 0).any(axis=1)
    return {
        "cut": plane_words.WORDS[truth[cut]],
        "away": f"{away[cut]:.0f}",
        "meet_1": f"{chance(away[cut], 3, 1):.0%}",
        "meet_2": f"{chance(away[cut], 3, 2):.0%}",
        "few": int(few.sum()),
        "hashing": 8 * 16,
    }


def ask(session: Session, state: Mapping[str, Any]) -> None:
    """The same hash over one's own data, of as many bits, with as many tables looked into."""
    key, _ = HASHES[state["kind"]]
    method: Any = INDEXES[key]
    session.keep(method(**{method.main_param: state["b"]}))
    session.effort = state["t"]


LESSON = Lesson(
    number=8,
    chapter="The others",
    minutes=4,
    title="Lines through the middle sort words into buckets",
    short="lines sort words into buckets",
    idea="Drag the {query|query}. Only words on its side of every {line|hyperplane} share its "
    "{bucket|bucket} and are compared. More {tables|table} have other lines.",
    state={"q": 112.0, "b": 3, "t": 1, "kind": "srp"},
    handle=plane_words.QUERY,
    controls=(
        Slider(key="b", label="Bits", values=range(1, MOST_BITS + 1)),
        Slider(key="t", label="Tables", values=range(1, MOST_TABLES + 1)),
        Options(key="kind", label="Hash", values=tuple(HASHES), words=("SRP", "WTA")),
    ),
    steps=(
        LessonStep("One line through the middle: on which side does a word lie?", {"b": 1}),
        LessonStep("Two lines make four buckets. Only the query's own is opened.", {"b": 2}),
        LessonStep("A third line cuts off “{cut}”: a word across a line is missed.", {"b": 3}),
        LessonStep("A second table has other lines: another chance to meet.", {"b": 3, "t": 2}),
        LessonStep(
            "Many bits and many tables open little and find all, but hashing costs {hashing}.",
            {"b": 8, "t": 16},
        ),
        LessonStep(
            "{WTA|wta} compares coordinates. In the plane that is one line, whatever the bits.",
            {"b": 3, "t": 2, "kind": "wta"},
        ),
    ),
    question="With 8 bits and one table, how often do two words 30° apart share a {hash|hash}? "
    "And with 8?",
    answer="In {near_1} of cases; with 8 tables in {near_8}, by the formula. Counted among real "
    "words: {counted_near}. But words 80° apart then meet in {far_8} of cases too, and there are "
    "far more of those: each is compared and paid for.",
    answer_state={"b": 8, "t": 8, "kind": "srp"},
    asks=(
        Ask(
            "How many buckets do three lines through the middle make, and how many keys do three "
            "bits have?",
            "Six buckets, eight keys: two of the keys never occur in the plane.",
        ),
        Ask(
            "Three lines, one table: how far is the query from “{cut}”, and what is the chance "
            "that the two meet?",
            "{away}° apart: {meet_1}. With two tables {meet_2}.",
        ),
        Ask(
            "With 8 bits and 16 tables all three are found among {few} words. Is that cheap?",
            "No. Hashing costs 8 × 16 = {hashing} inner products, more than comparing all 72.",
        ),
    ),
    still={},
    intro="Each line has two sides. Words on the query's side of every line share its bucket, "
    "and only these are compared with it.",
    data="72 words in 2 of their 50 dimensions, K = 3; seed 1. Real words: pairs of 1,000 in all "
    "50, in 64 tables.",
    own=OwnData("tradeoff.py", "See this on your own data", ask),
    make=make,
    height=430,
    side=304,
)
