"""A run made of the plain values that `runs.files` wrote, each of them checked."""

import zlib
from base64 import b64decode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids
from mips_core.base.errors import MipsError
from mips_core.base.limits import MAX_K, MAX_RUN_HITS, MAX_SEED
from mips_core.base.params import format_value, plain_values, with_text
from mips_core.data.metrics import MEASURES
from mips_core.data.queries import QueryRecipe
from mips_core.evaluation.curve import Curve
from mips_core.methods.indexes import INDEXES, Index
from mips_core.serving.store.told_fit import as_built
from mips_core.studies.runs.json_node import JsonNode
from mips_core.studies.runs.run import MAX_NAME, MAX_NOTE, Groups, Hits, Run, RunData

MOST = 10**10  # of anything counted
MOST_EFFORTS = 100_000
MAX_WORD = 200  # characters of a name that is not given by a person
NEAR = 1e-9  # how far a derived number may be from what follows
ENTRIES = (
    *("name", "note", "kept", "data", "index", "seed", "efforts", "costs", "speedup", "measured"),
    *("build_seconds", "bytes", "groups", "versions"),
)
WHEN = "2026-11-28T22:44:57Z"


def run_of(part: JsonNode) -> Run:
    """The run that `plain` wrote. Raises DataError, which names the place, for anything else."""
    part.only(ENTRIES)
    name = part.of("name").text(MAX_NAME)
    if not name.strip():
        part.of("name").refuse("is empty")
    data = _data(part.of("data"))
    curve, hits = _curve(part, data)
    seconds, size, groups = (part.of(what) for what in ("build_seconds", "bytes", "groups"))
    return Run(
        name,
        part.of("note").text(MAX_NOTE),
        _when(part.of("kept")),
        data,
        curve,
        hits,
        None if seconds.value is None else seconds.number(0, MOST),
        None if size.value is None else size.whole(0, MOST),
        None if groups.value is None else _groups(groups, data.n),
        {name[:MAX_WORD]: one.text(MAX_WORD) for name, one in part.of("versions").entries()},
    )


def _when(part: JsonNode) -> str:
    """A time as it is written here: digits where WHEN has them, the rest as it is there."""
    text = part.text(len(WHEN))
    shape = "".join("0" if sign in "0123456789" else sign for sign in text)
    if shape != "".join("0" if sign.isdigit() else sign for sign in WHEN):
        part.refuse(f"is no time like {WHEN}")
    return text


def _data(part: JsonNode) -> RunData:
    part.only(tuple(RunData.__dataclass_fields__))
    metric = part.of("metric").text(MAX_WORD)
    measure = next((one for one in MEASURES if one == metric), None)
    if measure is None:
        part.of("metric").refuse(f"is {metric[:40]!r}, not one of {', '.join(MEASURES)}")
    recipe = part.of("queries")
    return RunData(
        part.of("name").text(10_000),
        part.of("n").whole(1, MOST),
        part.of("d").whole(1, MOST),
        part.of("m").whole(1, MOST),
        measure,
        part.of("fingerprint").text(MAX_WORD),
        part.of("query_fingerprint").text(MAX_WORD),
        part.of("simulated").flag(),
        part.of("source").text(MAX_WORD),
        None if recipe.value is None else _spec(QueryRecipe(), recipe, ()),
    )


def _spec(usual: Any, part: JsonNode, besides: tuple[str, ...]) -> Any:
    """The parameters of `part`, all that `usual` has and no others."""
    texts = {name: _text(one) for name, one in part.entries() if name not in besides}
    try:
        spec = with_text(usual, texts)
    except MipsError as error:
        part.refuse(f"holds what cannot be: {error.found.rstrip('.')}")
    lacking = next((name for name in plain_values(spec) if name not in texts), None)
    if lacking is not None:
        part.refuse(f"has no {lacking}")
    return spec


def _text(part: JsonNode) -> str:
    """A value of a parameter, as `with_text` reads it."""
    if not isinstance(part.value, str | int | float):
        part.refuse("is no value of a parameter")
    plain = isinstance(part.value, bool)
    return format_value(part.value) if plain else str(part.value)[:MAX_WORD]


def _index(part: JsonNode) -> Index:
    key = part.of("key").text(MAX_WORD)
    if key not in INDEXES:
        part.of("key").refuse(f"is {key[:40]!r}; the methods known here are {', '.join(INDEXES)}")
    index: Index = _spec(INDEXES[key](), part, ("key",))
    return index


