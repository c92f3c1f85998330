"""What comes of reading files: a data set, or why there is none."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter, sleep
from typing import cast, get_args
from weakref import ref

from mips_core import Dataset, MipsError
from mips_core.base.errors import Cancelled
from mips_core.base.progress import Progress, span
from mips_core.data.open_files import Kind, Opened, open_files
from mips_core.data.ratings import RANK, RatingChoices, RatingOffers, UnsettledRatingsError
from mips_core.data.readers import Choices, Offers, UnsettledError
from pages._ui.parts import data_facts
from pages._ui.state.links import changes_text, spec_of
from pages._ui.work import jobs, parts_data, results, uploads
from pages._ui.work.data_files import File
from pages._ui.work.job import Job

PATIENCE = 0.4  # seconds a page waits before it shows progress


@dataclass(frozen=True, eq=False)
class Reading:
    """What was made of files."""

    opened: Opened
    size: int  # bytes
    seconds: float

    @property
    def dataset(self) -> Dataset:
        """The vectors to search."""
        return self.opened.dataset


@dataclass(frozen=True, eq=False)
class Refusal:
    """Why files were not read, and what a person may choose so that they are."""

    error: MipsError

    @property
    def may_be_settled(self) -> bool:
        """Whether there is such a choice."""
        return self.offers is not None or self.rating_offers is not None

    @property
    def is_question(self) -> bool:
        """Whether a choice is missing, and nothing is wrong with the files."""
        bad_rows = self.offers is not None and self.offers.bad_rows
        bad_lines = self.rating_offers is not None and self.rating_offers.bad_lines
        return self.may_be_settled and not (bad_rows or bad_lines)

    @property
    def offers(self) -> Offers | None:
        """The choice in files of vectors, if there is one."""
        return self.error.offers if isinstance(self.error, UnsettledError) else None

    @property
    def rating_offers(self) -> RatingOffers | None:
        """The choice in files of ratings, if there is one."""
        return self.error.offers if isinstance(self.error, UnsettledRatingsError) else None


@dataclass(frozen=True)
class Interpretation:
    """How files are to be understood."""

    choices: Choices = field(default_factory=Choices)
    ratings: RatingChoices = field(default_factory=RatingChoices)
    kind: Kind = "auto"
    rank: int = RANK  # dimensions that ratings become

    @property
    def text(self) -> str:
        """What was chosen, as a link tells it; "" where nothing was."""
        parts = [self.kind, str(self.rank), changes_text(self.choices), changes_text(self.ratings)]
        return "" if self == Interpretation() else "|".join(parts)

    @classmethod
    def of(cls, text: str) -> "Interpretation":
        """The one that `text` tells, or the usual one where it tells none."""
        kind, rank, choices, ratings = (text.split("|") + 4 * [""])[:4]
        usual = cls()
        if kind not in get_args(Kind) or not (rank.isascii() and rank.isdecimal()):
            return usual
        return cls(
            spec_of(usual.choices, choices) or usual.choices,
            spec_of(usual.ratings, ratings) or usual.ratings,
            cast(Kind, kind),
            int(rank),
        )


def key_of(files: Sequence[File], interpretation: Interpretation) -> Hashable:
    """Names what is read from `files`, and how they are understood."""
    return ("read", interpretation, *(file.key for file in files))


def result(key: Hashable) -> Reading | Refusal | None:
    """What came of the files of this key, if that is remembered."""
    outcome: Reading | Refusal | None = results.recall(key)
    return outcome


def can_be_read(files: Sequence[File], interpretation: Interpretation) -> bool:
    """Whether the files are still here, or are not needed for what is asked."""
    known = result(key_of(files, interpretation)) or _truncated(files, interpretation)
    return known is not None or all(file.here for file in files)


def start(files: Sequence[File], interpretation: Interpretation, owner: str) -> Hashable:
    """Read `files` as a job, unless that is under way, done, or was stopped; returns its key.

    The job does not keep files: it ends where nobody else needs them any more.
    """
    key = key_of(files, interpretation)
    job = jobs.find(key)
    if result(key) is None and (job is None or job.state == "done"):
        refs = [ref(file) for file in files]

        def work(progress: Progress) -> Reading | Refusal:
            here = [file for file in (weak() for weak in refs) if file is not None]
            if len(here) < len(refs):
                raise Cancelled
            try:
                return _read(here, interpretation, progress)
            except MipsError as error:
                error.__traceback__ = error.__cause__ = error.__context__ = None  # hold the arrays
                return Refusal(error)

        jobs.start(key, f"Reading {files[0].name}", work, owner, lane="read")
    return key


def settle(key: Hashable) -> Job | None:
    """The job of this key, after a moment in which most files are read."""
    job = jobs.find(key)
    until = perf_counter() + PATIENCE
    while job is not None and job.active and not job.stop and perf_counter() < until:
        sleep(0.02)
    return job


def _read(files: Sequence[File], interpretation: Interpretation, progress: Progress) -> Reading:
    began = perf_counter()
    opened = _truncated(files, interpretation)
    if opened is None:
        paths, how = [file.path() for file in files], interpretation
        share = span(progress, 0.0, 0.9)
        in_parts = how.kind != "ratings" and parts_data.opened_parts(files, share)
        opened = in_parts or open_files(
            paths,
            how.choices,
            how.ratings,
            kind=how.kind,
            rank=how.rank,
            lasting=not any(file.private for file in files),  # an upload goes when it is used
            progress=share,
        )
        if opened.factors is not None:
            results.remember(_factors_key(files, interpretation), opened)
    private = "".join(file.private for file in files)
    opened = replace(opened, dataset=replace(opened.dataset, private=private))
    if uploads.has_changed(opened.dataset.fingerprint):  # and is what it was again, or in a copy
        results.forget_of(opened.dataset.fingerprint)  # some may be of neither content
    data_facts.facts(opened.dataset, span(progress, 0.9, 1.0))
    return Reading(opened, sum(file.size for file in files), perf_counter() - began)


def _truncated(files: Sequence[File], interpretation: Interpretation) -> Opened | None:
    """Ratings that were factored already, at the rank asked for."""
    opened: Opened | None = results.recall(_factors_key(files, interpretation))
    if (
        opened is None
        or opened.factors is None
        or interpretation.rank > len(opened.factors.singular)
    ):
        return None
    return opened.truncated(interpretation.rank)


def _factors_key(files: Sequence[File], interpretation: Interpretation) -> Hashable:
    return ("factors", key_of(files, replace(interpretation, rank=RANK)))
