"""What reading a file came to: accepted, refused in words, or a fault of ours."""

import signal
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from traceback import extract_tb
from typing import Any, Literal

import numpy as np

from benchmarks.fuzz.seeds import Kind
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.dataset import Dataset
from mips_core.data.ratings import RatingChoices, Ratings, read_ratings
from mips_core.data.readers import read, read_queries
from mips_core.data.readers.choices import NONE, Choices
from mips_core.serving.store import StoredIndex, load
from mips_core.studies.runs import Run, read_runs

SECONDS = 2.0
"""Processor time that a small file may take, that of child processes included."""

PATIENCE = 20.0
"""Seconds by the clock after which a reader is stopped: the machine may be busy."""

LONGEST_MESSAGE = 4_000
"""Characters of a refusal that a person can still be shown."""

Outcome = Literal["accepted", "refused", "fault"]
Way = Callable[[Sequence[Path]], Any]

WAYS: Mapping[str, Way] = {
    "as it is": read,
    "queries": lambda paths: read_queries(paths[0]),
    "first line is data": partial(read, choices=Choices(header="data")),
    "first line is names": partial(read, choices=Choices(header="names")),
    "without bad rows": partial(read, choices=Choices(skip_bad=True)),
    "as stored": partial(read, keep_dtype=True),
    "vectors alone": partial(read, choices=Choices(queries=NONE, label=NONE)),
    "ratings": read_ratings,
    "ratings without bad lines": partial(read_ratings, choices=RatingChoices(skip_bad=True)),
    "ratings, a user a line": partial(read_ratings, choices=RatingChoices(layout="user")),
    "index": lambda paths: load(paths[0]),
    "runs": lambda paths: read_runs(paths[0]),
}
"""Every way in which people have files read."""


def ways_of(kind: Kind) -> list[str]:
    """The ways to read files of this kind; the plain one comes first."""
    others = ("ratings", "index", "runs")
    start = kind if kind in others else ""
    return [way for way in WAYS if way.startswith(start) and (start or not way.startswith(others))]


@dataclass(frozen=True)
class Verdict:
    """`what` names a fault by its kind and place, or is the text of a refusal."""

    outcome: Outcome
    what: str = ""
    seconds: float = 0.0  # of processor time


class TooLong(BaseException):
    """Raised in a reader that has been at it for too long; none may catch it as an Exception."""


def judge(paths: Sequence[Path], way: str = "as it is") -> Verdict:
    """Read `paths` and say what came of it; only KeyboardInterrupt goes through."""
    began = _processor_time()
    try:
        with _stopped_after(PATIENCE), warnings.catch_warnings():
            warnings.simplefilter("error")
            outcome, what = _tried(paths, WAYS[way])
    except TooLong:
        outcome, what = "fault", "hangs"
    taken = _processor_time() - began
    if taken > SECONDS and outcome != "fault":
        outcome, what = "fault", "too slow"
    return Verdict(outcome, what, taken)


def _processor_time() -> float:
    """Seconds that this process and the children it has waited for have taken."""
    own, children = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _tried(paths: Sequence[Path], way: Way) -> tuple[Outcome, str]:
    try:
        flaw = flaw_of(way(paths))
    except DataError as error:
        flaw = _flaw_of_refusal(error, paths)
        return ("fault", flaw) if flaw else ("refused", str(error))
    except (KeyboardInterrupt, TooLong):
        raise
    except BaseException as error:
        return "fault", f"{type(error).__name__} at {place(error)}"
    return ("fault", flaw) if flaw else ("accepted", "")


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def place(error: BaseException) -> str:
    """The deepest line of the package that an error came through: npy.py:58."""
    frames = extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "mips_core" in Path(frame.filename).parts]
    last = (ours or frames)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _flaw_of_refusal(error: DataError, paths: Sequence[Path]) -> str:
    """Why a refusal is none, as where it wraps an error that was not foreseen; or ""."""
    cause = error.__cause__
    if cause is not None and not isinstance(cause, DataError):
        return f"wrapped {type(cause).__name__} at {place(cause)}"
    if _ran_out_of_memory(error):
        return f"out of memory at {place(error)}"
    text = str(error)
    if not any(path.name in text or path.suffix == ".zip" for path in paths):  # or its member
        return f"refusal names no file at {place(error)}"
    if not error.remedy:
        return f"refusal without a remedy at {place(error)}"
    if len(text) > LONGEST_MESSAGE:
        return f"refusal of over {LONGEST_MESSAGE:,} characters at {place(error)}"
    return "" if _can_be_shown(text) else f"refusal that is no valid text at {place(error)}"


