"""Published data sets, declared once: where they lie, what they hold, on what terms."""

import os
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from mips_core.base.errors import DataError, ParamError

MIRROR = "MIPS_DATA_MIRROR"
"""The environment variable with an address under which archives lie, instead of their own."""
FIRST_WORDS = 100_000  # vectors that are kept of a longer list: the paper's, section 5.2
GROUPLENS = "https://files.grouplens.org/datasets"
RESEARCH = (
    "For research: cite the authors, say nothing of their endorsement, and ask GroupLens before "
    "any commercial use"
)


@dataclass(frozen=True)
class PublishedArchive:
    """A file as it is published. Without an address it can only be placed by hand."""

    name: str
    size: int = 0  # bytes, about; 0: not known
    address: str = ""
    sha256: str = ""

    @property
    def source(self) -> str:
        """Where it is fetched: its own address, or under that of the mirror.

        Raises ParamError where the mirror is no address of the web.
        """
        mirror = os.environ.get(MIRROR, "")
        if not self.address or not mirror:
            return self.address
        if urlsplit(mirror).scheme not in ("http", "https"):
            raise ParamError(f"{MIRROR} is {mirror!r}.", "Give an http or https address.")
        return f"{mirror.rstrip('/')}/{self.name}"

    @property
    def host(self) -> str:
        """The machine that is asked."""
        return urlsplit(self.source).hostname or ""


@dataclass(frozen=True)
class PublishedSet:
    """A data set: `files` of its archive are read; of `archives` any one is enough.

    Placed by hand without an archive, the files lie in the folder as they are.
    """

    key: str
    label: str
    about: str
    licence: str
    terms: str  # where the licence stands
    kind: Literal["ratings", "vectors"]
    files: tuple[str, ...]
    archives: tuple[PublishedArchive, ...] = ()
    rank: int = 150  # of ratings: the paper's

    @property
    def archive(self) -> PublishedArchive | None:
        """The one that can be fetched, if any."""
        return next((a for a in self.archives if a.address), None)

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the files that are read once it is there."""
        if self.kind == "ratings":
            return self.files
        stem, _, end = self.files[0].rpartition(".")
        return (f"{stem}.first-{FIRST_WORDS}.{end}",)


def _movielens(
    size: str, label: str, about: str, archive: PublishedArchive, *files: str
) -> PublishedSet:
    return PublishedSet(
        f"movielens-{size}", label, about, RESEARCH,
        f"https://grouplens.org/datasets/movielens/{size}/", "ratings", files, (archive,),
    )  # fmt: skip


def _glove(d: int) -> PublishedSet:
    archive = PublishedArchive(
        "glove.6B.zip", 862_182_613, "https://nlp.stanford.edu/data/glove.6B.zip",
        "617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
    )  # fmt: skip
    return PublishedSet(
        f"stanford-glove-{d}d", f"GloVe 6B, {d} dimensions",
        f"The {FIRST_WORDS:,} most frequent of 400,000 words × {d}; one archive holds all four "
        "sizes.", "PDDL-1.0 (public domain)", "https://opendatacommons.org/licenses/pddl/1-0/",
        "vectors", (f"glove.6B.{d}d.txt",), (archive,),
    )  # fmt: skip


PUBLISHED: dict[str, PublishedSet] = {
    entry.key: entry
    for entry in (
        _movielens(
            "latest", "MovieLens, latest small",
            "About 100,000 ratings of 9,700 films by 610 people.",
            PublishedArchive(
                "ml-latest-small.zip", 978_202, f"{GROUPLENS}/movielens/ml-latest-small.zip",
                "696d65a3dfceac7c45750ad32df2c259311949efec81f0f144fdfb91ebc9e436",
            ), "ml-latest-small/ratings.csv", "ml-latest-small/movies.csv",
        ),
        _movielens(
            "100k", "MovieLens 100k", "100,000 ratings of 1,682 films by 943 people.",
            PublishedArchive(
                "ml-100k.zip", 4_924_029, f"{GROUPLENS}/movielens/ml-100k.zip",
                "50d2a982c66986937beb9ffb3aa76efe955bf3d5c6b761f4e3a7cd717c6a3229",
            ), "ml-100k/u.data", "ml-100k/u.item",
        ),
        _movielens(
            "10m", "MovieLens 10M", "10 million ratings of 10,677 films by 69,878 people: the "
            "paper's.",
            PublishedArchive(
                "ml-10m.zip", 65_566_137, f"{GROUPLENS}/movielens/ml-10m.zip",
                "813c411ccb6122564edfe752e7f80c4dcc5aa25fa94c93622f6877a7ba252862",
            ), "ml-10M100K/ratings.dat", "ml-10M100K/movies.dat",
        ),
        PublishedSet(
            "lastfm", "Last.fm, HetRec 2011", "How often 1,892 people heard 17,632 artists.",
            "For research, not commercial: cite HetRec 2011 and Last.fm",
            "https://grouplens.org/datasets/hetrec-2011/", "ratings",
            ("user_artists.dat", "artists.dat"),
            (PublishedArchive(
                "hetrec2011-lastfm-2k.zip", 2_589_075,
                f"{GROUPLENS}/hetrec2011/hetrec2011-lastfm-2k.zip",
                "6738f48195667ff03caaab4d32ca9a3133d8cc026b7c3cdaf6ce1010e913c59c",
            ),),
        ),
        *(_glove(d) for d in (50, 100, 200, 300)),
        PublishedSet(
            "word2vec-googlenews", "word2vec GoogleNews",
            f"The first {FIRST_WORDS:,} of 3 million words × 300: the paper's. Placed by hand.",
            "None is stated with the vectors", "https://code.google.com/archive/p/word2vec/",
            "vectors", ("GoogleNews-vectors-negative300.bin",),
            (PublishedArchive("GoogleNews-vectors-negative300.bin.gz"),
             PublishedArchive("GoogleNews-vectors-negative300.bin")),
        ),
        PublishedSet(
            "netflix", "Netflix Prize", "100 million ratings of 17,770 films by 480,189 people: "
            "the paper's. No longer given out by Netflix; placed by hand.",
            "For research by those who were given it; not to be passed on",
            "https://archive.org/details/nf_prize_dataset.tar", "ratings",
            (*(f"combined_data_{part}.txt" for part in (1, 2, 3, 4)), "movie_titles.csv"), rank=300,
        ),
    )
}  # fmt: skip


def published(key: str) -> PublishedSet:
    """The set of this key. Raises DataError listing the known ones."""
    if key not in PUBLISHED:
        raise DataError(f"There is no published set {key!r}.", f"Known: {', '.join(PUBLISHED)}.")
    return PUBLISHED[key]
