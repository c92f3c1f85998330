"""A run as plain values for JSON; `mips_core.studies.runs.reading` makes a run of them again.

Written are counts and costs; precisions, intervals and speedups stand beside them for other
programs, and must be what follows from the counts when a run is read. Hits are the bytes of an
array (p, m) of uint8, packed by zlib, in base64.
"""

import zlib
from base64 import b64encode
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import numpy as np

from mips_core.base.params import plain_values
from mips_core.studies.runs.run import Hits, Run, RunData


def plain(run: Run, *, named: bool = False) -> dict[str, Any]:
    """`run` as values that JSON holds; hits packed, or only `named` by their checksum."""
    curve = run.curve
    return {
        "name": run.name,
        "note": run.note,
        "kept": run.kept,
        "data": _plain_data(run.data),
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


def _plain_data(data: RunData) -> dict[str, Any]:
    told = {name: getattr(data, name) for name in RunData.__dataclass_fields__}
    return told | {"queries": None if data.queries is None else plain_values(data.queries)}


def _plain_measured(run: Run, K: int, *, named: bool) -> dict[str, Any]:
    curve, write = run.curve, _named if named else _packed
    return {
        "histograms": curve.histograms[K].tolist(),
        "precision": curve.precision(K).tolist(),
        "interval": curve.interval(K).tolist(),
        "precision_with_ties": curve.tolerant[K].tolist(),
        "hits": write(run.hits[K]) if K in run.hits else None,
    }


def _packed(hits: Hits) -> str:
    return b64encode(zlib.compress(np.ascontiguousarray(hits).tobytes())).decode()


def _named(hits: Hits) -> str:
    return sha256(np.ascontiguousarray(hits).tobytes()).hexdigest()