def _ran_out_of_memory(error: BaseException | None) -> bool:
    """Whether a MemoryError led to it; ast.parse raises them for brackets nested too deep."""
    while error is not None:
        if isinstance(error, MemoryError) and extract_tb(error.__traceback__)[-1].name != "parse":
            return True
        error = error.__context__
    return False


def _can_be_shown(text: str) -> bool:
    """Whether no half characters are in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def flaw_of(result: Any) -> str:
    """What is wrong with what a reader gave, or ""."""
    if isinstance(result, np.ndarray):
        return _flaw_of_matrix(result, "queries")
    if isinstance(result, Dataset):
        return _flaw_of_dataset(result)
    if isinstance(result, Ratings):
        return _flaw_of_ratings(result)
    if isinstance(result, StoredIndex):
        return _flaw_of_answers(result)
    if isinstance(result, tuple) and all(isinstance(run, Run) for run in result):
        return _flaw_of_texts([text for run in result for text in (run.name, run.note)], "runs")
    return f"a {type(result).__name__} was given"


def _flaw_of_dataset(data: Dataset) -> str:
    exact = not data.keep_dtype
    flaws = [_flaw_of_matrix(data.items, "items", exact),
             _flaw_of_matrix(data.queries, "queries", exact)]  # fmt: skip
    if min(data.items.shape) < 1:
        flaws.append("no items")
    if data.queries.shape[1] != data.d:
        flaws.append("queries of another width")
    for name, labels, count in (("labels", data.labels, data.n),
                                ("query labels", data.query_labels, data.m)):  # fmt: skip
        if labels is not None and len(labels) != count:
            flaws.append(f"{name} of another length")
        flaws.append(_flaw_of_texts(labels or (), name))
    return next(filter(None, [*flaws, _flaw_of_notes(data.notes)]), "")


def _flaw_of_ratings(ratings: Ratings) -> str:
    """Likewise for e ratings."""
    e, flaws = ratings.n_ratings, []
    for name, codes, names in (("users", ratings.user_codes, ratings.user_names),
                               ("items", ratings.item_codes, ratings.item_names)):  # fmt: skip
        if len(codes) != e or set(np.unique(codes)) != set(range(len(names))):
            flaws.append(f"{name} that are not those of the ratings")
        flaws.append(_flaw_of_texts(names, name))
    if e < 1 or ratings.values.dtype != np.float64 or not np.isfinite(ratings.values).all():
        flaws.append("ratings are none, or no finite numbers")
    flaws.append(_flaw_of_texts([*ratings.titles.keys(), *ratings.titles.values()], "titles"))
    return next(filter(None, [*flaws, _flaw_of_notes(ratings.notes)]), "")


def _flaw_of_answers(stored: StoredIndex) -> str:
    """Likewise for an index: it must answer, at its least effort and its most."""
    efforts = stored.searcher.efforts()
    for effort in (efforts[0], efforts[-1]) if stored.has_items else ():
        ids, scores = stored.search(np.ones((2, stored.d), np.float32), 3, effort)
        if ids.shape != (2, 3) or ids.min() < -1 or ids.max() >= stored.n or np.isnan(scores).any():
            return "answers that are no items"
    return _flaw_of_texts([stored.name, stored.made_by, *(stored.labels or ())], "its texts")


def _flaw_of_texts(texts: Iterable[Any], name: str) -> str:
    fine = all(isinstance(text, str) and _can_be_shown(text) for text in texts)
    return "" if fine else f"{name} that are no valid text"


def _flaw_of_notes(notes: Sequence[str]) -> str:
    long = sum(map(len, notes)) > 2 * LONGEST_MESSAGE
    return "notes too long to be shown" if long else _flaw_of_texts(notes, "notes")


def _flaw_of_matrix(values: np.ndarray, name: str, exact: bool = True) -> str:
    """Likewise for rows of vectors; `exact`: float32, and no other dtype, is due."""
    due = values.dtype == np.float32 if exact else values.dtype.kind in "fiub"
    if not due or values.ndim != 2 or not values.dtype.isnative:
        return f"{name} are {values.dtype} of {values.ndim} dimensions"
    if not values.flags.c_contiguous:
        return f"{name} are not in C order"
    size = np.abs(values.astype(np.float64))  # the least int64 has no absolute value of its kind
    return "" if (size <= MAX_MAGNITUDE).all() else f"{name} are not finite"
