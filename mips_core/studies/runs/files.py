"""Runs in a file: JSON with a format, a version and a checksum of its content.

    {"format": "MIPS Explorer runs", "version": 1, "made_by": ..., "sha256": ..., "runs": [...]}

The checksum is that of `made_by` and `runs` as compact JSON with sorted keys, in UTF-8.
Written are counts and costs; precisions, intervals and speedups stand beside them for other
programs, and must be what follows from the counts when a run is read (`runs.parser`). Hits are the
bytes of an array (p, m) of uint8, packed by zlib, in base64.
"""

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from weakref import WeakKeyDictionary

import numpy as np

from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError, ParamError
from mips_core.base.limits import MAX_RUNS, MAX_RUNS_FILE_BYTES
from mips_core.base.params import plain_values
from mips_core.studies.runs.json_node import JsonNode
from mips_core.studies.runs.parser import run_of
from mips_core.studies.runs.run import Run, RunData

FORMAT = "MIPS Explorer runs"
VERSION = 1
MOST_VERSIONS = 9999  # a higher number is none
ENDING = ".run.json"
MEGABYTE = 2**20
File = str | Path | BinaryIO
_DIGESTS: WeakKeyDictionary[Run, str] = WeakKeyDictionary()  # made once for each


def save_runs(file: File, runs: Sequence[Run]) -> None:
    """Write `runs` to `file`, a path or a file open for writing bytes.

    A path holds the old file or the new one, whatever happens meanwhile. Raises ParamError for no
    runs or too many, DataError where the file cannot be written or would be too large.
    """
    data = written(runs)
    if not isinstance(file, str | Path):
        file.write(data)
        return
    with replacing(Path(file)) as new:
        new.write(data)


def written(runs: Sequence[Run]) -> bytes:
    """The bytes of a file of `runs`. Raises as `save_runs`."""
    from mips_core.base.text import MADE_BY

    if not 1 <= len(runs) <= MAX_RUNS:
        raise ParamError(
            f"A file of {len(runs)} runs cannot be written.", f"It holds 1 to {MAX_RUNS}."
        )
    content = {"made_by": MADE_BY, "runs": [plain(run) for run in runs]}
    head = {"format": FORMAT, "version": VERSION, "sha256": checksum(content)}
    data = json.dumps(head | content, ensure_ascii=False, allow_nan=False).encode()
    if len(data) > MAX_RUNS_FILE_BYTES:
        raise DataError(
            f"The runs take {len(data) // MEGABYTE:,} MB; a file of runs may have "
            f"{MAX_RUNS_FILE_BYTES // MEGABYTE:,} MB.",
            "Write fewer runs to one file.",
        )
    return data + b"\n"


def read_runs(file: File) -> tuple[Run, ...]:
    """The runs of `file`, a path or a file open for reading bytes.

    Raises DataError, which says what was found and where, for a file that cannot be read, is
    damaged, not of this format, of a newer version, or holds numbers that cannot be.
    """
    if isinstance(file, str | Path):
        try:
            with Path(file).open("rb") as opened:
                return _read(opened, Path(file).name)
        except OSError as error:
            problem = f"{Path(file).name} cannot be read: {error.strerror or error}."
            raise DataError(problem, "Name a file of runs.") from None
    return _read(file, Path(str(getattr(file, "name", "The file"))).name)


def digest_of(run: Run) -> str:
    """64 hex digits naming all that is written of `run`, its name and note too."""
    if run not in _DIGESTS:
        _DIGESTS[run] = checksum(plain(run, named=True))
    return _DIGESTS[run]


def checksum(content: Mapping[str, Any]) -> str:
    """64 hex digits: sha256 of `content` as compact JSON with sorted keys."""
    text = json.dumps(
        content, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return sha256(text.encode()).hexdigest()


def _read(file: BinaryIO, name: str) -> tuple[Run, ...]:
    data = file.read(MAX_RUNS_FILE_BYTES + 1)
    if len(data) > MAX_RUNS_FILE_BYTES:
        raise DataError(
            f"{name} is larger than {MAX_RUNS_FILE_BYTES // MEGABYTE:,} MB.",
            "A file of runs is smaller.",
        )
    document = _document(data, name)
    root = JsonNode(document, name)
    _check_head(document, name)
    root.only(("format", "version", "made_by", "sha256", "runs"))
    content = {part: root.of(part).value for part in ("made_by", "runs")}
    try:
        sound = checksum(content) == document.get("sha256")
    except (ValueError, RecursionError):  # half a character, a number that is none
        sound = False
    if not sound:
        raise DataError(
            f"{name} is damaged: its content does not fit its checksum.",
            "Ask for the file again, or write it again.",
        )
    runs = JsonNode(document["runs"], "runs").items(1, MAX_RUNS)
    try:
        return tuple(run_of(part) for part in runs)
    except DataError as error:
        raise DataError(f"{name}: {error.found}", error.remedy) from None


def _document(data: bytes, name: str) -> Any:
    """`data` as JSON, in which no name stands twice and every number is finite."""
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise DataError(
            f"{name} is no file of runs: it cannot be read as JSON.",
            f"Give a file that ends in {ENDING}, as “Download runs” writes it.",
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise ValueError("a name stands twice")
    return entries


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _check_head(document: Any, name: str) -> None:
    """Refuse what is not of this format, or of a version that is not known here."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DataError(
            f"{name} is no file of runs: it does not say that its format is {FORMAT!r}.",
            f"Give a file that ends in {ENDING}, as “Download runs” writes it.",
        )
    version = document.get("version")
    if type(version) is int and VERSION < version <= MOST_VERSIONS:
        raise DataError(
            f"{name} is of version {version:,}, made by a newer program; known here is {VERSION}.",
            "Update this program, or have the file written by this version.",
        )
    if type(version) is not int or version != VERSION:  # True == 1
        raise DataError(f"{name} does not say its version.", "Ask for the file again.")


def plain(run: Run, *, named: bool = False) -> dict[str, Any]:
    """`run` as values that JSON holds; hits packed, or only `named` by their checksum."""
    curve, data = run.curve, run.data
    return {
        "name": run.name,
        "note": run.note,
        "kept": run.kept,
        "data": {
            **{name: getattr(data, name) for name in RunData.__dataclass_fields__},
            "queries": None if data.queries is None else plain_values(data.queries),
        },
        "index": {"key": run.index.key, **plain_values(run.index)},
        "seed": run.seed,
        "efforts": curve.efforts.tolist(),
        "costs": {part: cost.tolist() for part, cost in curve.costs.items()},
        "speedup": curve.speedup.tolist(),
        "measured": {str(K): _plain_measured(run, K, named=named) for K in run.ks},
        "build_seconds": run.seconds,
        "bytes": run.bytes,
        "groups": None if run.groups is None else asdict(run.groups),
        "versions": dict(run.versions),
    }


def _plain_measured(run: Run, K: int, *, named: bool) -> dict[str, Any]:
    curve, hits = run.curve, np.ascontiguousarray(run.hits.get(K, ())).tobytes()
    written = sha256(hits).hexdigest() if named else b64encode(zlib.compress(hits)).decode()
    return {
        "histograms": curve.histograms[K].tolist(),
        "precision": curve.precision(K).tolist(),
        "interval": curve.interval(K).tolist(),
        "precision_with_ties": curve.tolerant[K].tolist(),
        "hits": written if K in run.hits else None,
    }