def _curve(part: JsonNode, data: RunData) -> tuple[Curve, dict[int, Hits]]:
    """The curve and the hits per query; every number that follows from others is checked."""
    efforts = part.of("efforts")
    p = len(efforts.values(1, MOST_EFFORTS))
    steps = efforts.wholes(p, 0, MOST)
    if (np.diff(steps) <= 0).any():
        efforts.refuse("do not rise")
    costs = {name[:MAX_WORD]: one.numbers(p, 0, MOST) for name, one in part.of("costs").entries()}
    if not (sum(costs.values(), np.zeros(p)) > 0).all():
        part.of("costs").refuse("say that a search costs nothing")
    histograms, tolerant, hits = {}, {}, {}
    for name, one in part.of("measured").entries():
        K = _k(one, name)
        histograms[K] = _histograms(one.of("histograms"), p, data.m, min(K, data.n))
        tolerant[K] = one.of("precision_with_ties").numbers(p, 0, 1 + NEAR)
        if one.of("hits").value is not None:
            hits[K] = _hits(one.of("hits"), histograms[K], data.m)
    if not histograms:
        part.of("measured").refuse("is empty")
    seed = part.of("seed").whole(0, MAX_SEED)
    index = as_built(_index(part.of("index")), data.n)
    curve = Curve(index, seed, data.n, data.m, steps, costs, histograms, tolerant)
    _check_derived(part, curve)
    return curve, hits


def _k(part: JsonNode, name: str) -> int:
    part.only(("histograms", "precision", "interval", "precision_with_ties", "hits"))
    if not (name.isascii() and name.isdigit() and str(int(name[:9])) == name):
        part.refuse("is named by no number of answers")
    return JsonNode(int(name), part.place).whole(1, MAX_K)


def _histograms(part: JsonNode, p: int, m: int, most: int) -> Ids:
    """(p, K'+1) with K' up to `most`: one less where a query may not find its own row."""
    rows = list(part.items(p, p))
    width = len(rows[0].values(2, most + 1))
    counts = np.stack([row.wholes(width, 0, m) for row in rows])
    wrong = counts.sum(axis=1) != m
    if wrong.any():
        rows[int(wrong.argmax())].refuse(f"does not count {m:,} queries")
    return counts


def _hits(part: JsonNode, histograms: Ids, m: int) -> Hits:
    """(p, m) from their packed bytes, never more than they must be; they agree with the counts."""
    p, width = histograms.shape
    if p * m > MAX_RUN_HITS:
        part.refuse(f"are {p * m:,} numbers, more than {MAX_RUN_HITS:,}")
    text = part.text(2 * p * m + 100)
    try:
        packed = b64decode(text, validate=True)
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed, p * m + 1)
    except (ValueError, zlib.error):
        part.refuse("cannot be unpacked")
    if len(raw) != p * m or not unpacker.eof or unpacker.unused_data:
        part.refuse(f"are not {p:,} × {m:,} numbers")
    hits = np.frombuffer(raw, np.uint8).reshape(p, m)
    counted = np.stack([np.bincount(row, minlength=width)[:width] for row in hits])
    if (counted != histograms).any():
        part.refuse("do not agree with the histograms")
    return hits


def _check_derived(part: JsonNode, curve: Curve) -> None:
    """Refuse a file in which a number is not what follows from the counts and costs.

    How an interval is made may change between versions: it need only hold the precision.
    """
    p = len(curve.efforts)
    _agree(part.of("speedup"), part.of("speedup").numbers(p, 0, MOST), curve.speedup)
    for K in curve.histograms:
        measured, mean = part.of("measured").of(str(K)), curve.precision(K)
        _agree(measured.of("precision"), measured.of("precision").numbers(p, 0, 1), mean)
        interval = measured.of("interval")
        low, high = np.stack([row.numbers(2, 0, 1) for row in interval.items(p, p)]).T
        if (low > mean + NEAR).any() or (high < mean - NEAR).any():
            interval.refuse("does not hold the precision")
        if (curve.tolerant[K] < mean - NEAR).any():
            measured.of("precision_with_ties").refuse("is less than the precision without ties")


def _agree(part: JsonNode, written: NDArray[Any], follows: NDArray[Any]) -> None:
    if not np.allclose(written, follows, rtol=NEAR, atol=NEAR):
        part.refuse("is not what follows from the counts")


def _groups(part: JsonNode, n: int) -> Groups:
    part.only(tuple(Groups.__dataclass_fields__))
    found = Groups(
        part.of("one").text(MAX_WORD),
        part.of("many").text(MAX_WORD),
        part.of("count").whole(1, MOST),
        part.of("empty").whole(0, MOST),
        part.of("smallest").whole(1, n),
        part.of("median").number(1, n),
        part.of("largest").whole(1, n),
    )
    if not found.smallest <= found.median <= found.largest:
        part.refuse("has a median that is not between the smallest and the largest")
    return found
