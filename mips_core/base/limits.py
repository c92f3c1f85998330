"""Every limit with a name, in one place; docs/limits.md lists them and what a person sees of each.

Each in TABLE is set for a process by the variable of its name: MIPS_MAX_FILES=500. Those in bytes
may be written with a unit: 500MB. A message that refuses something shows the number.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from mips_core.base.errors import ParamError
from mips_core.base.text import memory

# Results and files depend on these, so that they are the same everywhere.
MAX_K = 100  # most answers a query may ask for in an evaluation or on a page
MAX_SEED = 2**63 - 1  # largest seed
# Queries shorter than this, or than this share of the longest query where that is shorter than 1,
# are dropped from evaluation: every item scores the same.
ZERO_NORM = 1e-6
# Largest absolute value of a vector's entry: beyond it float32 products may overflow.
MAX_MAGNITUDE = 1e15
# What earlier data, and all that was measured on them, take on disk: MIPS_EXPLORER_KEEP sets it.
MAX_EARLIER_BYTES = 2_000 * 2**20

TABLE = """
Files
MAX_FILE_BYTES 2000MB 1MB 64GB a file that is read, before and after it is unpacked
MAX_EXPANSION 1500 10 100000 times its size that a packed file grows; zeros in gzip: 1,032
MAX_ARRAY_EXPANSION 200 10 100000 the same of arrays of numbers: HDF5, Parquet, Arrow
SMALL_UNPACKED_BYTES 64MB 1MB 64GB what any packed file may grow to, however small
MAX_UNPACKER_BYTES 256MB 16MB 8GB memory to unpack an .xz file, whose header may ask for 4 GB
MAX_FILES 20000 1 1000000 files read together, or from one archive; Netflix has 17,770
MAX_LISTED_FILES 1000 1 100000 files of the data folder that are offered
MAX_FOLDER_ENTRIES 100000 1 10000000 files and folders looked at to list the data folder
MAX_FOLDER_DEPTH 2 1 10 how many subfolders down the data folder is listed
Their content
MAX_VALUES 400000000 1000 100000000000 numbers (rows × columns) of one file: 1.6 GB as float32
MAX_TABLE_COLUMNS 50000 2 1000000 columns of a table of vectors, which as text are large
MAX_TEXT_BYTES 400MB 1MB 64GB labels of one file, or columns of text of one table
MAX_ARRAYS 10000 1 1000000 arrays looked at in one file
MAX_HEADER_BYTES 4MB 64kB 100MB header of a safetensors or index file; 120 bytes a tensor
MAX_LABELS 10000000 1 1000000000 labels of one array; as text about 100 bytes each
MAX_JSON_PIECE 33554432 65536 1073741824 characters of JSON held at once, such as one row
MAX_JSON_NAMES 3000000 1 100000000 vectors by name in one JSON object: 400 bytes for a name
MAX_ZEROS 10000 10 10000000 zeros filled in for each entry of a sparse matrix
MAX_RATINGS 120000000 1 10000000000 ratings taken together; Netflix has 100,480,507
MAX_RATING_COLUMNS 200000 2 10000000 columns of ratings, one for each item; MovieLens has 59,047
MAX_NAMES 20000000 1 1000000000 different users and items of ratings, together
Parsers in a process of their own
CHILD_MEMORY_BYTES 4GB 1GB 256GB memory (addresses) that one may take
CHILD_SECONDS 1 1 3600 processor time for the smallest file, rounded up, …
CHILD_BYTES_A_SECOND 8MB 1kB 1GB … and what it must read a second beyond that
CHILD_STILL_SECONDS 60 1 3600 seconds without progress after which one is ended
Memory and disk
MEMORY_BYTES 0 0 16TB memory the process may take by estimate; 0: 3/4 of the machine's
BLOCK_BYTES 64MB 1MB 4GB candidates of one block of an evaluation
CACHE_BYTES 1500MB 1MB 16TB remembered results, all together
UNSEEN_CACHE_BYTES 150MB 0 16TB of it, those that nobody has looked at for a while, …
UNSEEN_SECONDS 300 1 31536000 … in seconds
ALONE_CACHE_BYTES 16MB 0 16TB the same while nobody has the app open, …
ALONE_SECONDS 60 1 31536000 … in seconds
MAX_COPIED_BYTES 8000MB 1MB 16TB uploads on disk, until they are used or dropped
MAX_UPLOADED_BYTES 4000MB 1MB 16TB uploads on their way, or not yet taken by a page, together
COPY_SECONDS 3600 1 31536000 seconds without a look after which a copy goes
UPLOAD_SECONDS 600 1 31536000 seconds that uploaded data outlast the last who used them
MAX_BLOB_BYTES 400MB 1MB 16TB numbers kept for browsers; a map of a million items is 20 MB
MAX_LAYOUT_BYTES 500MB 1MB 16TB layouts of maps on disk; the oldest are removed first
MAX_PAPER_BYTES 200MB 1MB 16TB parts measured for the Paper page on disk; a full run takes 20 MB
Visitors
MAX_VISITORS 100 1 10000 visitors with a page open; each takes some 3 MB of memory
MAX_DESCRIPTORS 8192 256 1048576 files and sockets asked for, where the system allows more
SPARE_DESCRIPTORS 80 1 100000 of them, kept free of visitors: for data and kernels
AWAY_SECONDS 30 5 86400 seconds without a look after which work lets all others go first
MAX_JOBS 2000 1 100000 jobs of one visitor that wait or run
MAX_JOB_SECONDS 21600 1 31536000 seconds that one job may work
MAX_BEGUN 3 1 100 jobs that have begun and stand aside, each with its memory
SLICE_SECONDS 2 1 3600 seconds of work after which the next visitor goes first
MAX_ENDED_JOBS 200 1 100000 ended jobs that are remembered
Indexes and runs
MAX_CLUSTERS 200000 2 10000000 clusters of one level
MAX_RUNS 200 1 10000 runs of one visitor, or in one file of runs
MAX_RUNS_TOGETHER 20 2 200 runs drawn in one picture and held against each other
MAX_RUNS_FILE_BYTES 64MB 64kB 4GB a file of runs
MAX_RUN_HITS 1000000 1000 1000000000 numbers (efforts × queries × K) a run keeps of its queries
"""
ROW = re.compile(r"^([A-Z_]{4,}) (\S+) (\S+) (\S+) (.+)$", re.MULTILINE)
UNITS = {"": 1, "kB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}


class Limit(NamedTuple):
    """A limit that may be set: its usual value, from where to where it may be, what it limits."""

    usual: int
    least: int
    most: int
    what: str


def number_of(text: str) -> int | None:
    """The whole number that `text` holds, in bytes where it has a unit; None where it is none."""
    match = re.fullmatch(r"([0-9]{1,15}) ?([kMGT]B)?", text.strip())
    return match and int(match[1]) * UNITS[match[2] or ""]


def in_words(name: str, value: int) -> str:
    """2,000 MB; 20,000."""
    return memory(value) if "BYTES" in name and value else f"{value:,}"


LIMITS = {
    name: Limit(number_of(usual) or 0, number_of(least) or 0, number_of(most) or 0, what)
    for name, usual, least, most, what in ROW.findall(TABLE)
}


def value_of(name: str, environment: Mapping[str, str] = os.environ) -> int:
    """The value of a limit in this environment. Raises ParamError where that is no such number."""
    usual, least, most, what = LIMITS[name]
    text = environment.get(f"MIPS_{name}", "").strip()
    value = number_of(text) if text else usual
    if value is None or not least <= value <= most:
        ends = " to ".join(in_words(name, end) for end in (least, most))
        remedy = f"Give a whole number, {ends}; usual is {in_words(name, usual)}."
        raise ParamError(f"MIPS_{name} is {text!r}: {what}.", remedy)
    return value


def check(environment: Mapping[str, str] = os.environ) -> None:
    """Raise ParamError where a variable holds no such number, or has the name of no limit."""
    for variable in environment:
        if variable.startswith("MIPS_MAX_") and variable.removeprefix("MIPS_") not in LIMITS:
            raise ParamError(f"{variable} is no limit.", "docs/limits.md lists their names.")
    for name in LIMITS:
        value_of(name, environment)


def set_here() -> dict[str, str]:
    """The limits that are set, as variables for a child process."""
    return {name: os.environ[name] for limit in LIMITS if (name := f"MIPS_{limit}") in os.environ}


def __getattr__(name: str) -> int:
    """The usual value of a limit, where a variable that `check` refuses holds no number."""
    if name not in LIMITS:
        raise AttributeError(name)
    return LIMITS[name].usual


for _name in LIMITS:
    with suppress(ParamError):
        globals()[_name] = value_of(_name)
